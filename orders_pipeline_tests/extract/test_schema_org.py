"""schema.org markup in its three syntaxes."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.extract.schema_nodes import schema_nodes
from orders_pipeline.models import OrderStatus, Outcome
from orders_pipeline_tests.extract.mails import mail, only_order, parse

ORDER = """{"@context": "http://schema.org", "@type": "Order",
"merchant": {"@type": "Organization", "name": "Fjordwool"},
"orderNumber": "FW-77", "priceCurrency": "CAD", "price": "83.80", "orderStatus": "http://schema.org/OrderInTransit",
"acceptedOffer": {"@type": "Offer", "itemOffered": {"@type": "Product", "name": "Merino Scarf"}, "price": "58.00",
"eligibleQuantity": {"@type": "QuantitativeValue", "value": "2"}}}"""
PARCEL = """{"@context": "http://schema.org", "@type": "ParcelDelivery", "trackingNumber": "1Z12345E0205271688",
"carrier": {"@type": "Organization", "name": "UPS"},
"expectedArrivalUntil": "2026-05-14T12:00:00-07:00",
"partOfOrder": {"@type": "Order", "orderNumber": "FW-77",
"merchant": {"@type": "Organization", "name": "Fjordwool"}}}"""
MICRODATA = """<div itemscope itemtype="http://schema.org/Order">
<div itemprop="seller" itemscope itemtype="http://schema.org/Organization">
<b itemprop="name">Fjordwool</b></div><meta itemprop="orderNumber" content="FW-77"/><span itemprop="price">83.80</span>
<meta itemprop="priceCurrency" content="CAD"/><link itemprop="orderStatus" href="http://schema.org/OrderDelivered"/></div>"""


def script(*bodies: str) -> str:
    return "<p>Hello</p>" + "".join(f'<script type="application/ld+json">{b}</script>' for b in bodies)


@pytest.mark.parametrize(
    "wrap", ["{}", "[{}]", '{{"@context": "http://schema.org", "@graph": [{}]}}', "<!-- {} -->", "{}\n,"]
)
def test_an_order_is_read_from_json_ld_in_every_wrapping(wrap: str) -> None:
    """Arrays, graphs and comments around the node hide the order."""
    order = only_order(mail("Shop <a@shop.example>", "Your order", "", html=script(wrap.format(ORDER))))
    assert (order.merchant, order.order_number, order.status) == ("Fjordwool", "FW-77", OrderStatus.SHIPPED)
    assert (order.total, order.currency) == (Decimal("83.80"), "CAD")
    assert [(i.name, i.quantity, i.price) for i in order.items] == [("Merino Scarf", Decimal(2), Decimal("58.00"))]


def test_trailing_commas_and_raw_line_ends_are_forgiven() -> None:
    """One comma too many in the shop's template loses every order of the shop."""
    broken = ORDER.replace('"FW-77",', '"FW-77",\n').replace('"value": "2"}}}', '"value": "2"},},}')
    assert only_order(mail("a@shop.example", "Your order", "", html=script(broken))).order_number == "FW-77"


def test_a_broken_script_leaves_the_others_readable() -> None:
    """The first script is advertising and broken; the second is the order."""
    assert (
        only_order(mail("a@shop.example", "Your order", "", html=script('{"@type": ', ORDER))).order_number == "FW-77"
    )


def test_a_parcel_gives_tracking_carrier_day_and_the_order_it_is_part_of() -> None:
    """A shipment without its order number cannot be joined to the order."""
    order = only_order(mail("a@shop.example", "Your parcel", "", html=script(PARCEL)))
    assert order.tracking_numbers == ("1Z12345E0205271688",)
    assert (order.carrier, order.order_number, order.merchant) == ("UPS", "FW-77", "Fjordwool")
    assert order.expected_delivery == dt.date(2026, 5, 14)
    assert order.status is OrderStatus.SHIPPED


def test_microdata_and_rdfa_say_the_same() -> None:
    """One syntax is read and the other is not."""
    rdfa = MICRODATA.replace('itemscope itemtype="http://schema.org/', 'typeof="').replace("itemprop=", "property=")
    for html in (MICRODATA, f'<div vocab="https://schema.org/">{rdfa}</div>'):
        order = only_order(mail("a@shop.example", "Your order", "", html=html))
        assert (order.merchant, order.order_number, order.status) == ("Fjordwool", "FW-77", OrderStatus.DELIVERED)
        assert (order.total, order.currency) == (Decimal("83.80"), "CAD")


def test_two_orders_in_markup_are_two_orders() -> None:
    """The second overwrites the first."""
    result = parse(
        mail(
            "a@shop.example",
            "Your orders",
            "",
            html=script(f"[{ORDER}, {ORDER.replace('FW-77', 'FW-78').replace('83.80', '9.00')}]"),
        )
    )
    assert [(o.order_number, str(o.total)) for o in result.orders] == [("FW-77", "83.80"), ("FW-78", "9.00")]


def test_items_that_disagree_give_no_status() -> None:
    """One delivered item makes the whole order delivered."""
    item = (
        '{{"@type": "OrderItem", "orderedItem": {{"@type": "Product", "name": "{}"}}, "orderItemStatus": '
        '"https://schema.org/{}"}}'
    )
    node = (
        f'{{"@context": "https://schema.org", "@type": "Order", "seller": {{"name": "Fjordwool"}}, '
        f'"orderedItem": [{item.format("Hat", "OrderDelivered")}, {item.format("Cap", "OrderInTransit")}]}}'
    )
    result = parse(mail("a@shop.example", "News", "", html=script(node)))
    assert result.orders[0].status is None
    assert len(result.orders[0].items) == 2


def test_a_bill_that_is_due_is_no_order() -> None:
    """A credit-card bill becomes a purchase."""
    bill = (
        '{"@context": "https://schema.org", "@type": "Invoice", "paymentStatus": '
        '"https://schema.org/PaymentDue", "provider": {"name": "My Bank"}, "totalPaymentDue": {"price": '
        '"70.00", "priceCurrency": "USD"}}'
    )
    assert parse(mail("a@bank.example", "Statement", "", html=script(bill))).outcome is Outcome.NOT_ORDER


def test_placeholders_of_a_template_are_no_values() -> None:
    """'{{order.number}}' is kept as an order number."""
    result = parse(mail("a@shop.example", "Your order", "", html=script(ORDER.replace("FW-77", "{{order.number}}"))))
    assert all(o.order_number is None for o in result.orders)


@given(st.text(max_size=300))
def test_any_text_in_a_script_is_survived(text: str) -> None:
    """Markup comes from strangers."""
    schema_nodes(script(text))


def test_deep_nesting_is_survived() -> None:
    """A thousand brackets end in a RecursionError and lose the mail."""
    assert schema_nodes(script("[" * 50_000)) == []
    schema_nodes('<div itemscope itemtype="http://schema.org/Order">' * 3_000)
