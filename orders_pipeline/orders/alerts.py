"""Which orders need a person today.

Belongs here: the rules, with their limits from the configuration, and what silences them. Not here: telling anyone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable

from orders_pipeline.config import AlertSettings
from orders_pipeline.encoding import digest_of, money_text, printable_line
from orders_pipeline.models import OrderStatus
from orders_pipeline.orders.alert import Ack, Alert, AlertKind, Snooze
from orders_pipeline.orders.keys import merchant_key
from orders_pipeline.orders.logical import LogicalOrder

S = OrderStatus
_ENDED_EARLY = {
    S.CANCELLED: (AlertKind.CANCELLED, "was cancelled"),
    S.PARTIALLY_CANCELLED: (AlertKind.CANCELLED, "was cancelled in part"),
    S.REFUNDED: (AlertKind.REFUNDED, "was refunded"),
}
_EXPECTED = frozenset({None, S.CONFIRMED, S.SHIPPED, S.OUT_FOR_DELIVERY, S.DELAYED, S.PARTIALLY_CANCELLED, S.SPLIT})
_NOT_SENT = frozenset({S.CONFIRMED, S.DELAYED, S.PARTIALLY_CANCELLED})

Finding = tuple[AlertKind, dt.date, str]
Rule = Callable[[LogicalOrder, AlertSettings, dt.date, dt.tzinfo], Finding | None]


def alerts(
    orders: Iterable[LogicalOrder],
    settings: AlertSettings,
    today: dt.date,
    snoozes: Iterable[Snooze] = (),
    acks: Iterable[Ack] = (),
    *,
    zone: dt.tzinfo = dt.UTC,
) -> tuple[Alert, ...]:
    """At most one alert an order, the most recent first; none when there is nothing to say.

    ``today`` and all days are local days of ``zone``. Limits are inclusive. Of several snoozes or acks of an order
    the last given stands.
    """
    excluded = {merchant_key(name) for name in settings.exclude_merchants} - {""}
    snoozed = {(s.order_id, s.kind): s.until for s in snoozes}
    acked = {(a.order_id, a.kind): a.acked_at for a in acks}
    found = []
    for order in orders:
        if merchant_key(order.merchant) in excluded:
            continue
        due = next((one for rule in RULES if (one := rule(order, settings, today, zone))), None)
        if due and not _is_silenced(order, due[0], today, snoozed, acked):
            found.append(_alert(order, due))
    return tuple(sorted(found, key=lambda a: (-a.since.toordinal(), a.kind, a.order_id)))


def ended_early(order: LogicalOrder, settings: AlertSettings, today: dt.date, zone: dt.tzinfo) -> Finding | None:
    """Cancelled (also in part) or refunded, in the last ``cancelled_days`` days."""
    if order.status is None or order.status not in _ENDED_EARLY:
        return None
    kind, said = _ENDED_EARLY[order.status]
    since = (order.status_at or order.last_event_at).astimezone(zone).date()
    return (kind, since, f"{said} on {since}") if 0 <= (today - since).days <= settings.cancelled_days else None


def overdue(order: LogicalOrder, settings: AlertSettings, today: dt.date, zone: dt.tzinfo) -> Finding | None:
    """Not delivered ``overdue_after_days`` past the promised day; said for ``overdue_for_days`` days."""
    if order.status not in _EXPECTED or order.expected_delivery is None:
        return None
    late = (today - order.expected_delivery).days
    if not settings.overdue_after_days <= late <= settings.overdue_after_days + settings.overdue_for_days:
        return None
    since = today - dt.timedelta(days=late - settings.overdue_after_days)
    return AlertKind.OVERDUE, since, f"was promised for {order.expected_delivery} and has not arrived"


def never_shipped(order: LogicalOrder, settings: AlertSettings, today: dt.date, zone: dt.tzinfo) -> Finding | None:
    """Ordered ``unshipped_after_days`` to ``unshipped_until_days`` ago, and no parcel is on its way.

    A promised day that is still to come explains the silence.
    """
    if order.status not in _NOT_SENT or order.ordered_at is None or any(s.status for s in order.shipments):
        return None
    if order.expected_delivery and order.expected_delivery >= today:
        return None
    ordered = order.ordered_at.astimezone(zone).date()
    age = (today - ordered).days
    if not settings.unshipped_after_days <= age <= settings.unshipped_until_days:
        return None
    since = ordered + dt.timedelta(days=settings.unshipped_after_days)
    return AlertKind.NEVER_SHIPPED, since, f"was ordered on {ordered} and no mail says that it was sent"


RULES: tuple[Rule, ...] = (ended_early, overdue, never_shipped)


def _is_silenced(
    order: LogicalOrder,
    kind: AlertKind,
    today: dt.date,
    snoozed: dict[tuple[str, AlertKind | None], dt.date],
    acked: dict[tuple[str, AlertKind | None], dt.datetime],
) -> bool:
    keys = ((order.order_id, kind), (order.order_id, None))
    return any(key in snoozed and today < snoozed[key] for key in keys) or any(
        key in acked and order.last_event_at <= acked[key] for key in keys
    )


def _alert(order: LogicalOrder, due: Finding) -> Alert:
    kind, since, said = due
    number = f"order {order.order_number}" if order.order_number else "an order"
    amount = f" ({money_text(order.total, order.currency)})" if order.total is not None else ""
    detail = printable_line(f"{order.merchant or 'Unknown shop'}: {number}{amount} {said}", 240)
    return Alert(
        alert_id=digest_of([order.order_id, kind, since.isoformat()])[:16],
        order_id=order.order_id,
        kind=kind,
        since=since,
        detail=detail,
    )
