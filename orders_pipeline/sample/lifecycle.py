"""What happens to each order, day by day.

Belongs here: purchases, their parcels, the events that mails will tell, and the status that is true at the end.
Pure: a random generator goes in, records come out. Not here: wording, times of day, MIME.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from orders_pipeline.models import OrderStatus
from orders_pipeline.sample.catalogue import Carrier, Shop


class Scenario(StrEnum):
    """The course that an order takes."""

    NORMAL = "normal"
    SPLIT = "split"
    SPLIT_OPEN = "split_open"
    CANCELLED = "cancelled"
    REFUNDED = "refunded"
    OVERDUE = "overdue"
    SILENT = "silent"
    DELAYED = "delayed"
    NEVER_SHIPPED = "never_shipped"
    PICKUP = "pickup"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One article; ``price`` is for one unit."""

    name: str
    quantity: int
    price: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """One order as the shop knows it; money is in the shop's currency.

    ``total`` is what its mails print: with ``misprint`` it is off by that amount, so that the lines do not add up.
    """

    shop: Shop
    number: str
    ordered: dt.date
    scenario: Scenario
    lines: tuple[Line, ...]
    subtotal: Decimal
    shipping: Decimal
    discount: Decimal
    tax: Decimal
    total: Decimal
    misprint: Decimal
    tracking: tuple[str, ...]

    @property
    def carrier(self) -> Carrier:
        return self.shop.carrier


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that a mail tells of a purchase. ``parcel`` indexes ``Purchase.tracking``; None: the whole order."""

    purchase: Purchase
    day: dt.date
    status: OrderStatus
    parcel: int | None = None
    promised: dt.date | None = None

    @property
    def from_carrier(self) -> bool:
        """Whether the carrier writes this mail; its mail does not name the shop's order number."""
        return self.purchase.carrier.writes and self.status in _CARRIER_TELLS


_CARRIER_TELLS = frozenset(
    {OrderStatus.OUT_FOR_DELIVERY, OrderStatus.READY_FOR_PICKUP, OrderStatus.DELAYED, OrderStatus.DELIVERED}
)


def events_of(purchase: Purchase, last_day: dt.date, rng: random.Random) -> tuple[Event, ...]:
    """All events of a purchase in order of time, also those after ``last_day``, which no mail tells yet."""

    def at(offset: int, status: OrderStatus, parcel: int | None = None, promised: int | None = None) -> Event:
        return Event(
            purchase=purchase,
            day=purchase.ordered + dt.timedelta(days=offset),
            status=status,
            parcel=parcel,
            promised=None if promised is None else purchase.ordered + dt.timedelta(days=promised),
        )

    s = OrderStatus
    confirmed, shipped = at(0, s.CONFIRMED, promised=5), at(1, s.SHIPPED, 0, promised=4)
    match purchase.scenario:
        case Scenario.SPLIT | Scenario.SPLIT_OPEN:
            both = (confirmed, shipped, at(2, s.SHIPPED, 1, promised=6), at(3, s.DELIVERED, 0))
            return both if purchase.scenario is Scenario.SPLIT_OPEN else (*both, at(4, s.DELIVERED, 1))
        case Scenario.CANCELLED:
            return confirmed, at(1, s.CANCELLED)
        case Scenario.REFUNDED:
            return confirmed, shipped, at(3, s.DELIVERED, 0), at(5, s.REFUNDED)
        case Scenario.OVERDUE:
            return confirmed, at(1, s.SHIPPED, 0, promised=5)
        case Scenario.SILENT:
            return at(0, s.CONFIRMED, promised=2), at(1, s.SHIPPED, 0, promised=2)
        case Scenario.DELAYED:
            later = (last_day - purchase.ordered).days + 2
            return confirmed, shipped, at(3, s.DELAYED, 0, promised=later)
        case Scenario.NEVER_SHIPPED:
            return (at(0, s.CONFIRMED),)
        case Scenario.PICKUP:
            return confirmed, shipped, at(3, s.READY_FOR_PICKUP, 0)
        case _:
            sent = rng.choice((1, 1, 2))
            there = sent + rng.choice((1, 1, 2))
            known = at(sent, s.SHIPPED, 0, promised=there + rng.choice((0, 1)))
            return confirmed, known, at(there, s.OUT_FOR_DELIVERY, 0), at(there, s.DELIVERED, 0)


def final_status(events: Sequence[Event]) -> OrderStatus:
    """The status after these events: delivered only when every parcel is; cancelled and refunded are final."""
    for event in reversed(events):
        if event.status in (OrderStatus.CANCELLED, OrderStatus.REFUNDED):
            return event.status
    parcels = {event.parcel: event for event in events if event.parcel is not None}
    moving = [event for event in parcels.values() if event.status is not OrderStatus.DELIVERED]
    if moving:
        return max(moving, key=lambda event: event.day).status
    return OrderStatus.DELIVERED if parcels else OrderStatus.CONFIRMED
