"""The golden set through the shipping parser.

Belongs here: parsing the cases' mails and scoring what was said; the store's history of scores, and whether it is
behind. Not here: what is compared how (scoring/), how it is shown.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.config import Config
from orders_pipeline.encoding import digest_of
from orders_pipeline.scoring.orders import ORDER_FIELDS, order_case
from orders_pipeline.scoring.report import Comparison, best_of, compare, read_report, report_of
from orders_pipeline.scoring.score import Score, summed
from orders_pipeline.stages.golden import GoldenCase, expected_digest, golden_digest, raw_mails, read_golden
from orders_pipeline.stages.parse_message import ParseContext, RawMessage
from orders_pipeline.stages.parser_code import parser_fingerprint
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts, score_rows
from orders_pipeline.store.frames import Connection

HISTORY = 100  # scores that are shown as a line

Orders = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenMail:
    """A mail whose orders are known: what scoring needs of a case, from the store or from an exported folder."""

    name: str
    raw: bytes
    received_at: dt.datetime | None
    orders: Orders
    sender_domain: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenScore:
    """A score of golden mails as records and as a report; ``unusable`` could not be asked."""

    score: Score
    report: dict[str, Any]
    senders: Mapping[str, str]
    unusable: tuple[GoldenCase, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRun:
    """What a refresh of the scores found. ``row`` is the history's row, ``against`` is when the one before was made."""

    row: Mapping[str, Any]
    report: Mapping[str, Any]
    comparison: Comparison
    against: dt.datetime | None
    history: tuple[Mapping[str, Any], ...]
    unusable: tuple[GoldenCase, ...]


def score_mails(
    mails: Iterable[GoldenMail], parse: Callable[[GoldenMail], Mapping[str, Any]], unusable: Iterable[GoldenCase] = ()
) -> GoldenScore:
    """Score mails; ``parse`` gives the result of one as ``encoding.result_to_dict`` does. Sorted by name."""
    cases, senders, expected = [], {}, {}
    for mail in mails:
        cases.append(order_case(mail.name, mail.orders, parse(mail).get("orders") or []))
        senders[mail.name] = mail.sender_domain
        expected[mail.name] = expected_digest(mail.orders)
    score = summed(sorted(cases, key=lambda c: c.label.file), ORDER_FIELDS)
    report = report_of(score, senders=senders, expected=expected)
    return GoldenScore(score=score, report=report, senders=senders, unusable=tuple(unusable))


def score_golden(work: Work) -> GoldenScore:
    """Score the store's golden set as the pipeline parses: same process, same settings. Raises ``StoreError``."""
    with work.store.state.reading() as con:
        cases = read_golden(con)
    return _score(work, cases)


def refresh_scores(work: Work) -> ScoreRun:
    """Score the golden set and add a row to the history when parser, settings or set have changed since the last.

    What broke is held against the best since the last row in which nothing was broken: a regression stays one until it
    is mended, or until a person says that something else is right. Raises ``StoreError``.
    """
    with work.store.state.transaction() as con:
        acts.adopt(con, work.store.archive)
    with work.store.state.reading() as con:
        cases = read_golden(con)
        digest = input_digest(con, work.config) or ""
    found = _score(work, cases)
    now = work.now()
    with work.store.state.transaction() as con:
        last = score_rows.last_row(con)
        same = last is not None and last["input_digest"] == digest and _verdicts(last) == found.report["cases"]
        earlier = score_rows.baseline_rows(con, before=last["scored_at"] if last and same else None)
        comparison = compare(best_of(map(_verdicts, earlier)), found.report["cases"])
        row = last if last and same else _row(found, comparison, digest, now, work.run_id)
        if not same and (cases or last):
            score_rows.append(con, row)
        if digest or score_rows.refreshed_digest(con):
            score_rows.note_refresh(con, digest, len(cases), now)
        history = score_rows.history(con, HISTORY)
    return ScoreRun(
        row=row,
        report=found.report,
        comparison=comparison,
        against=earlier[0]["scored_at"] if earlier else None,
        history=tuple(history),
        unusable=found.unusable,
    )


def behind(con: Connection, config: Config) -> bool:
    """Whether parser, settings or golden set have changed since the scores were made. Without a case they never are."""
    wanted = input_digest(con, config)
    known = score_rows.refreshed_digest(con)
    return known != wanted if wanted is not None else bool(known)


def input_digest(con: Connection, config: Config) -> str | None:
    """What the scores are computed from; None when there is no golden set."""
    golden = golden_digest(con)
    if golden is None:
        return None
    return digest_of(
        [golden, parser_fingerprint(), config.parse.model_dump_json(), config.owner.model_dump_json(), config.zone]
    )


def _score(work: Work, cases: list[GoldenCase]) -> GoldenScore:
    raws = dict(raw_mails(work.store.archive, cases))
    usable = [c for c in cases if c.problem is None]
    mails = [
        GoldenMail(
            name=c.case_id,
            raw=raws[c.message_id],
            received_at=c.received_at,
            orders=c.orders,
            sender_domain=c.sender_domain,
        )
        for c in usable
    ]
    ids = {c.case_id: c.message_id for c in usable}
    context = ParseContext.of(work.config)

    def parse(mail: GoldenMail) -> Mapping[str, Any]:
        parsed = work.parser.parse(RawMessage(ids[mail.name], mail.raw, mail.received_at), context)
        return json.loads(parsed.outcome_row["result"])

    return score_mails(mails, parse, [c for c in cases if c.problem is not None])


def _verdicts(row: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    return read_report(row["report"], "the history of scores")


def _row(
    found: GoldenScore, comparison: Comparison, digest: str, now: dt.datetime, run_id: str | None
) -> dict[str, Any]:
    score, overall = found.score, found.score.overall
    return {
        "scored_at": now,
        "run_id": run_id,
        "parser": parser_fingerprint(),
        "input_digest": digest,
        "cases": len(score.cases),
        "unusable": len(found.unusable),
        "orders": score.count("positives"),
        "exact": score.count("exact"),
        "faulty": sum(bool(c.faults) for c in score.cases),
        "false_alarms": score.count("false_alarms"),
        "precision": overall.precision,
        "recall": overall.recall,
        "f1": overall.f1,
        "right": overall.right,
        "wrong": overall.wrong,
        "missed": overall.missed,
        "surplus": overall.surplus,
        "fixed": len(comparison.fixed),
        "broken": len(comparison.broken),
        "report": json.dumps(found.report, sort_keys=True),
    }
