"""Amounts of money as different countries write them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.extract.money import NumberStyle, find_money, first_money, parse_number, says_free, style_of


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("1.234,56 EUR", "1234.56", "EUR"),
        ("$1,234.56", "1234.56", "USD"),
        ("CHF 1'234.50", "1234.50", "CHF"),
        ("1,980 JPY", "1980", "JPY"),
        ("27,80 €", "27.80", "EUR"),
        ("$212.82 CAD", "212.82", "CAD"),
        ("£4.85 GBP", "4.85", "GBP"),
        ("CAD 756.16", "756.16", "CAD"),
        ("1\u00a0234,50 zł", "1234.50", "PLN"),
        ("7,980円", "7980", "JPY"),
        ("「6,158」円", "6158", "JPY"),
        ("￥5,900", "5900", "JPY"),
        ("US$1,180.38", "1180.38", "USD"),
        ("-EUR 0,65", "-0.65", "EUR"),
        ("-$300.00", "-300.00", "USD"),
        ("R$ 1.234,00", "1234.00", "BRL"),
        ("10.- CHF", "10", "CHF"),
        ("₹1,25,000", None, None),
        ("EUR 12", "12", "EUR"),
        ("A$15.00", "15.00", "AUD"),
    ],
)
def test_an_amount_is_read_exactly_with_its_currency(text: str, amount: str | None, currency: str | None) -> None:
    """'27,80' becomes 2780 and '$212.82 CAD' becomes American."""
    money = first_money(text.replace("\u00a0", " ").replace("￥", "¥"))
    if amount is None:
        assert money is None or money.amount is None or money.amount < 1_000_000
    else:
        assert money is not None
        assert (money.amount, money.currency) == (Decimal(amount), currency)


def test_one_group_of_three_digits_without_context_is_ambiguous() -> None:
    """'1,234' guessed wrong is off by a factor of a thousand."""
    money = first_money("1,234", bare=True)
    assert money is not None
    assert money.amount is None
    assert money.text == "1,234"


@pytest.mark.parametrize(("mark", "amount"), [(".", "1234"), (None, None)])
def test_the_mails_own_decimal_mark_decides_an_ambiguous_number(mark: str | None, amount: str | None) -> None:
    """A mail that writes 12.50 means a thousand by 1,234."""
    expected = Decimal(amount) if amount else None
    assert parse_number("1,234", NumberStyle(mark=mark)) == expected


def test_the_style_of_a_mail_is_learnt_from_its_cents() -> None:
    """Guessing from the sender's country fails for shops that sell abroad."""
    assert style_of("12,50 € und 7,00 €").mark == ","
    assert style_of("$12.50 and $7.00").mark == "."
    assert style_of("no amounts").mark is None


@pytest.mark.parametrize(
    ("text", "domain", "currency"),
    [
        ("$5.00", "shop.example.ca", "CAD"),
        ("$5.00", "shop.example.com.au", "AUD"),
        ("$5.00", "example.com", "USD"),
        ("5 kr", "x.se", "SEK"),
        ("5 kr", "x.example", None),
    ],
)
def test_a_shared_sign_is_read_by_the_senders_country(text: str, domain: str, currency: str | None) -> None:
    """Canadian dollars are recorded as American ones."""
    money = first_money(text, NumberStyle(domain=domain))
    assert money is not None
    assert money.currency == currency


def test_words_beside_a_number_are_no_currency() -> None:
    """'12 rsvp' is not twelve rupees, '3 left' not three forints."""
    assert list(find_money("12 rsvp, 3 left, 5 tls")) == []


@pytest.mark.parametrize("text", ["Free", "Kostenlos", "Gratuit", "無料"])
def test_free_is_known_in_price_cells(text: str) -> None:
    """A 'Free' in the amount column lets the amount of the next line slip in."""
    assert says_free(text)


@given(st.text(max_size=200))
def test_any_text_is_searched_for_money_without_error(text: str) -> None:
    """One odd digit (a superscript, another script) ends the whole day."""
    for money in find_money(text, bare=True):
        assert money.amount is None or money.amount.is_finite()


def test_the_last_digits_of_a_card_are_no_amount() -> None:
    """'card ending 1881 GBP 36.20' becomes a total of 1881."""
    for text in ("card ending 1881 GBP 36.20", "Visa ••••1881 £36.20", "tarjeta terminada en 1881 36.20 GBP"):
        assert [m.amount for m in find_money(text)] == [Decimal("36.20")], text


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("Total $ 32.980\nTienda Sol, Santiago de Chile", "32980", "CLP"),
        ("Total $1,448.00 MXN", "1448.00", "MXN"),
        ("Total $ 52.400\nBogotá, Colombia", "52400", "COP"),
    ],
)
def test_a_spanish_text_says_whose_pesos_it_means(text: str, amount: str, currency: str) -> None:
    """Thirty thousand pesos become thirty dollars."""
    money = first_money(text, style_of(text, domain="tienda.example", language="es"))
    assert money is not None
    assert (money.amount, money.currency) == (Decimal(amount), currency)


def test_pesos_of_no_country_named_are_not_dollars() -> None:
    """Seven countries write their pesos as dollars are written."""
    money = first_money("Total $ 45.50", style_of("Total $ 45.50", domain="tienda.example", language="es"))
    assert money is None or money.currency is None
