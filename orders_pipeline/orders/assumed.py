"""When silence means that a parcel has arrived.

Belongs here: the rule behind ``assumed_delivered``. Not here: statuses that a mail states (timeline.py).
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable

from orders_pipeline.config import AlertSettings
from orders_pipeline.models import OrderStatus
from orders_pipeline.orders.logical import LogicalOrder

_UNDER_WAY = frozenset({OrderStatus.SHIPPED, OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELAYED})


def assume_delivered(
    orders: Iterable[LogicalOrder], settings: AlertSettings, now: dt.datetime
) -> tuple[LogicalOrder, ...]:
    """Shipped, the promised day ``assume_delivered_after_days`` past and as long without mail: ``assumed_delivered``.

    ``now`` is aware, in the zone whose days count. Orders without a promised day are left as they are.
    """
    return tuple(
        dataclasses.replace(order, status=OrderStatus.ASSUMED_DELIVERED, status_at=None)
        if _silent(order, settings.assume_delivered_after_days, now)
        else order
        for order in orders
    )


def _silent(order: LogicalOrder, days: int, now: dt.datetime) -> bool:
    if order.status not in _UNDER_WAY or order.expected_delivery is None or not order.shipments:
        return False
    last_heard = order.last_event_at.astimezone(now.tzinfo).date()
    return min((now.date() - order.expected_delivery).days, (now.date() - last_heard).days) >= days
