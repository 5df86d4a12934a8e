"""Bills of contracts and appointments: mail with numbers and amounts that nobody ordered."""

from __future__ import annotations

import pytest

from orders_pipeline.models import Outcome, ParseResult
from orders_pipeline_tests.extract.mails import mail, parse

SHOP = "Lantern & Loom <hello@shop.example>"


def read(subject: str, text: str, sender: str = SHOP) -> ParseResult:
    return parse(mail(sender, subject, text))


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Ihre Rechnung", "Rechnungsnummer: 5512098\nZählernummer 77120\nRechnungsbetrag: 812,44 EUR"),
        ("Ihre Rechnung für November", "Rechnungsnummer: 5512098\nRechnungsbetrag: 19,99 €"),
        ("Je factuur staat klaar", "Factuurnummer: 20261104\nTermijnbedrag: € 142,00\nTotaalbedrag: € 142,00"),
        ("Nowa faktura", "Faktura nr 551/2026 za prąd\nDo zapłaty: 214,33 zł\nDziękujemy"),
    ],
)
def test_a_bill_of_a_contract_is_no_order(subject: str, text: str) -> None:
    """Each month's bill would stand in the history as something ordered and never shipped."""
    result = read(subject, text)
    assert (result.outcome, result.reason) == (Outcome.NOT_ORDER, "contract_bill")


def test_an_order_outweighs_the_words_of_a_bill() -> None:
    """A meter that was ordered is an order, though its name is that of energy bills."""
    result = read("Ihre Bestellung 5512098", "Bestellnummer: 5512098\nZählerstand-Leser\nGesamtbetrag: 42,00 €")
    assert result.outcome is Outcome.PARSED


def test_an_appointment_is_no_order() -> None:
    """A table for two has a reservation number, and nothing will ever arrive."""
    result = read(
        "Reservation confirmed", "Your appointment is confirmed.\nReservation number: R5520981\nTuesday, 3 PM"
    )
    assert (result.outcome, result.reason) == (Outcome.NOT_ORDER, "appointment")


def test_what_a_library_lends_is_no_order() -> None:
    """A book that lies ready for a reader would have been waited for as a parcel."""
    sender = "Stadtbibliothek Lindental <noreply@library.example>"
    result = read("Ihre Bestellung liegt zur Abholung bereit", "Das Buch liegt zur Abholung bereit.", sender)
    assert (result.outcome, result.reason) == (Outcome.NOT_ORDER, "library_notice")


def test_what_people_write_in_a_forum_is_no_order() -> None:
    """Another person's order and tracking number stood in the history."""
    text = "Alex wrote: My order 5512098 has been shipped.\nTracking number 1Z999AA10123456784\nVisit topic to reply."
    result = read("[Garden Forum] Has anyone received their order?", text, "Forum <forum@garden.example>")
    assert (result.outcome, result.reason) == (Outcome.NOT_ORDER, "discussion_list")
