"""From the store's golden set to redacted cases that can be given away.

Belongs here: redacting a case's mail and expectation, and proving it: the redacted mail is parsed again and has to be
read as the original was, right and wrong in the same fields, and nothing that was replaced may be left. A case that
fails is held back with the reason. Not here: what is personal (review/redact), formats and folder (review/export).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orders_pipeline.config import OwnerSettings, ParseSettings
from orders_pipeline.encoding import result_from_dict
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Email, Outcome
from orders_pipeline.review.export.case import ExportCase, compact
from orders_pipeline.review.redact import Redactor, redactor_for
from orders_pipeline.review.redacted_mail import learn, redacted_mail, redacted_text
from orders_pipeline.scoring.orders import order_case
from orders_pipeline.stages.golden import GoldenCase, raw_mails, read_golden
from orders_pipeline.stages.parse_message import ParseContext, RawMessage
from orders_pipeline.stages.work import Work
from orders_pipeline.store.salt import redaction_salt

_TEXTS = ("merchant", "order_number", "carrier")

Order = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """A case that is not exported, and why. The reason holds nothing of the mail."""

    case_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenExport:
    """What an export holds, sorted by id; ``settings`` are those that the mails have to be parsed with."""

    cases: tuple[ExportCase, ...]
    held_back: tuple[HeldBack, ...]
    settings: Mapping[str, Any]


class _Unfit(Exception):
    """A case cannot be exported; the text is the reason."""


def export_golden(work: Work, *, name_deciders: bool = False) -> GoldenExport:
    """Redact the golden set of a store. The same store gives the same result.

    ``name_deciders`` keeps the user names of those who decided. Raises ``StoreError``.
    """
    with work.store.state.reading() as con:
        cases = read_golden(con)
    raws = dict(raw_mails(work.store.archive, cases))
    salt = redaction_salt(work.store.folder)
    owner = tuple(Redactor(salt).text(address) for address in work.config.owner.addresses)
    out: list[ExportCase] = []
    held_back: list[HeldBack] = []
    for case in cases:
        try:
            if case.problem is not None:
                raise _Unfit(case.problem)
            out.append(_export(work, case, raws[case.message_id], salt, owner, name_deciders=name_deciders))
        except _Unfit as why:
            held_back.append(HeldBack(case_id=case.case_id, reason=str(why)))
    return GoldenExport(
        cases=tuple(out),
        held_back=tuple(held_back),
        settings={
            "zone": work.config.zone,
            "owner": list(owner),
            "accept_failed_authentication": work.config.parse.accept_failed_authentication,
        },
    )


def _export(
    work: Work, case: GoldenCase, raw: bytes, salt: bytes, owner: Sequence[str], *, name_deciders: bool
) -> ExportCase:
    context = ParseContext.of(work.config)
    before = _parsed(work, RawMessage(case.message_id, raw, case.received_at), context)
    if before["outcome"] == Outcome.FAILED:
        raise _Unfit("the parser fails on its mail, which a redacted one cannot show")
    # What the parser's process survived within its limits can be decoded here too.
    email = parse_email(raw, message_id=case.message_id, received_at=case.received_at)
    redactor = redactor_for(
        email, result_from_dict(case.message_id, before), salt=salt, owner=work.config.owner.addresses
    )
    known = [n for order in case.orders for n in _numbers(order)]
    redactor.numbers = tuple(dict.fromkeys((*redactor.numbers, *known)))
    learn(email, redactor)
    for order in (*case.orders, *before["orders"]):
        for text in _strings(order):
            redactor.learn(text)
    mail = redacted_mail(email, redactor)
    # As a folder is scored: without the store's time of arrival, with the owner's addresses as they are now.
    settings = ParseSettings(accept_failed_authentication=context.settings.accept_failed_authentication)
    alone = ParseContext(settings, context.zone, OwnerSettings(addresses=tuple(owner)))
    after = _parsed(work, RawMessage(message_id_of(mail), mail), alone)
    expected = [_redacted(order, redactor) for order in case.orders]
    _same_reading(case, before, after, expected, redactor)
    again = parse_email(mail)
    provenance = _provenance(case, again, name_deciders=name_deciders)
    texts = [mail.decode("utf-8"), *_read_texts(again), *_values([expected, provenance])]
    if left := {value for text in texts for value in redactor.left(text)}:
        raise _Unfit(f"redacted, it still holds {len(left)} personal value{'s' if len(left) > 1 else ''}")
    return ExportCase(
        case_id=case.case_id, mail=mail, orders=[compact(order) for order in expected], provenance=provenance
    )


def _parsed(work: Work, message: RawMessage, context: ParseContext) -> dict[str, Any]:
    return json.loads(work.parser.parse(message, context).outcome_row["result"])


def _same_reading(
    case: GoldenCase, before: Mapping[str, Any], after: Mapping[str, Any], expected: Sequence[Order], redactor: Redactor
) -> None:
    """Raises ``_Unfit`` when the redacted mail is not read as the original was."""
    if before["outcome"] != after["outcome"]:
        raise _Unfit(f"redacted, it is read differently: {before['outcome']} becomes {after['outcome']}")
    was = [compact(_redacted(order, redactor)) for order in before["orders"]]
    now = [compact(order) for order in after["orders"]]
    if len(was) != len(now):
        raise _Unfit(f"redacted, it is read differently: {len(was)} orders become {len(now)}")
    if other := sorted({k for a, b in zip(was, now, strict=True) for k in a.keys() | b.keys() if a.get(k) != b.get(k)}):
        raise _Unfit(f"redacted, it is read differently: {', '.join(other)}")
    right = order_case(case.case_id, case.orders, before["orders"]).verdicts
    still = order_case(case.case_id, expected, after["orders"]).verdicts
    if other := sorted(field for field in right.keys() | still.keys() if right.get(field) != still.get(field)):
        raise _Unfit(f"redacted, it is right and wrong in other fields: {', '.join(other)}")


def _redacted(order: Order, redactor: Redactor) -> dict[str, Any]:
    out = {key: value for key, value in order.items() if key != "evidence"}
    for key in _TEXTS:
        if out.get(key):
            out[key] = redacted_text(str(out[key]), redactor)
    out["tracking_numbers"] = [redacted_text(n, redactor) for n in order.get("tracking_numbers") or ()]
    out["items"] = [{**i, "name": redacted_text(i.get("name") or "", redactor)} for i in order.get("items") or ()]
    return out


def _numbers(order: Order) -> Iterator[str]:
    numbers = (order.get("order_number"), *(order.get("tracking_numbers") or ()))
    return (number for number in numbers if number and len(number) >= 4)


def _strings(order: Order) -> Iterator[str]:
    yield from (str(order[key]) for key in _TEXTS if order.get(key))
    yield from (item["name"] for item in order.get("items") or () if item.get("name"))


def _provenance(case: GoldenCase, redacted: Email, *, name_deciders: bool) -> dict[str, Any]:
    return {
        "day": case.day.isoformat(),
        "sender_domain": redacted.sender.domain,
        "extractors": list(case.extractors),
        "reasons": list(case.reasons),
        "state": case.state.value,
        "decided_at": case.decided_at.astimezone(dt.UTC).isoformat(timespec="seconds"),
        **({"decided_by": case.decided_by} if name_deciders else {}),
    }


def _values(data: Any) -> Iterator[str]:
    """Every text in JSON-ready data but for the keys, which are ours."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping | list):
        for one in data.values() if isinstance(data, Mapping) else data:
            yield from _values(one)


def _read_texts(email: Email) -> Iterator[str]:
    for one in (email, *email.inner):
        yield from (one.subject, one.text, one.html_text, one.sender.name, one.sender.address)
