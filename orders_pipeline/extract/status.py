"""What has happened to an order: status phrases.

Belongs here: finding phrases of the tables and weighing them by place. Not here: the phrases.
The subject weighs most, then the first lines, then the rest. A phrase in a clause with "when", "if" or "will be"
before it tells of something that has not happened. A bare "Shipped" on a line of its own is a step in a progress bar.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from orders_pipeline.extract.extractor import Reading, could_be
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.status_phrases import Meaning, find_phrases
from orders_pipeline.extract.text import evidence_text
from orders_pipeline.extract.view import Body, View
from orders_pipeline.models import OrderStatus

HEAD = 700  # characters of a body that count as its headline
TERMS = 3_000  # and where its terms and conditions have begun
MAX_PHRASES = 200
_STEP = re.compile(
    r"^(?:ordered|shipped|out for delivery|delivered|pending|completed|processing|confirmed|order placed"
    r"|dispatched|in transit|bestellt|versandt|verschickt|in zustellung|zugestellt|geliefert|commande|expedie"
    r"|livre|en cours de livraison|ordinato|spedito|in consegna|consegnato|pedido|enviado|en reparto|entregado)$",
    re.MULTILINE,
)
_PARTLY = re.compile(
    r"in part\b|(?:in|en|em) parte\b|en partie|partial|partiel|parcial|parzial|teilweise|teilstorn|gedeeltelijk"
    r"|deels|delvis|czesciow|artikel uit (?:je|uw)|artikel aus (?:ihrer|deiner)|items? (?:in|from) your"
)
_TODAY = re.compile(r"today|heute|aujourd|ce jour|\bhoy\b|oggi|vandaag|vanavond|hoje|dzis|idag|本日|今日")
_ASKED = re.compile(r"[^.!?\n\t。！]{0,60}[?？]")
_CLAUSE = re.compile(r"[.!?;:\n\t。！？•|]|, (?:and|und|et) | y (?=hemos)| et (?=nous avons|avons)| e (?=abbiamo)")
# Of two statuses said equally strongly, the more particular one is meant.
RANK = {
    status: rank
    for rank, status in enumerate(
        (
            OrderStatus.PARTIALLY_CANCELLED, OrderStatus.CANCEL_REQUESTED, OrderStatus.MERGED, OrderStatus.SPLIT,
            OrderStatus.RENUMBERED, OrderStatus.CANCELLED, OrderStatus.REFUNDED, OrderStatus.RETURN_STARTED,
            OrderStatus.DELAYED, OrderStatus.READY_FOR_PICKUP, OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED,
            OrderStatus.SHIPPED, OrderStatus.CONFIRMED,
        )
    )
}  # fmt: skip


_FINER = {
    OrderStatus.PARTIALLY_CANCELLED: OrderStatus.CANCELLED,
    OrderStatus.READY_FOR_PICKUP: OrderStatus.DELIVERED,
}


class StatusExtractor:
    """Reads what the mail says has happened."""

    name = "status"
    most = (could_be("status"), could_be("status", source="subject"), could_be("expected_delivery"))

    def matches(self, view: View) -> bool:
        return bool(view.tables)

    def extract(self, view: View) -> list[Reading]:
        found = [r for body in (view.subject, *view.bodies) for r in _phrases(body, view.tables, view.today)]
        return _refined(found)


def _refined(found: list[Reading]) -> list[Reading]:
    """A subject tells of an item cancelled as if it were all, of a parcel at an agent's as if it had arrived.

    What a body's first lines tell of a part, or of fetching it, knows more.
    """
    most = {
        finer: max((r.strength for r in found if r.value is coarse), default=0.0) for finer, coarse in _FINER.items()
    }
    return [
        replace(r, strength=most[r.value] + 0.001)
        if isinstance(r.value, OrderStatus) and 0.75 <= r.strength <= most.get(r.value, 0.0)
        else r
        for r in found
    ]


def _phrases(body: Body, tables: tuple[LabelTable, ...], today: dt.date | None) -> Iterator[Reading]:
    for weak in (False, True):
        yield from _found(body, tables, weak, today)


def _found(body: Body, tables: tuple[LabelTable, ...], weak: bool, today: dt.date | None) -> Iterator[Reading]:
    text = body.folded[:20_000]
    found = list(islice(find_phrases(tables, text, weak=weak), MAX_PHRASES))
    steps = _progress_steps(text, found)
    for match, meaning in found:
        at = match.start()
        if at in steps or meaning.whens.search(match.group()) or conditional(text, at, meaning.conditions):
            continue
        if body.source != "subject" and _ASKED.match(text, match.end()):  # "Will you be absent?"
            continue
        status = meaning.status
        if status is OrderStatus.CANCELLED and _PARTLY.search(text, at, match.end() + 10):
            status = OrderStatus.PARTIALLY_CANCELLED
        strength = meaning.weight * 0.2 + _place(body, at) - RANK[status] * 0.002 - at * 2e-7
        if (
            meaning.status is OrderStatus.OUT_FOR_DELIVERY
            and today
            and _TODAY.search(match.group() + _CLAUSE.split(text[match.end() : match.end() + 40])[0])
        ):
            yield Reading(
                field="expected_delivery", value=today, extractor="status", source=body.source,
                text=evidence_text(body.line_at(at)), strength=0.6, offset=at,
            )  # fmt: skip
        yield Reading(
            field="status",
            value=status,
            extractor="status",
            source=body.source,
            text=evidence_text(body.line_at(at)),
            strength=round(strength, 5),
            offset=at,
        )


def _place(body: Body, offset: int) -> float:
    """What a place is worth: far down stand the terms, which speak of delays and refunds of any order."""
    if body.source == "subject":
        return 0.35
    return 0.2 if offset < HEAD else 0.05 if offset < TERMS else -0.3


def _progress_steps(text: str, found: Sequence[tuple[re.Match[str], Meaning]]) -> frozenset[int]:
    """The phrases that fill a line of their own, when several statuses do so: the steps of a progress bar."""
    alone = {m.start(): meaning.status for m, meaning in found if _fills_line(text, m)}
    several = len(set(alone.values())) > 1 or (alone and len(_STEP.findall(text[:TERMS])) >= 3)
    return frozenset(alone) if several else frozenset()


def _fills_line(text: str, match: re.Match[str]) -> bool:
    start = max(text.rfind("\n", 0, match.start()), text.rfind("\t", 0, match.start())) + 1
    end = min((e for e in (text.find("\n", match.end()), text.find("\t", match.end())) if e >= 0), default=len(text))
    return len(text[start:end].strip(" .!•")) <= match.end() - match.start() + 2


def conditional(text: str, start: int, conditions: re.Pattern[str]) -> bool:
    """Whether the clause before a phrase makes it a promise or a case."""
    ahead = text[start : start + 6]
    clause = _CLAUSE.split(text[max(0, start - 90) : start] + ahead)[-1]
    clause = clause[: max(0, len(clause) - len(ahead))]
    return bool(conditions.search(clause[-60:]))
