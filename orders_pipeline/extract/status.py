"""What has happened to an order: status phrases.

Belongs here: finding phrases of the tables and weighing them by place. Not here: the phrases.
The subject weighs most, then the first lines, then the rest. A phrase in a clause with "when", "if" or "will be"
before it tells of something that has not happened. A bare "Shipped" on a line of its own is a step in a progress bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.text import evidence_text, fold
from orders_pipeline.extract.view import Body, View
from orders_pipeline.models import OrderStatus

HEAD = 700  # characters of a body that count as its headline
_CLAUSE = re.compile(r"[.!?;:\n\t。！？•|]|, (?:and|und|et) ")
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


class StatusExtractor:
    """Reads what the mail says has happened."""

    name = "status"

    def matches(self, view: View) -> bool:
        return bool(view.tables)

    def extract(self, view: View) -> list[Reading]:
        return [r for body in (view.subject, *view.bodies) for r in _phrases(body, view.tables)]


def _phrases(body: Body, tables: tuple[LabelTable, ...]) -> Iterator[Reading]:
    pattern, meanings, conditions = _compiled(tables)
    text = body.folded[:20_000]
    for count, match in enumerate(pattern.finditer(text)):
        if count >= 200:
            return
        status, weight = meanings[(match.lastindex or 1) - 1]
        if _conditional(text, match.start(), conditions):
            continue
        place = 0.35 if body.source == "subject" else 0.2 if match.start() < HEAD else 0.0
        strength = weight * 0.2 + place - RANK[status] * 0.002 - min(match.start(), 20_000) * 2e-7
        yield Reading(
            field="status", value=status, extractor="status", source=body.source,
            text=evidence_text(body.line_at(match.start())), strength=round(strength, 5), offset=match.start(),
        )  # fmt: skip


def _conditional(text: str, start: int, conditions: re.Pattern[str] | None) -> bool:
    if conditions is None:
        return False
    before = text[max(0, start - 90) : start]
    clause = _CLAUSE.split(before)[-1]
    return bool(conditions.search(clause[-60:]))


@cache
def _compiled(
    tables: tuple[LabelTable, ...],
) -> tuple[re.Pattern[str], tuple[tuple[OrderStatus, int], ...], re.Pattern[str] | None]:
    parts, meanings, conditions = [], [], []
    for table in tables:
        for status, weight, pattern in table.statuses:
            edge = "" if table.language == "ja" else r"(?<![^\W_])"
            parts.append(f"({edge}(?:{fold(pattern)}))")
            meanings.append((status, weight))
        conditions += [fold(c) for c in table.conditions]
    joined = re.compile(rf"(?<![^\W_])(?:{'|'.join(conditions)})(?![^\W_])") if conditions else None
    return re.compile("|".join(parts) or r"(?!)"), tuple(meanings), joined
