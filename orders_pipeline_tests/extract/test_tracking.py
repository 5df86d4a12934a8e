"""Tracking numbers and carriers: what is one, and whose."""

from __future__ import annotations

import dataclasses

import pytest

from orders_pipeline.extract.carriers import CARRIERS, carrier_named, carrier_of_domain
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.tracking import TrackingExtractor
from orders_pipeline.extract.view import build_view
from orders_pipeline_tests.extract.mails import mail, only_order

SHOP = "Fjordwool <orders@fjordwool.example>"


def readings(lines: str, *, html: str = "", sender: str = SHOP) -> list[Reading]:
    return TrackingExtractor().extract(build_view(mail(sender, "Your parcel", lines, html=html), "UTC"))


def numbers(lines: str, *, html: str = "", sender: str = SHOP) -> set[str]:
    return {str(r.value) for r in readings(lines, html=html, sender=sender) if r.field == "tracking_number"}


@pytest.mark.parametrize(
    ("link", "number", "carrier"),
    [
        ("https://www.ups.com/track?loc=en_US&tracknum=1Z12345E0205271688&x=1", "1Z12345E0205271688", "UPS"),
        (
            "https://tools.usps.com/go/TrackConfirmAction?tLabels=9400111899223100001234",
            "9400111899223100001234",
            "USPS",
        ),
        ("https://www.fedex.com/fedextrack/?trknbr=771234567890&tracknumbers=771234567890", "771234567890", "FedEx"),
        ("https://www.dhl.de/de/privatkunden.html?piececode=00340434123456789012", "00340434123456789012", "DHL"),
        (
            "https://click.shop.example/r?u=https%3A%2F%2Fwww.ups.com%2Ftrack%3Ftracknum%3D1Z12345E0205271688",
            "1Z12345E0205271688",
            "UPS",
        ),
        ("http://k2k.sagawa-exp.co.jp/p/web/okurijosearch.do?okurijoNo=123456789012", "123456789012", "佐川急便"),
        ("https://jouw.postnl.nl/track-and-trace/3SABCD123456789-NL-1234AB", "3SABCD123456789", "PostNL"),
    ],
)
def test_a_link_to_a_carrier_gives_number_and_carrier(link: str, number: str, carrier: str) -> None:
    """Many mails show a button and print the number nowhere."""
    found = readings("Track your parcel", html=f'<a href="{link.replace("&", "&amp;")}">Track your parcel</a>')
    assert {str(r.value) for r in found if r.field == "tracking_number"} == {number}
    assert carrier in {r.value for r in found if r.field == "carrier"}


@pytest.mark.parametrize(
    "link",
    [
        "https://shop.example/unsubscribe?id=123456789012",
        "https://px.example/open.gif?code=1234567890123456",
        "https://shop.example/orders/123456789012345",
        "https://www.ups.com/content/us/en/index.jsx?date=20260511",
    ],
)
def test_digits_in_other_links_are_no_tracking_number(link: str) -> None:
    """The id of a pixel, of a customer or of a campaign becomes a parcel."""
    assert numbers("Track your parcel", html=f'<a href="{link}">x</a>') == set()


@pytest.mark.parametrize(
    "text",
    ["Order 123456789012", "Call 800-555-0142", "9400 1234", "2026051112345678", "Your parcel weighs 123456789012 g"],
)
def test_plain_digits_in_a_shops_text_are_no_tracking_number(text: str) -> None:
    """One random twelve-digit string in ten passes a check digit."""
    assert numbers(f"Your package is on its way.\n{text}") == set()


def test_a_shape_that_nothing_else_has_needs_no_label() -> None:
    """UPS mail that prints the number in the middle of a sentence loses it."""
    assert numbers("Your package 1Z12345E0205271688 is coming.") == {"1Z12345E0205271688"}


def test_a_number_in_groups_of_four_is_one_number() -> None:
    """Only the first four digits are kept."""
    order = only_order(
        mail(
            SHOP, "Order FW-1 shipped", "Your order FW-1042 has shipped.\nTracking number: 9400 1118 9922 3100 0012 34"
        )
    )
    assert order.tracking_numbers == ("9400111899223100001234",)


def test_the_order_number_is_not_its_own_tracking_number() -> None:
    """'Tracking number: see order 1Z...' files the order as a parcel."""
    order = only_order(
        mail(
            SHOP,
            "Order 771234567890 shipped",
            "Your order has shipped.\nOrder number: 771234567890\nTracking number: 771234567890",
        )
    )
    assert (order.order_number, order.tracking_numbers) == ("771234567890", ())


def test_a_list_of_carriers_names_none() -> None:
    """'We ship with DHL, UPS and FedEx' makes the parcel a DHL one."""
    assert [r for r in readings("We ship your parcel with DHL, UPS and FedEx.") if r.field == "carrier"] == []


def test_a_carrier_is_known_by_name_and_by_every_subdomain() -> None:
    """Carriers write from hosts of many names."""
    known = carrier_of_domain("notifications.dhl.de")
    assert known is not None
    assert known.name == "DHL"
    assert carrier_of_domain("dhl.de.evil.example") is None
    assert carrier_of_domain("") is None
    named = carrier_named("Versand mit Österreichische Post AG")
    assert named is not None
    assert named.name == "Österreichische Post"
    assert carrier_named("upsala") is None


def test_no_domain_belongs_to_two_carriers() -> None:
    """Which one wins would depend on the order of the table."""
    domains = [d for c in CARRIERS for d in c.domains]
    assert len(domains) == len(set(domains))


def test_the_shop_is_not_the_carrier() -> None:
    """Every parcel is bought at DHL."""
    email = mail(
        "DHL Paket <noreply@dhl.de>",
        "Ihr Paket ist unterwegs",
        "Ihre Sendung wurde verschickt.\nSendungsnummer: 00340434123456789012",
    )
    assert only_order(email).merchant is None
    assert (
        only_order(dataclasses.replace(email, subject="Ihr Paket von Kaffeekontor ist unterwegs")).merchant
        == "Kaffeekontor"
    )
