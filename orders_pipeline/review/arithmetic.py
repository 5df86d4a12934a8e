"""Rules about sums: do the amounts of one order add up?

Belongs here: arithmetic over one parsed order. Not here: whether an amount was read at all (completeness.py), or read
twice (readings.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from orders_pipeline.models import ParsedOrder, Reason, Reviewable
from orders_pipeline.review.reasons import reason

TOLERANCE = Decimal("0.01")
# Where there are no smaller coins each line may be rounded, and where cash is rounded shops round their totals too.
COARSE = {
    **dict.fromkeys(("JPY", "KRW", "CLP", "VND", "ISK", "TWD", "HUF"), Decimal(1)),
    **dict.fromkeys(("CZK", "SEK", "NOK"), Decimal("0.5")),
    "CHF": Decimal("0.05"),
}
# Beyond this an amount is a misread number; sums of such values could also overflow the decimal context.
LARGEST = Decimal(10) ** 12


def amounts_add_up(item: Reviewable) -> Iterator[Reason]:
    """items + shipping + tax - discount = total, and items = subtotal, each within a cent or what a currency rounds to.

    Tax may be included in the prices or come on top; a subtotal may be stated before or after the discount.
    Nothing is said when there is nothing to compare, or when an amount is not usable.
    """
    for order in item.result.orders:
        if all(usable(value) for value in amounts(order)):
            yield from _check(order)


def amounts_are_possible(item: Reviewable) -> Iterator[Reason]:
    """Every amount is a finite number below a billion of thousands; quantities too."""
    for order in item.result.orders:
        if not all(usable(value) for value in amounts(order)):
            yield reason("impossible_amount", f"{_name(order)}: an amount is not a usable number")


def amounts(order: ParsedOrder) -> tuple[Decimal, ...]:
    """Every amount and quantity of an order that the mail states."""
    found = [order.total, order.subtotal, order.shipping, order.tax, order.discount]
    for line in order.items:
        found += [line.price, line.quantity]
    return tuple(value for value in found if value is not None)


def usable(value: Decimal) -> bool:
    """Finite and small enough to calculate with."""
    return value.is_finite() and abs(value) < LARGEST


def items_sum(order: ParsedOrder) -> Decimal | None:
    """The sum of price times quantity (one when not stated); None unless every item has a price."""
    if not order.items or any(line.price is None for line in order.items):
        return None
    lines = [(1 if line.quantity is None else line.quantity) * (line.price or Decimal(0)) for line in order.items]
    return sum(lines, Decimal(0))


def _check(order: ParsedOrder) -> Iterator[Reason]:
    items, zero = items_sum(order), Decimal(0)
    shipping, tax = order.shipping or zero, order.tax or zero
    discount = abs(order.discount or zero)
    tolerance = COARSE.get(order.currency or "", TOLERANCE)
    if items is not None and order.subtotal is not None:
        possible = {items, items - discount, items + tax, items + tax - discount, items - tax, items - tax - discount}
        if not _matches(order.subtotal, possible, tolerance):
            yield reason(
                "subtotal_does_not_add_up",
                f"{_name(order)}: items come to {items:f}, the subtotal says {order.subtotal:f}",
            )
    if order.total is None:
        return
    if order.subtotal is not None:
        base, possible = order.subtotal, {order.subtotal - discount, order.subtotal}
    elif items is not None:
        base, possible = items, {items - discount}
    else:
        return
    with_shipping = {value + shipping for value in possible}
    if not _matches(order.total, with_shipping | {value + tax for value in with_shipping}, tolerance):
        parts = (
            f"{base:f} + shipping {_said(order.shipping)} + tax {_said(order.tax)} - discount {_said(order.discount)}"
        )
        yield reason("total_does_not_add_up", f"{_name(order)}: {parts} is not the total {order.total:f}")


def _matches(value: Decimal, possible: set[Decimal], tolerance: Decimal) -> bool:
    return any(abs(value - other) <= tolerance for other in possible)


def _said(value: Decimal | None) -> str:
    return "(not stated)" if value is None else f"{abs(value):f}"


def _name(order: ParsedOrder) -> str:
    return f"order {order.order_number}" if order.order_number else "an order without number"
