"""Rules about evidence: do independent readings of one field agree, and was a reading flagged as ambiguous?

Belongs here: comparing the evidence of one order. Not here: choosing between readings (the parser does).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from orders_pipeline.models import Evidence, ParsedOrder, Reason, Reviewable
from orders_pipeline.review.reasons import reason

# Fields with one true value an order. Merchant and carrier are left out: a sender's display name, a brand and a
# company name are three right readings of one shop.
SINGLE = frozenset(
    {"order_number", "total", "currency", "subtotal", "shipping", "tax", "discount", "expected_delivery"}
)
MONEY = frozenset({"total", "subtotal", "shipping", "tax", "discount"})
AMBIGUOUS = "ambiguous"
LONGEST = 500  # pieces of evidence looked at; a mail of thousands of lines must not make a day slow


def readings_agree(item: Reviewable) -> Iterator[Reason]:
    """A reading that lost has another value than the chosen one and comes from another source."""
    for order in item.result.orders:
        for name, group in _by_field(order).items():
            if name in SINGLE:
                yield from _compare(name, group)


def money_is_unambiguous(item: Reviewable) -> Iterator[Reason]:
    """The parser says by its evidence that an amount could be read in two ways ("1,234")."""
    for order in item.result.orders:
        for one in order.evidence[:LONGEST]:
            if one.field in MONEY and AMBIGUOUS in (one.source, *one.extractor.replace(":", " ").split()):
                yield reason("ambiguous_money", f'{one.field}: "{one.text or one.value}" can be read in two ways')


def _by_field(order: ParsedOrder) -> dict[str, list[Evidence]]:
    groups: dict[str, list[Evidence]] = defaultdict(list)
    for one in order.evidence[:LONGEST]:
        groups[one.field].append(one)
    return groups


def _compare(name: str, group: list[Evidence]) -> Iterator[Reason]:
    chosen = [one for one in group if one.chosen]
    values = {_normal(name, one.value) for one in chosen}
    sources = {one.source for one in chosen}
    for other in group:
        if chosen and not other.chosen and other.source not in sources and _normal(name, other.value) not in values:
            first = chosen[0]
            yield reason(
                "readings_disagree",
                f'{name}: {first.source} says "{first.value[:60]}", {other.source} says "{other.value[:60]}"',
            )


def _normal(name: str, value: str) -> str:
    """Equal for two spellings of one value."""
    text = value.strip()[:200]
    if name in MONEY:
        try:
            number = Decimal(text)
        except InvalidOperation:
            return text.casefold()
        return str(abs(number).normalize()) if number.is_finite() else text.casefold()
    if name == "expected_delivery":
        try:
            return dt.date.fromisoformat(text[:10]).isoformat()
        except ValueError:
            return text.casefold()
    return "".join(c for c in text.casefold() if c.isalnum())
