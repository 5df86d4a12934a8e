"""Letters of many shops, carriers and languages, read whole."""

from __future__ import annotations

import pytest

from orders_pipeline.encoding import order_to_dict
from orders_pipeline.models import Outcome
from orders_pipeline_tests.extract.letters import Letter
from orders_pipeline_tests.extract.letters_carriers import CARRIER_LETTERS
from orders_pipeline_tests.extract.letters_receipts import RECEIPT_LETTERS
from orders_pipeline_tests.extract.letters_services import SERVICE_LETTERS
from orders_pipeline_tests.extract.letters_shops import SHOP_LETTERS
from orders_pipeline_tests.extract.mails import mail, parse
from orders_pipeline_tests.extract.not_order_letters import NOT_ORDERS
from orders_pipeline_tests.extract.other_letters import OTHER_LETTERS

NONE = (*NOT_ORDERS, *OTHER_LETTERS)
LETTERS = (*CARRIER_LETTERS, *SHOP_LETTERS, *SERVICE_LETTERS, *RECEIPT_LETTERS)


@pytest.mark.parametrize("letter", LETTERS, ids=[letter[0] for letter in LETTERS])
def test_a_letter_is_read_as_a_person_reads_it(letter: Letter) -> None:
    """A change for one sender or language silently breaks another."""
    _, sender, subject, day, lines, expected = letter
    result = parse(mail(sender, subject, lines, day=day))
    assert result.outcome is Outcome.PARSED, result
    orders = [order_to_dict(o) for o in result.orders]
    found = {**orders[0], "items": len(orders[0]["items"])}
    found["order_numbers"] = [o["order_number"] for o in orders]
    found["totals"] = [o["total"] for o in orders]
    assert {name: found[name] for name in expected} == expected
    assert len(orders) == len(expected.get("order_numbers", [1]))


@pytest.mark.parametrize("letter", NONE, ids=[letter[0] for letter in NONE])
def test_mail_that_only_speaks_of_orders_is_no_order(letter: tuple[str, str, str, str]) -> None:
    """Advertisements, bounces, codes and deceit fill the order history with orders that never were."""
    _, sender, subject, lines = letter
    result = parse(mail(sender, subject, lines))
    assert (result.outcome, result.orders) == (Outcome.NOT_ORDER, ())
    assert result.reason
    assert " " not in result.reason


def test_words_that_look_like_an_order_are_kept_for_the_judge() -> None:
    """A judge that never sees a missed order cannot doubt it."""
    result = parse(mail("Fjordwool <a@fjordwool.example>", "Your order", "Nothing to be read here about delivery."))
    assert result.outcome is Outcome.NOT_ORDER
    assert "order" in result.order_words


def test_mail_without_a_word_of_order_has_no_order_words() -> None:
    """Every mail in the queue would bury those that matter."""
    assert parse(mail("Ann <ann@people.example>", "Sunday", "Shall we go for a walk?")).order_words == ()
