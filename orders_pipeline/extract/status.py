"""What has happened to an order: status phrases.

Belongs here: finding phrases of the tables and weighing them by place. Not here: the phrases.
The subject weighs most, then the first lines, then the rest. A phrase in a clause with "when", "if" or "will be"
before it tells of something that has not happened. A bare "Shipped" on a line of its own is a step in a progress bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.text import evidence_text, fold
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
    """Weak phrases are sought apart, for "your order" must not hide "your order has shipped"."""
    yield from _found(body, *_compiled(tables, weak=False))
    yield from _found(body, *_compiled(tables, weak=True))


def _found(
    body: Body,
    pattern: re.Pattern[str],
    meanings: tuple[tuple[OrderStatus, int], ...],
    conditions: re.Pattern[str] | None,
    whens: re.Pattern[str] | None,
) -> Iterator[Reading]:
    text = body.folded[:20_000]
    matches = list(islice(pattern.finditer(text), MAX_PHRASES))
    steps = _progress_steps(text, matches, meanings)
    for match in matches:
        status, weight = meanings[(match.lastindex or 1) - 1]
        if _conditional(text, match.start(), conditions) or (whens and whens.search(match.group())):
            continue
        if match.start() in steps:
            continue
        strength = weight * 0.2 + _place(body, match.start()) - RANK[status] * 0.002 - min(match.start(), 20_000) * 2e-7
        yield Reading(
            field="status", value=status, extractor="status", source=body.source,
            text=evidence_text(body.line_at(match.start())), strength=round(strength, 5), offset=match.start(),
        )  # fmt: skip


def _place(body: Body, offset: int) -> float:
    """What a place is worth: far down stand the terms, which speak of delays and refunds of any order."""
    if body.source == "subject":
        return 0.35
    return 0.2 if offset < HEAD else 0.05 if offset < TERMS else -0.3


def _progress_steps(
    text: str, matches: list[re.Match[str]], meanings: tuple[tuple[OrderStatus, int], ...]
) -> frozenset[int]:
    """The phrases that fill a line of their own, when several statuses do so: the steps of a progress bar."""
    alone = {m.start(): meanings[(m.lastindex or 1) - 1][0] for m in matches if _fills_line(text, m)}
    words = len(_STEP.findall(text[:TERMS]))
    return frozenset(alone) if len(set(alone.values())) > 1 or (alone and words >= 3) else frozenset()


def _fills_line(text: str, match: re.Match[str]) -> bool:
    start = max(text.rfind("\n", 0, match.start()), text.rfind("\t", 0, match.start())) + 1
    end = min((e for e in (text.find("\n", match.end()), text.find("\t", match.end())) if e >= 0), default=len(text))
    return len(text[start:end].strip(" .!•")) <= match.end() - match.start() + 2


def _conditional(text: str, start: int, conditions: re.Pattern[str] | None) -> bool:
    if conditions is None:
        return False
    before = text[max(0, start - 90) : start]
    clause = _CLAUSE.split(before)[-1]
    return bool(conditions.search(clause[-60:]))


@cache
def _compiled(
    tables: tuple[LabelTable, ...], *, weak: bool
) -> tuple[re.Pattern[str], tuple[tuple[OrderStatus, int], ...], re.Pattern[str] | None, re.Pattern[str] | None]:
    parts, meanings = [], []
    for table in tables:
        for status, weight, pattern in table.statuses:
            if (weight == 1) != weak:
                continue
            edge = "" if table.language == "ja" else r"(?<![^\W_])"
            parts.append(f"({edge}(?:{fold(pattern)}))")
            meanings.append((status, weight))
    whens = [w for t in tables for w in t.whens]
    conditions = [*whens, *(c for t in tables for c in t.conditions)]
    return re.compile("|".join(parts) or r"(?!)"), tuple(meanings), _words(conditions), _words(whens)


def _words(words: list[str]) -> re.Pattern[str] | None:
    joined = "|".join(fold(w) for w in words)
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])") if words else None
