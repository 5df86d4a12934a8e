"""Values in tables, lists and headings: what stands beside a label and is no value, and what is."""

from __future__ import annotations

import pytest

from orders_pipeline.models import OrderStatus, ParseResult
from orders_pipeline_tests.extract.mails import mail, parse

SHOP = "Lantern & Loom <hello@shop.example>"


def read(subject: str, text: str, sender: str = SHOP) -> ParseResult:
    return parse(mail(sender, subject, text))


def test_a_heading_beside_a_heading_is_no_name() -> None:
    """In a table with a row of headings the shop was called "Reference" and the carrier "Tracking number"."""
    table = "Parcel number\tSender\tReference\n01405012345678\tThimble Lamps\tTL-88213"
    order = read("Your parcel is on its way", table, "DPD <news@dpd.de>").orders[0]
    assert (order.merchant, order.carrier, order.tracking_numbers) == ("Thimble Lamps", "DPD", ("01405012345678",))
    table = "Order number: 5512098\nShipped with\tTracking number\nGLS\t50012345678"
    order = read("Your order has shipped", table).orders[0]
    assert (order.carrier, order.tracking_numbers) == ("GLS", ("50012345678",))


def test_numbers_right_behind_a_carriers_name_are_read() -> None:
    """A list of parcels without the word "tracking" lost all of them."""
    text = "Order 5512098 has shipped.\nParcel 1 - DPD - 15501234567890\nParcel 2 - DPD - 15501234567891"
    order = read("Your order 5512098 has shipped", text).orders[0]
    assert (order.carrier, order.tracking_numbers) == ("DPD", ("15501234567890", "15501234567891"))


def test_a_shipments_own_number_tracks_nothing() -> None:
    """The shop's shipment number was looked for at the carrier."""
    text = "Your Shipment #000001923 for Order #000002871\nShipped By\tTracking Number\nFederal Express\t781298765432"
    order = read("Your order has shipped", text).orders[0]
    assert (order.order_number, order.carrier, order.tracking_numbers) == ("000002871", "FedEx", ("781298765432",))


def test_what_is_being_delivered_has_not_arrived() -> None:
    """ "Is being delivered" read as delivered ended the watch on a parcel that then never came."""
    order = read("Your order 5512098 is being delivered today", "It is on the van.").orders[0]
    assert order.status is OrderStatus.OUT_FOR_DELIVERY


def test_a_cancelled_item_leaves_the_order() -> None:
    """A subject that speaks of "your item" closed the whole order."""
    text = "An item from your order was canceled because it is out of stock.\nOrder #: 5512098"
    assert read("Your item was canceled", text).orders[0].status is OrderStatus.PARTIALLY_CANCELLED


@pytest.mark.parametrize("label", ["Total SEK", "Total (SEK)", "Total in SEK:"])
def test_the_currency_may_stand_with_the_label(label: str) -> None:
    """A till receipt names its currency once, in the heading, and its total was lost."""
    order = read("Your receipt 5512098", f"Receipt number: 5512098\n{label}\t149,00").orders[0]
    assert (str(order.total), order.currency) == ("149.00", "SEK")


def test_included_tax_in_a_label_leaves_the_amount_alone() -> None:
    """The label's "incl. btw €" reached into the amount behind it, and none was found."""
    order = read("Orderbevestiging 5512098", "Ordernummer: 5512098\nTotaal incl. btw € 45,40").orders[0]
    assert (str(order.total), order.currency) == ("45.40", "EUR")


def test_a_parcel_at_an_agents_has_not_arrived() -> None:
    """ "Delivered" in the subject hid that somebody has to fetch it before a day."""
    text = "Order number: 5512098\nYour parcel is ready for pickup at Corner Shop until Friday."
    assert read("Your order 5512098 has been delivered", text).orders[0].status is OrderStatus.READY_FOR_PICKUP


def test_a_reference_that_is_a_parcels_number_is_no_orders() -> None:
    """A carrier's "reference" made an order of its own, to which no later mail belonged."""
    text = "We delivered your item from Thimble Fabrics today.\nReference: AB998877665GB"
    order = read("Your parcel has been delivered", text, "Royal Mail <no-reply@royalmail.com>").orders[0]
    assert (order.merchant, order.order_number, order.tracking_numbers) == (
        "Thimble Fabrics",
        None,
        ("AB998877665GB",),
    )


def test_a_number_keeps_its_first_letter() -> None:
    """The small words skipped before a number swallowed the letter of "E-LKM-884512"."""
    assert (
        read("Orderbevestiging", "Bestelnummer: E-LKM-884512\nTotaal € 9,50").orders[0].order_number == "E-LKM-884512"
    )


def test_a_marketplaces_own_name_is_not_the_shops() -> None:
    """ "Your Etsy order" in the subject won over the shop that the text names."""
    text = "Your order from Thimble Fabrics is on its way.\nOrder number: 5512098"
    order = read("Your Etsy order is on its way", text, "Etsy <no-reply@account.etsy.com>").orders[0]
    assert order.merchant == "Thimble Fabrics"
