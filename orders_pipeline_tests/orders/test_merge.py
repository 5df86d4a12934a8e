"""Which mails become one order, and what the order then says."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.models import Item, OrderStatus, ParsedOrder
from orders_pipeline.orders.logical import OrderParse
from orders_pipeline.orders.merge import merge_orders
from orders_pipeline_tests.orders.builders import NUMBER, SHOP, at, carrier, mail, money, one

S = OrderStatus


def test_all_mails_of_one_order_are_one_order_with_its_total_once() -> None:
    """Every mail repeats the total; a sum over mails counts an order three times."""
    order = one(
        mail(0, S.CONFIRMED, total=money("80.00"), currency="EUR"),
        mail(1, S.SHIPPED, "NW1", total=money("80.00"), currency="EUR"),
        mail(3, S.DELIVERED, "NW1", total=money("80.00"), currency="EUR"),
    )
    assert (order.merchant, order.order_number) == (SHOP, NUMBER)
    assert (order.total, order.currency) == (Decimal(80), "EUR")
    assert (order.status, order.ordered_at, order.last_event_at) == (S.DELIVERED, at(0), at(3))
    assert order.delivered_at == at(3)
    assert len(order.message_ids) == 3


def test_split_shipment_is_one_order_of_two_shipments() -> None:
    """An order taken for a package gives "expected -1, delivered 2"."""
    order = one(
        mail(0, S.CONFIRMED, total=money("80.00"), currency="EUR"),
        mail(1, S.SHIPPED, "NW1", total=money("30.00"), currency="EUR"),
        mail(2, S.SHIPPED, "NW2", total=money("50.00"), currency="EUR"),
        mail(3, S.DELIVERED, "NW1"),
        mail(4, S.DELIVERED, "NW2"),
    )
    assert [(s.tracking_number, s.status) for s in order.shipments] == [("NW1", S.DELIVERED), ("NW2", S.DELIVERED)]
    assert order.total == Decimal(80)
    assert (order.status, order.delivered_at) == (S.DELIVERED, at(4))


@pytest.mark.parametrize(
    "shop", ["copper kettle", "Copper Kettle GmbH", "COPPER KETTLE Ltd.", "copper-kettle.example", None]
)
@pytest.mark.parametrize("number", ["CK-500123", "#ck-500123", "CK 500123"])
def test_spellings_of_shop_and_number_are_one_order(shop: str | None, number: str) -> None:
    """The confirmation comes from the company, the shipping mail from the brand."""
    one(mail(0, S.CONFIRMED), mail(1, S.SHIPPED, merchant=shop, order_number=number))


def test_one_number_of_two_shops_is_two_orders() -> None:
    """Shops count from 1001: merging by number alone mixes strangers."""
    orders = merge_orders(
        [mail(0, S.CONFIRMED, order_number="1001"), mail(1, S.CONFIRMED, merchant="Birch", order_number="1001")]
    )
    assert len(orders) == 2
    assert len({order.order_id for order in orders}) == 2


def test_mail_that_names_no_shop_stays_alone_when_two_shops_have_its_number() -> None:
    """A guess would be wrong half of the time."""
    parses = [mail(0, S.CONFIRMED), mail(1, S.CONFIRMED, merchant="Birch"), mail(2, S.SHIPPED, merchant=None)]
    assert len(merge_orders(parses)) == 3


def test_one_long_number_of_a_shop_and_its_marketplace_is_one_order() -> None:
    """A marketplace signs as itself in one mail and as its department in the next."""
    one(mail(0, S.CONFIRMED), mail(1, S.SHIPPED, merchant="Copper Kettle Marketplace"))
    short = [mail(0, S.CONFIRMED, order_number="12"), mail(1, S.SHIPPED, merchant=f"{SHOP} Two", order_number="12")]
    assert len(merge_orders(short)) == 2


def test_carriers_mail_joins_the_order_that_has_its_tracking_number() -> None:
    """The carrier knows no order number; without the link every parcel is an order of its own."""
    order = one(
        mail(0, S.CONFIRMED),
        mail(1, S.SHIPPED, "NW 0044-17"),
        carrier(2, S.OUT_FOR_DELIVERY, "NW004417"),
        carrier(2.4, S.DELIVERED, "nw004417"),
    )
    assert (order.merchant, order.status, order.delivered_at) == (SHOP, S.DELIVERED, at(2.4))
    (shipment,) = order.shipments
    assert (shipment.tracking_number, shipment.carrier) == ("NW 0044-17", "Northway Parcel")
    assert len(order.message_ids) == 4


def test_carrier_that_quotes_the_order_number_is_the_same_order() -> None:
    """Some carriers print the shop's number: shop and carrier then look like two merchants."""
    one(mail(1, S.SHIPPED, "NW1"), mail(2, S.DELIVERED, "NW1", merchant="Northway Parcel"))


def test_two_orders_in_one_parcel_stay_two_orders_with_the_same_shipment() -> None:
    """Joining by tracking number alone would make one order with one of the two totals."""
    orders = merge_orders(
        [
            mail(0, S.SHIPPED, "NW1", total=money("10"), currency="EUR"),
            mail(0, S.SHIPPED, "NW1", order_number="CK-500124", total=money("20"), currency="EUR", message="other"),
            carrier(1, S.DELIVERED, "NW1"),
        ]
    )
    assert sorted(o.total or 0 for o in orders) == [10, 20]
    assert {o.status for o in orders} == {S.DELIVERED}


def test_parcel_known_only_beside_another_belongs_to_its_order() -> None:
    """A carrier's "2 parcels are coming" names the second one before the shop does."""
    order = one(mail(0, S.SHIPPED, "NW1"), carrier(1, S.SHIPPED, "NW1", "NW2"), carrier(2, S.DELIVERED, "NW1"))
    assert [s.tracking_number for s in order.shipments] == ["NW1", "NW2"]
    assert order.status is S.SHIPPED


def test_parcel_beside_parcels_of_two_orders_is_an_order_of_its_own() -> None:
    """A carrier's summary of the week must not glue orders together."""
    other = mail(0, S.SHIPPED, "NW2", order_number="CK-500124", message="other")
    orders = merge_orders([mail(0, S.SHIPPED, "NW1"), other, carrier(1, S.DELIVERED, "NW1", "NW2", "NW3")])
    assert sorted(tuple(s.tracking_number for s in o.shipments) for o in orders) == [("NW1",), ("NW2",), ("NW3",)]
    assert {o.status for o in orders} == {S.DELIVERED}


def test_parcels_without_any_order_are_orders_by_tracking_number() -> None:
    """A present from a friend has no order mail, yet it can be late."""
    orders = merge_orders([carrier(0, S.SHIPPED, "NW1"), carrier(1, S.DELIVERED, "NW1"), carrier(1, S.SHIPPED, "NW2")])
    assert sorted((o.status or "", len(o.message_ids)) for o in orders) == [(S.DELIVERED, 2), (S.SHIPPED, 1)]


def test_mail_without_any_key_is_an_order_of_its_own() -> None:
    """Two receipts of one café on one day are two purchases."""
    cup = {"order_number": None, "total": money("4.20"), "currency": "GBP"}
    assert len(merge_orders([mail(0, S.CONFIRMED, **cup), mail(0.1, S.CONFIRMED, **cup)])) == 2


def test_two_orders_in_one_mail_are_two_orders() -> None:
    """ "This contains items from 2 orders" has one message id and two numbers."""
    first = mail(0, S.SHIPPED, "NW1", message="both")
    second = OrderParse(
        message_id="both",
        received_at=at(0),
        position=1,
        order=ParsedOrder(merchant=SHOP, order_number="CK-500124", status=S.SHIPPED),
    )
    orders = merge_orders([first, second])
    assert [o.message_ids for o in orders] == [("both",), ("both",)]


def test_a_parse_given_twice_counts_once() -> None:
    """A re-read day must not deliver a second parcel."""
    parses = [mail(0, S.SHIPPED, "NW1"), mail(0, S.SHIPPED, "NW2"), mail(1, S.DELIVERED)]
    assert merge_orders(parses + parses) == merge_orders(parses)


def test_the_last_confirmation_states_the_total_and_a_refund_does_not() -> None:
    """A changed order is confirmed again; a refund states what is paid back."""
    order = one(
        mail(0, S.CONFIRMED, total=money("80"), currency="EUR"),
        mail(1, S.CONFIRMED, total=money("65"), currency=None),
        mail(9, S.REFUNDED, total=money("15"), currency="EUR"),
    )
    assert (order.total, order.currency) == (Decimal(65), "EUR")
    assert one(mail(9, S.REFUNDED, total=money("15"), currency="EUR")).total == Decimal(15)


def test_without_a_confirmation_the_largest_total_stands() -> None:
    """A shipping mail may state the share of its parcel."""
    order = one(mail(1, S.SHIPPED, "NW1", total=money("50")), mail(2, S.SHIPPED, "NW2", total=money("30")))
    assert order.total == Decimal(50)


def test_items_are_those_of_the_fullest_mail() -> None:
    """Each parcel's mail lists its own part."""
    items = tuple(Item(name=n) for n in ("pot", "lid", "spoon"))
    assert one(mail(0, S.CONFIRMED, items=items), mail(1, S.SHIPPED, items=items[:1])).items == 3


def test_the_id_stays_while_mails_are_added() -> None:
    """Snoozes and acknowledgements name the order by it."""
    parses = [
        mail(0, S.CONFIRMED, "NW1"),
        mail(1, S.SHIPPED, "NW1", merchant="A Parcel"),
        carrier(2, S.DELIVERED, "NW1"),
    ]
    assert len({one(*parses[:n]).order_id for n in (1, 2, 3)}) == 1


def test_odd_values_do_not_stop_the_history() -> None:
    """One gift card without total took down a whole order history elsewhere."""
    parses = [
        mail(0, S.CONFIRMED),
        mail(0, None, "", "---", merchant="", order_number="###", message="odd"),
        mail(0, S.CONFIRMED, merchant="\u202e\x1b[2J", order_number="X" * 9000, total=Decimal("NaN"), message="odder"),
        mail(0, S.SHIPPED, "NW1", expected_delivery=dt.date.max, message="late"),
    ]
    assert len(merge_orders(parses)) == 3


STATUS = st.none() | st.sampled_from(OrderStatus)
PARSES = st.lists(
    st.builds(
        lambda n, position, day, shop, number, tracking, status, amount, promised: OrderParse(
            message_id=f"m{n}",
            received_at=at(day),
            position=position,
            order=ParsedOrder(
                merchant=shop,
                order_number=number,
                tracking_numbers=tuple(tracking),
                status=status,
                total=amount,
                currency="EUR" if amount else None,
                expected_delivery=promised,
            ),
        ),
        st.integers(0, 30),
        st.integers(0, 1),
        st.integers(0, 6),
        st.sampled_from([None, "Birch", "Birch Ltd", "Copper Kettle", "copper kettle two"]),
        st.sampled_from([None, None, "1001", "CK-500123", "ck500123"]),
        st.lists(st.sampled_from(["NW1", "nw-1", "NW2", "NW3"]), max_size=2),
        STATUS,
        st.none() | st.decimals(0, 99, places=2),
        st.none() | st.dates(dt.date(2026, 5, 1), dt.date(2026, 5, 9)),
    ),
    max_size=14,
)


@given(PARSES, st.randoms(use_true_random=False))
def test_any_order_of_the_input_gives_the_same_orders(parses: list[OrderParse], random) -> None:
    """A history that depends on the order of rows changes with every query plan, and nobody can find out why."""
    expected = merge_orders(parses)
    shuffled = list(parses)
    random.shuffle(shuffled)
    assert merge_orders(shuffled) == expected


@given(PARSES)
def test_every_mail_is_in_an_order_and_ids_are_unique(parses: list[OrderParse]) -> None:
    """A mail in no order is a purchase lost; two orders of one id overwrite each other."""
    orders = merge_orders(parses)
    assert {m for o in orders for m in o.message_ids} == {p.message_id for p in parses}
    assert len({o.order_id for o in orders}) == len(orders)
    assert all(o.status is not S.DELIVERED or all(s.status is S.DELIVERED for s in o.shipments) for o in orders)
