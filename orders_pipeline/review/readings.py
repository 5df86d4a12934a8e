"""Rules about evidence: do independent readings of one field agree, and was a reading flagged as ambiguous?

Belongs here: comparing the evidence of one order. Not here: choosing between readings (the parser does).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from orders_pipeline.models import Evidence, OrderStatus, ParsedOrder, Reason, Reviewable
from orders_pipeline.review.reasons import reason

# Fields with one true value an order. Merchant and carrier are left out: a sender's display name, a brand and a
# company name are three right readings of one shop.
SINGLE = frozenset(
    {"status", "order_number", "total", "currency", "subtotal", "shipping", "tax", "discount", "expected_delivery"}
)
MONEY = frozenset({"total", "subtotal", "shipping", "tax", "discount"})
LONGEST = 500  # pieces of evidence looked at; a mail of thousands of lines must not make a day slow


def readings_agree(item: Reviewable) -> Iterator[Reason]:
    """No source of the mail (markup, html, text, subject ...) has only other values than the chosen one.

    A source that also has the chosen value agrees: a mail may rightly say "total" of one line and of all.
    """
    for order in item.result.orders:
        for name, group in _by_field(order).items():
            if name in SINGLE:
                yield from _compare(name, group)


def money_is_unambiguous(item: Reviewable) -> Iterator[Reason]:
    """No amount is missing because it could be read in two ways ("1,234"): the parser keeps it as evidence only."""
    for order in item.result.orders:
        for name, group in _by_field(order).items():
            if name in MONEY and not any(one.value for one in group):
                yield reason("ambiguous_money", f'{name}: "{group[0].text}" can be read in two ways')


def _by_field(order: ParsedOrder) -> dict[str, list[Evidence]]:
    groups: dict[str, list[Evidence]] = defaultdict(list)
    for one in order.evidence[:LONGEST]:
        groups[one.field].append(one)
    return groups


def _compare(name: str, group: list[Evidence]) -> Iterator[Reason]:
    chosen = [one for one in group if one.chosen]
    if not chosen:
        return
    values = {_normal(name, one.value) for one in chosen}
    agreeing = {one.source for one in group if _normal(name, one.value) in values}
    others: dict[str, Evidence] = {}  # one a value, whatever number of sources has it
    for one in group:
        if one.value and one.source not in agreeing and not _is_weak(one):
            others.setdefault(_normal(name, one.value), one)
    for other in others.values():
        first = chosen[0]
        yield reason(
            "readings_disagree",
            f'{name}: {first.source} says "{first.value[:60]}", {other.source} says "{other.value[:60]}"',
        )


def _is_weak(one: Evidence) -> bool:
    """The body of every later mail says somewhere that an order was placed; the subject says what is new. That it is a
    carrier who writes (header) is a guess for where nothing else is said."""
    if one.field != "status":
        return False
    return one.source == "header" or (one.value == OrderStatus.CONFIRMED and one.source != "subject")


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
