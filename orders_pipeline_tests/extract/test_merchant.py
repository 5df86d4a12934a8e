"""The shop's name, from senders as they really write."""

from __future__ import annotations

import pytest

from orders_pipeline.extract.brands import borrowed_brand, brand_of
from orders_pipeline.extract.shop_names import clean_name
from orders_pipeline_tests.extract.mails import mail, only_order

CONFIRMED = "Thank you for your order!\nOrder number: FW-1042\nTotal: $83.80"


@pytest.mark.parametrize(
    ("name", "shop"),
    [
        ("Fjordwool", "Fjordwool"),
        ("Fjordwool Customer Service", "Fjordwool"),
        ("Fjordwool Orders", "Fjordwool"),
        ("Fjordwool via Shopmail", "Fjordwool"),
        ('"Fjordwool"', "Fjordwool"),
        ("Fjordwool Receipts", "Fjordwool"),
        ("Kleiderwelt Kundenservice", "Kleiderwelt"),
        ("Lens & Light", "Lens & Light"),
        ("no-reply", None),
        ("noreply@x.example", None),
        ("Order Confirmation", None),
        ("Info", None),
        ("12345", None),
        ("{{shop.name}}", None),
        ("", None),
        ("山桜堂様", "山桜堂"),
    ],
)
def test_a_display_name_is_cleaned_to_the_shop(name: str, shop: str | None) -> None:
    """'Fjordwool' and 'Fjordwool Orders' become two shops, and 'no-reply' a third."""
    assert clean_name(name) == shop


@pytest.mark.parametrize(
    ("sender", "merchant"),
    [
        ("orders@fjordwool.co.uk", "Fjordwool"),
        ("Fjordwool <store+12@t.shopifyemail.com>", "Fjordwool"),
        ("noreply <noreply@mail.fjordwool.com>", "Fjordwool"),
        ("someone@gmail.com", None),
    ],
)
def test_without_a_name_the_domain_tells_the_shop(sender: str, merchant: str | None) -> None:
    """The mailing service, or the host of a free mailbox, is taken for the shop."""
    email = mail(
        sender, "Order #FW-1042 confirmed", CONFIRMED + "\nYour order has shipped.\nTracking number: 1Z12345E0205271688"
    )
    assert only_order(email).merchant == merchant


@pytest.mark.parametrize(
    ("domain", "brand"),
    [
        ("mail.shop.co.uk", "shop"),
        ("shop.com", "shop"),
        ("a.b.shop.com.au", "shop"),
        ("shop.example", "shop"),
        ("localhost", "localhost"),
        ("", ""),
        ("[10.0.0.1]", "[10.0.0.1]"),
    ],
)
def test_the_registered_name_of_a_domain(domain: str, brand: str) -> None:
    """'co' is taken for the brand of every British shop."""
    assert brand_of(domain) == brand


@pytest.mark.parametrize(
    ("name", "domain", "borrowed"),
    [
        ("Amazon", "amazon.de", False),
        ("Amazon.co.uk", "amazon.co.uk", False),
        ("Amazon Customer Service", "alerts.example", True),
        ("DHL Express", "dhl.com", False),
        ("DHL Express", "parcel.example", True),
        ("Target Sports", "targetsports.example", False),
        ("Target", "gift.example", True),
        ("Fjordwool", "fjordwool.example", False),
    ],
)
def test_a_name_borrowed_from_a_brand_is_seen(name: str, domain: str, borrowed: bool) -> None:
    """Deceivers write 'Amazon' before any address."""
    assert bool(borrowed_brand(name, domain)) == borrowed
