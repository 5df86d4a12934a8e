"""Short ways to write a mail about an order for the tests of this folder."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from orders_pipeline.models import OrderStatus, ParsedOrder
from orders_pipeline.orders.logical import LogicalOrder, OrderParse
from orders_pipeline.orders.merge import merge_orders

START = dt.datetime(2026, 5, 1, 8, tzinfo=dt.UTC)
SHOP = "Copper Kettle"
NUMBER = "CK-500123"


def at(day: float) -> dt.datetime:
    """An instant so many days after the first of May 2026."""
    return START + dt.timedelta(days=day)


def mail(
    day: float, status: OrderStatus | None, *tracking: str, message: str | None = None, **changes: Any
) -> OrderParse:
    """A shop's mail about the order."""
    values: dict[str, Any] = {"merchant": SHOP, "order_number": NUMBER, "status": status, "tracking_numbers": tracking}
    return OrderParse(
        message_id=message or f"m{day:08.3f}-{status}-{'-'.join(tracking)}",
        received_at=at(day),
        order=ParsedOrder(**{**values, **changes}),
    )


def carrier(day: float, status: OrderStatus | None, *tracking: str, **changes: Any) -> OrderParse:
    """A carrier's mail: it knows no order number."""
    values = {"merchant": "Northway Parcel", "order_number": None, "carrier": "Northway Parcel", **changes}
    return mail(day, status, *tracking, message=f"c{day:08.3f}-{status}-{'-'.join(tracking)}", **values)


def one(*parses: OrderParse) -> LogicalOrder:
    """The only order that the parses give."""
    (order,) = merge_orders(parses)
    return order


def money(text: str) -> Decimal:
    return Decimal(text)
