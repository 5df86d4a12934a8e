"""Choosing among readings, and giving them to orders."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.extract.extractor import Reading, Value
from orders_pipeline.extract.merge import MAX_ORDERS, merge_readings
from orders_pipeline.models import OrderStatus


def read(
    field: str,
    value: Value | None,
    strength: float = 0.9,
    *,
    source: str = "html",
    offset: int = -1,
    order: str | None = None,
) -> Reading:
    return Reading(
        field=field,
        value=value,
        extractor="labels",
        source=source,
        text=str(value),
        strength=strength,
        offset=offset,
        order=order,
    )


def test_the_stronger_reading_wins_and_the_other_is_kept() -> None:
    """What lost is gone, and nobody can doubt the choice."""
    (order,) = merge_readings([read("merchant", "Weak", 0.4), read("merchant", "Strong", 0.7)])
    assert order.merchant == "Strong"
    assert [(e.value, e.chosen) for e in order.evidence] == [("Strong", True), ("Weak", False)]


def test_of_equal_totals_the_larger_is_the_total() -> None:
    """The first line's amount is taken for the sum of all lines."""
    (order,) = merge_readings(
        [
            read("total", Decimal("5.00"), offset=1),
            read("total", Decimal("12.00"), offset=9),
            read("total", Decimal("0.00"), offset=20),
        ]
    )
    assert order.total == Decimal("12.00")


def test_a_total_of_nothing_is_kept_when_it_is_the_only_one() -> None:
    """A free order has no total."""
    (order,) = merge_readings([read("total", Decimal("0.00"))])
    assert order.total == 0


def test_each_of_several_orders_gets_what_stands_below_its_number() -> None:
    """Both orders get the first one's total."""
    first, second = merge_readings(
        [
            read("order_number", "A-1", 0.95, offset=0),
            read("total", Decimal(1), offset=10),
            read("tracking_number", "T1T1T1T1", offset=12),
            read("order_number", "B-2", 0.95, offset=20),
            read("total", Decimal(2), offset=30),
            read("tracking_number", "T2T2T2T2", offset=32),
            read("status", OrderStatus.SHIPPED, offset=5),
        ]
    )
    assert (first.order_number, first.total, first.tracking_numbers, first.status) == (
        "A-1",
        1,
        ("T1T1T1T1",),
        OrderStatus.SHIPPED,
    )
    assert (second.order_number, second.total, second.tracking_numbers, second.status) == (
        "B-2",
        2,
        ("T2T2T2T2",),
        OrderStatus.SHIPPED,
    )


def test_a_heading_that_lists_the_numbers_does_not_take_the_values() -> None:
    """The numbers stand together at the top, and the last of them gets everything."""
    numbers = [read("order_number", n, 0.95, offset=at) for n, at in (("A-1", 0), ("B-2", 5), ("A-1", 20), ("B-2", 40))]
    first, second = merge_readings(
        [*numbers, read("total", Decimal(1), offset=30), read("total", Decimal(2), offset=50)]
    )
    assert (first.total, second.total) == (1, 2)


def test_one_total_for_several_orders_counts_once() -> None:
    """The sum of the orders is twice what was paid."""
    first, second = merge_readings(
        [
            read("order_number", "A-1", 0.95, offset=0),
            read("order_number", "B-2", 0.95, offset=20),
            read("total", Decimal(9), offset=40),
        ]
    )
    assert (first.total, second.total) == (9, None)


def test_a_weaker_kind_of_number_makes_no_second_order() -> None:
    """An invoice number beside the order number doubles the order."""
    (order,) = merge_readings([read("order_number", "INV-9", 0.5), read("order_number", "A-1", 0.95)])
    assert order.order_number == "A-1"


def test_the_same_number_in_another_case_is_the_same_order() -> None:
    """'fw-1' in the link and 'FW-1' in the text are two orders."""
    assert len(merge_readings([read("order_number", "FW-1"), read("order_number", "fw-1")])) == 1


def test_what_is_delivered_is_expected_no_more() -> None:
    """A delivered order is overdue two days later."""
    import datetime as dt

    (order,) = merge_readings([read("status", OrderStatus.DELIVERED), read("expected_delivery", dt.date(2026, 5, 1))])
    assert order.expected_delivery is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["order_number", "tracking_number", "merchant", "carrier"]),
            st.text(max_size=60),
            st.floats(0, 1),
            st.integers(-1, 500),
        )
    )
)
def test_any_readings_make_at_least_one_bounded_order(values: list[tuple[str, str, float, int]]) -> None:
    """A mail with a thousand numbers makes a thousand orders."""
    orders = merge_readings([read(f, v, s, offset=o) for f, v, s, o in values])
    assert 1 <= len(orders) <= MAX_ORDERS
    assert all(len(o.order_number or "") <= 40 and len(o.merchant or "") <= 80 for o in orders)


def test_two_names_for_a_number_do_not_make_two_orders() -> None:
    """A booking that also names a ticket becomes two orders, each with the whole total."""

    def labelled(label: str, value: str) -> Reading:
        return replace(read("order_number", value, 0.76, offset=0), text=f"{label}: {value}")

    (order,) = merge_readings([labelled("Booking reference", "QX7KZP"), labelled("Ticket number", "057")])
    assert order.order_number == "QX7KZP"
    both = merge_readings([labelled("Order", "44811"), labelled("Order #", "44812")])
    assert [o.order_number for o in both] == ["44811", "44812"]


def test_of_equal_subtotals_the_larger_is_meant() -> None:
    """The subtotal of the first line stands for that of the order, and the sum does not add up."""
    (order,) = merge_readings([read("subtotal", Decimal(value)) for value in ("4960", "1820", "6780")])
    assert order.subtotal == Decimal("6780")


def test_of_several_parcels_the_last_day_is_the_promise() -> None:
    """The order is called overdue while its last parcel is still on time."""
    days = [dt.date(2026, 5, day) for day in (12, 14, 13)]
    (order,) = merge_readings([read("expected_delivery", day) for day in days])
    assert order.expected_delivery == dt.date(2026, 5, 14)
