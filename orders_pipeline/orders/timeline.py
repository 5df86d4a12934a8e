"""An order's events in time: where it is, and where each of its parcels is.

Belongs here: how one event changes the state. Not here: which events belong together (grouping.py), money and names
(facts.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from orders_pipeline.models import OrderStatus, ParsedOrder
from orders_pipeline.orders.grouping import tracking_pairs
from orders_pipeline.orders.logical import OrderParse, Shipment

S = OrderStatus
# A parcel goes forwards: a mail that says less than is known ("shipped" after "delivered") changes nothing.
_RANK: dict[OrderStatus | None, int] = {S.SHIPPED: 1, S.OUT_FOR_DELIVERY: 2, S.READY_FOR_PICKUP: 3, S.DELIVERED: 4}
# The end of an order; only a mail that it is on its way again, or a later end, changes that.
_SETTLED_RANK: dict[OrderStatus | None, int] = {S.RETURN_STARTED: 1, S.CANCELLED: 2, S.REFUNDED: 3}
_ON_ITS_WAY = frozenset({S.SHIPPED, S.OUT_FOR_DELIVERY})
# True of the order until a parcel moves.
_ASIDE = frozenset({S.DELAYED, S.PARTIALLY_CANCELLED, S.CANCEL_REQUESTED, S.MERGED, S.SPLIT, S.RENUMBERED})


@dataclass(slots=True)
class _Parcel:
    number: str | None
    carrier: str | None = None
    status: OrderStatus | None = None
    reached: int = 0
    expected: dt.date | None = None
    last_event_at: dt.datetime | None = None
    status_at: dt.datetime | None = None

    @property
    def delivered(self) -> bool:
        return self.status is S.DELIVERED

    def note(self, at: dt.datetime, order: ParsedOrder) -> None:
        self.carrier = order.carrier or self.carrier
        self.last_event_at = at

    def advance(self, at: dt.datetime, status: OrderStatus) -> None:
        rank = _RANK.get(status, self.reached)  # a delay keeps the way already made
        behind = rank < self.reached and self.status is not S.DELAYED
        if not behind and not (self.delivered and status is not S.DELIVERED):
            if status is not self.status:
                self.status_at = at
            self.status, self.reached = status, max(rank, self.reached)


class Timeline:
    """Takes the events of one order, oldest first, through ``apply``; then has the order's state.

    All parcels are known before the first event: "delivered" without a tracking number must not complete an order
    of two parcels.
    """

    def __init__(self, events: Sequence[OrderParse], parcels: set[str]) -> None:
        self._parcels: dict[str | None, _Parcel] = {}
        for event in events:
            for key, number in tracking_pairs(event):
                if key in parcels:
                    self._parcels.setdefault(key, _Parcel(number))
        self._confirmed_at: dt.datetime | None = None
        self._above: tuple[OrderStatus, dt.datetime] | None = None  # a status of the whole order
        self._stated: dt.date | None = None
        for event in events:
            self.apply(event)

    def apply(self, event: OrderParse) -> None:
        """Take in one event."""
        at, order, status = event.received_at, event.order, event.order.status
        keys = [key for key, _ in tracking_pairs(event)]
        named = [self._parcels[key] for key in keys if key in self._parcels]
        backwards = bool(keys) and not named  # it speaks of a parcel that is not sent to the buyer
        if status and status in _SETTLED_RANK:
            self._settle(at, status)
        if backwards:
            return
        if status in _RANK:
            named = named or self._next_parcel(_RANK[status])
        elif status is S.DELAYED:
            named = named or [p for p in self._parcels.values() if p.status and not p.delivered]
        for parcel in named:
            parcel.note(at, order)
        if status:
            self._take(at, status, named)
        if order.expected_delivery:
            self._promise(order.expected_delivery, named or list(self._parcels.values()))

    def _take(self, at: dt.datetime, status: OrderStatus, parcels: list[_Parcel]) -> None:
        """Let a status act on the parcels that it speaks of, or on the order."""
        if status in _RANK or (status is S.DELAYED and parcels):
            for parcel in parcels:
                parcel.advance(at, status)
            self._clear(status)
        elif status in _ASIDE:
            self._set_aside(at, status)
        elif status is S.CONFIRMED and self._confirmed_at is None:
            self._confirmed_at = at

    @property
    def state(self) -> tuple[OrderStatus | None, dt.datetime | None]:
        """The order's status and when it came to it. Delivered means: every parcel is."""
        if self._above:
            return self._above
        parcels = list(self._parcels.values())
        moving = [p for p in parcels if p.status and not p.delivered]
        if moving:
            latest = max(moving, key=lambda p: (p.last_event_at, p.reached, p.number or ""))
            return latest.status, latest.status_at
        if parcels and all(p.delivered for p in parcels):
            return S.DELIVERED, self.delivered_at
        if arrived := [p.status_at for p in parcels if p.delivered and p.status_at]:
            return S.SHIPPED, max(arrived)  # the rest is known by number alone
        return (S.CONFIRMED, self._confirmed_at) if self._confirmed_at else (None, None)

    @property
    def delivered_at(self) -> dt.datetime | None:
        """When the last parcel was reported delivered; None while one is not."""
        times = [p.status_at for p in self._parcels.values() if p.delivered]
        known = [t for t in times if t is not None]
        return max(known) if known and len(known) == len(self._parcels) else None

    @property
    def expected_delivery(self) -> dt.date | None:
        """The last promise for what is still to come, else the last promise at all."""
        open_promises = [p.expected for p in self._parcels.values() if p.expected and not p.delivered]
        return max(open_promises) if open_promises else self._stated

    @property
    def shipments(self) -> tuple[Shipment, ...]:
        """The parcels that a mail spoke of, in the order of their first mention."""
        return tuple(
            Shipment(
                tracking_number=p.number,
                carrier=p.carrier,
                status=p.status,
                expected_delivery=p.expected,
                last_event_at=p.last_event_at,
            )
            for p in self._parcels.values()
            if p.last_event_at
        )

    def _next_parcel(self, rank: int) -> list[_Parcel]:
        """The parcel meant by a mail without tracking number: the first that has not come so far, if any."""
        if not self._parcels:
            self._parcels[None] = _Parcel(None)
        return next(([p] for p in self._parcels.values() if p.reached < rank or p.status is S.DELAYED), [])

    def _clear(self, status: OrderStatus) -> None:
        """A parcel moved: what was said of the whole order no longer stands."""
        if self._above and (self._above[0] not in _SETTLED_RANK or status in _ON_ITS_WAY):
            self._above = None

    def _settle(self, at: dt.datetime, status: OrderStatus) -> None:
        if self._above is None or _SETTLED_RANK[status] > _SETTLED_RANK.get(self._above[0], 0):
            self._above = (status, at)

    def _set_aside(self, at: dt.datetime, status: OrderStatus) -> None:
        complete = bool(self._parcels) and all(p.delivered for p in self._parcels.values())
        if not complete and not (self._above and self._above[0] in _SETTLED_RANK):
            self._above = (status, at)

    def _promise(self, day: dt.date, parcels: list[_Parcel]) -> None:
        self._stated = day
        for parcel in parcels:
            if not parcel.delivered:
                parcel.expected = day
