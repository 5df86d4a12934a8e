"""Untrusted text and amounts in the form in which they reach people."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.encoding import money_text, printable_line


@given(st.text(), st.integers(2, 60))
def test_any_text_becomes_one_printable_line(text: str, limit: int) -> None:
    """A subject with escape sequences or direction marks must not rewrite a terminal."""
    line = printable_line(text, limit)
    assert line.isprintable()
    assert len(line) <= limit
    assert line == line.strip()


def test_a_cut_is_visible_and_plain_text_is_left_alone() -> None:
    """A number cut without a mark reads as another number."""
    assert printable_line("Ünïcode 注文 – 12", 40) == "Ünïcode 注文 – 12"
    assert printable_line("order 123456789", 10) == "order 123…"


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("12.5000", "EUR", "12.50 EUR"),
        ("12", "JPY", "12 JPY"),
        ("0.1234", "KWD", "0.1234 KWD"),
        ("-3.10", None, "-3.10"),
        ("1E+3", "USD", "1000 USD"),
    ],
)
def test_amounts_are_written_as_people_write_them(amount: str, currency: str | None, text: str) -> None:
    """The store gives four decimals back, and a Decimal prints itself with an exponent."""
    assert money_text(Decimal(amount), currency) == text
