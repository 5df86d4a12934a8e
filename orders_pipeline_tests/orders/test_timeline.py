"""Where an order is, after its mails in the order of their arrival."""

from __future__ import annotations

import datetime as dt

import pytest

from orders_pipeline.models import OrderStatus
from orders_pipeline.orders.merge import merge_orders
from orders_pipeline_tests.orders.builders import at, carrier, mail, one

S = OrderStatus


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ([S.CONFIRMED], S.CONFIRMED),
        ([S.CONFIRMED, S.SHIPPED], S.SHIPPED),
        ([S.SHIPPED, S.CONFIRMED], S.SHIPPED),
        ([S.SHIPPED, S.OUT_FOR_DELIVERY, S.SHIPPED], S.OUT_FOR_DELIVERY),
        ([S.OUT_FOR_DELIVERY, S.READY_FOR_PICKUP], S.READY_FOR_PICKUP),
        ([S.SHIPPED, S.DELAYED], S.DELAYED),
        ([S.SHIPPED, S.DELAYED, S.OUT_FOR_DELIVERY], S.OUT_FOR_DELIVERY),
        ([S.OUT_FOR_DELIVERY, S.DELAYED, S.SHIPPED], S.SHIPPED),
        ([S.CONFIRMED, S.DELAYED, S.CONFIRMED], S.DELAYED),
        ([S.DELIVERED, S.DELAYED], S.DELIVERED),
        ([S.DELIVERED, S.OUT_FOR_DELIVERY, S.CONFIRMED], S.DELIVERED),
        ([S.CONFIRMED, S.CANCELLED], S.CANCELLED),
        ([S.CANCELLED, S.CONFIRMED], S.CANCELLED),
        ([S.CANCELLED, S.DELAYED], S.CANCELLED),
        ([S.CANCELLED, S.SHIPPED], S.SHIPPED),
        ([S.CANCELLED, S.SHIPPED, S.DELIVERED], S.DELIVERED),
        ([S.CANCELLED, S.REFUNDED], S.REFUNDED),
        ([S.REFUNDED, S.CANCELLED], S.REFUNDED),
        ([S.DELIVERED, S.RETURN_STARTED], S.RETURN_STARTED),
        ([S.DELIVERED, S.RETURN_STARTED, S.DELIVERED], S.RETURN_STARTED),
        ([S.DELIVERED, S.RETURN_STARTED, S.REFUNDED], S.REFUNDED),
        ([S.CONFIRMED, S.CANCEL_REQUESTED], S.CANCEL_REQUESTED),
        ([S.CONFIRMED, S.CANCEL_REQUESTED, S.SHIPPED], S.SHIPPED),
        ([S.CONFIRMED, S.PARTIALLY_CANCELLED, S.DELIVERED], S.DELIVERED),
        ([S.CONFIRMED, S.MERGED], S.MERGED),
        ([S.CONFIRMED, S.RENUMBERED, S.SHIPPED], S.SHIPPED),
        ([None, None], None),
        ([S.SHIPPED, None], S.SHIPPED),
    ],
)
@pytest.mark.parametrize("tracking", [(), ("NW1",)], ids=["untracked", "tracked"])
def test_status_follows_events_in_time(
    statuses: list[OrderStatus | None], expected: OrderStatus | None, tracking: tuple[str, ...]
) -> None:
    """An invoice after the parcel must not move the order back; a cancellation must not be undone by a newsletter."""
    whole = {S.CONFIRMED, S.CANCELLED, S.REFUNDED, S.RETURN_STARTED, S.CANCEL_REQUESTED, S.PARTIALLY_CANCELLED}
    parses = [
        mail(day, s, *(() if s in whole or s is None else tracking), message=f"m{day}")
        for day, s in enumerate(statuses)
    ]
    assert one(*parses).status is expected


def test_an_old_mail_that_comes_late_does_not_move_the_status_back() -> None:
    """A mailbox added later brings mail of the past; arrival in the mailbox counts, not arrival here."""
    assert one(mail(3, S.DELIVERED, "NW1"), mail(1, S.SHIPPED, "NW1"), mail(0, S.CONFIRMED)).status is S.DELIVERED


def test_order_is_delivered_only_when_all_its_parcels_are() -> None:
    """A lost second parcel hides behind the first one's delivery."""
    first = [mail(0, S.SHIPPED, "NW1"), mail(0, S.SHIPPED, "NW2"), carrier(2, S.DELIVERED, "NW1")]
    order = one(*first)
    assert (order.status, order.status_at, order.delivered_at) == (S.SHIPPED, at(0), None)
    assert one(*first, carrier(3, S.OUT_FOR_DELIVERY, "NW2")).status is S.OUT_FOR_DELIVERY
    assert one(*first, carrier(3, S.DELIVERED, "NW2")).delivered_at == at(3)


def test_a_parcel_sent_after_the_first_was_delivered_reopens_the_order() -> None:
    """The back-ordered part is sent when the rest has long arrived."""
    order = one(mail(0, S.SHIPPED, "NW1"), mail(2, S.DELIVERED, "NW1"), mail(9, S.SHIPPED, "NW2"))
    assert (order.status, order.delivered_at) == (S.SHIPPED, None)


def test_delivered_without_tracking_number_completes_one_parcel_at_a_time() -> None:
    """Shops that mail "delivered" without a number mail once a parcel."""
    parcels = [mail(0, S.SHIPPED, "NW1"), mail(1, S.SHIPPED, "NW2"), mail(3, S.DELIVERED)]
    order = one(*parcels)
    assert [s.status for s in order.shipments] == [S.DELIVERED, S.SHIPPED]
    assert order.status is S.SHIPPED
    assert one(*parcels, mail(4, S.DELIVERED)).status is S.DELIVERED


def test_the_shops_word_and_the_carriers_number_are_one_parcel() -> None:
    """ "It is on its way" without a number, then the carrier's mail with one: not two parcels, of which one is lost."""
    order = one(mail(0, S.SHIPPED), mail(0.2, None, "NW1"), carrier(2, S.DELIVERED, "NW1"))
    assert order.status is S.DELIVERED
    assert len(order.shipments) == 1


def test_a_parcel_on_its_way_back_is_no_shipment() -> None:
    """ "Delivered" of the return parcel would turn a return into a delivery."""
    order = one(
        mail(0, S.SHIPPED, "NW1"),
        mail(2, S.DELIVERED, "NW1"),
        mail(5, S.RETURN_STARTED, "BACK9"),
        carrier(6, S.SHIPPED, "BACK9"),
        carrier(8, S.DELIVERED, "BACK9"),
    )
    assert order.status is S.RETURN_STARTED
    assert [s.tracking_number for s in order.shipments] == ["NW1"]
    assert order.delivered_at == at(2)
    assert len(order.message_ids) == 5


def test_the_promise_follows_the_last_word_on_what_is_still_open() -> None:
    """A date of the parcel that has arrived would hide that the other one is overdue, or raise a false alarm."""
    may = [dt.date(2026, 5, day) for day in range(1, 31)]
    parses = [
        mail(0, S.CONFIRMED, expected_delivery=may[5]),
        mail(1, S.SHIPPED, "NW1", expected_delivery=may[6]),
        mail(1, S.SHIPPED, "NW2", expected_delivery=may[9]),
    ]
    assert one(*parses).expected_delivery == may[9]
    assert one(*parses, carrier(3, S.DELIVERED, "NW2")).expected_delivery == may[6]
    assert one(*parses, mail(4, S.DELAYED, expected_delivery=may[20])).expected_delivery == may[20]
    assert one(*parses, carrier(4, S.DELAYED, "NW1", expected_delivery=may[7])).expected_delivery == may[9]


def test_orders_come_latest_event_first() -> None:
    """Listings show the top."""
    orders = merge_orders(
        [mail(0, S.CONFIRMED), mail(5, S.CONFIRMED, order_number="2"), mail(3, S.CONFIRMED, order_number="3")]
    )
    assert [o.last_event_at for o in orders] == [at(5), at(3), at(0)]
