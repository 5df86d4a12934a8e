"""Orders as a person thinks of them, and the light parses they are made from.

Belongs here: these records. Not here: making them (merge.py).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from orders_pipeline.models import OrderStatus, ParsedOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderParse:
    """One order of one mail with the mail's arrival (aware); ``position`` is its place among the mail's orders."""

    message_id: str
    received_at: dt.datetime
    order: ParsedOrder
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipment:
    """One parcel of an order; ``tracking_number`` is None when only the shop's mail speaks of it, without a number."""

    tracking_number: str | None
    carrier: str | None
    status: OrderStatus | None
    expected_delivery: dt.date | None
    last_event_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LogicalOrder:
    """One order, merged from all mails about it. None means: no mail says.

    ``order_id`` (16 hex characters) stays the same while mails are added. ``ordered_at`` is the arrival of the first
    confirmation, ``status_at`` that of the mail which gave the status, ``delivered_at`` that of the mail which
    reported the last parcel. ``items`` counts the lines of the mail that lists the most. ``message_ids`` are in
    order of arrival.
    """

    order_id: str
    merchant: str | None
    order_number: str | None
    status: OrderStatus | None
    ordered_at: dt.datetime | None
    last_event_at: dt.datetime
    status_at: dt.datetime | None
    total: Decimal | None
    currency: str | None
    expected_delivery: dt.date | None
    delivered_at: dt.datetime | None
    shipments: tuple[Shipment, ...]
    items: int
    message_ids: tuple[str, ...]
