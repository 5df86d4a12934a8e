"""The truth of the sample against the merging of orders and the alerts, fed with perfect parses of its mails."""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections import Counter
from email.utils import parsedate_to_datetime

import pytest

from orders_pipeline.config import AlertSettings
from orders_pipeline.models import OrderStatus, ParsedOrder
from orders_pipeline.orders.alerts import alerts
from orders_pipeline.orders.logical import LogicalOrder, OrderParse
from orders_pipeline.orders.merge import merge_orders
from orders_pipeline.sample.lifecycle import Event
from orders_pipeline.sample.purchases import plan_purchases
from orders_pipeline_tests.sample.conftest import LAST_DAY, Sample

EVENTS: dict[tuple[str, str], tuple[Event, ...]] = {
    (purchase.shop.name, purchase.number): events
    for purchase, events in plan_purchases([LAST_DAY - dt.timedelta(days=back) for back in range(13, -1, -1)], 20, 7)
}


def perfect_parses(sample: Sample) -> list[OrderParse]:
    """What a parser without a fault would read in each order and parcel mail."""
    parses = []
    for mail in sample.summary.mails:
        if mail.order is None or mail.path.count("-copy"):
            continue
        event = next(
            e
            for e in EVENTS[mail.order]
            if e.status is mail.status
            and mail.tracking_number == (None if e.parcel is None else e.purchase.tracking[e.parcel])
        )
        confirms = mail.status is OrderStatus.CONFIRMED
        order = ParsedOrder(
            merchant=mail.order[0],
            order_number=mail.order[1] if mail.kind == "order" else None,
            tracking_numbers=(mail.tracking_number,) if mail.tracking_number else (),
            carrier=event.purchase.carrier.name if mail.tracking_number else None,
            status=mail.status,
            total=event.purchase.total if confirms else None,
            currency=event.purchase.shop.currency if confirms else None,
            expected_delivery=mail.expected_delivery,
        )
        received = parsedate_to_datetime(sample.message(mail)["Received"].rpartition(";")[2].strip())
        parses.append(OrderParse(message_id=mail.path, received_at=received, order=order))
    return parses


@pytest.fixture(scope="module")
def merged(sample: Sample) -> tuple[LogicalOrder, ...]:
    return merge_orders(perfect_parses(sample))


def test_perfect_parses_merge_into_exactly_the_true_orders(sample: Sample, merged: tuple[LogicalOrder, ...]) -> None:
    """The truth names orders, totals, parcels or states that no faultless pipeline could find."""
    found = {(o.merchant, o.order_number): o for o in merged}
    assert len(merged) == len(sample.summary.orders)
    for key, true in sample.summary.orders.items():
        order = found[key]
        assert (order.total, order.currency, order.status) == (true.total, true.currency, true.status)
        assert {s.tracking_number for s in order.shipments} == set(true.tracking_numbers)


def test_the_day_after_shows_each_kind_of_alert_once(merged: tuple[LogicalOrder, ...], sample: Sample) -> None:
    """A demo without alerts, or with alerts for orders that are fine."""
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    raised = alerts(merged, AlertSettings(), LAST_DAY + dt.timedelta(days=1), zone=zone)
    by_id = {o.order_id: (o.merchant or "", o.order_number or "") for o in merged}
    told = Counter(sample.summary.orders[by_id[alert.order_id]].scenario for alert in raised)
    # The silent parcel is assumed delivered by rule, with the clock, and until then overdue.
    assert {kind: n for kind, n in told.items() if kind != "silent"} == {
        "cancelled": 1,
        "refunded": 1,
        "overdue": 1,
        "never_shipped": 1,
    }
