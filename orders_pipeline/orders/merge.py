"""Merging the parses of all mails into logical orders.

Belongs here: putting grouping, timeline and facts together. Not here: those parts, or what needs a person (alerts.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from orders_pipeline.encoding import canonical_json, digest_of, order_to_dict
from orders_pipeline.models import OrderStatus
from orders_pipeline.orders.facts import items_of, merchant_of, order_number_of, total_of
from orders_pipeline.orders.grouping import Group, group_parses, time_order
from orders_pipeline.orders.logical import LogicalOrder, OrderParse
from orders_pipeline.orders.timeline import Timeline

ORDER_ID_LENGTH = 16


def merge_orders(parses: Iterable[OrderParse]) -> tuple[LogicalOrder, ...]:
    """All parses of all mails as orders, the one with the latest event first. The order of the input does not matter.

    ``received_at`` must be aware. A parse given twice counts once.
    """
    orders = [_order(group) for group in group_parses(_unique(parses))]
    return tuple(sorted(orders, key=lambda o: (o.last_event_at, o.order_id), reverse=True))


def _unique(parses: Iterable[OrderParse]) -> list[OrderParse]:
    """One parse a message and position, in time order."""
    found: dict[tuple[str, int], OrderParse] = {}
    for parse in parses:
        known = found.setdefault((parse.message_id, parse.position), parse)
        if known is not parse and _text(parse) < _text(known):
            found[parse.message_id, parse.position] = parse
    return sorted(found.values(), key=time_order)


def _text(parse: OrderParse) -> tuple[str, str]:
    return parse.received_at.isoformat(), canonical_json(order_to_dict(parse.order))


def _order(group: Group) -> LogicalOrder:
    parses = group.parses
    timeline = Timeline(parses, group.parcels)
    total, currency = total_of(parses)
    status, status_at = timeline.state
    confirmations = (p.received_at for p in parses if p.order.status in (None, OrderStatus.CONFIRMED))
    return LogicalOrder(
        order_id=digest_of(group.key)[:ORDER_ID_LENGTH],
        merchant=merchant_of(parses),
        order_number=order_number_of(parses),
        status=status,
        ordered_at=next(confirmations, None),
        last_event_at=parses[-1].received_at,
        status_at=status_at,
        total=total,
        currency=currency,
        expected_delivery=timeline.expected_delivery,
        delivered_at=timeline.delivered_at,
        shipments=timeline.shipments,
        items=items_of(parses),
        message_ids=tuple(dict.fromkeys(p.message_id for p in parses)),
    )
