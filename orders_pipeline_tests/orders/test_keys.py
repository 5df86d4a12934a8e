"""The keys by which readings of one order find each other."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.orders.keys import merchant_key, number_key, order_key


@pytest.mark.parametrize(
    "names",
    [
        ["Amazon.de", "amazon", "AMAZON EU S.à r.l.", "Amazon EU Sarl", "www.amazon.co.uk", "Amazon Deutschland"],
        ["Möwe & Söhne GmbH", "Moewe & Soehne", "möwe & söhne gmbh & co. kg", "MÖWE & SÖHNE"],
        ["The Tea Cart Ltd.", "Tea Cart", "tea-cart.example", "mail.tea-cart.example", "Tea Cart™"],
        ["株式会社あさひ", "あさひ", "あさひ(株)", "あさひ㈱", "（株）あさひ"],
        ["Lampa sp. z o.o.", "LAMPA"],
        [None, "", " . ", "\u202e"],
    ],
    ids=lambda names: str(names[1] or "nothing"),
)
def test_names_of_one_shop_have_one_key(names: list[str | None]) -> None:
    """Each spelling with a key of its own is one more half of an order."""
    assert len({merchant_key(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("Birch", "Larch"), ("Company", "Limited"), ("H&M", "HMV"), ("shop-a.example", "shop-b.example"), ("de", "fr")],
)
def test_different_shops_have_different_keys(one: str, other: str) -> None:
    """Cutting so much from a name that nothing is left joins everything."""
    assert merchant_key(one) != merchant_key(other)
    assert merchant_key(one)


def test_numbers_compare_by_letters_and_digits() -> None:
    """The subject writes "#" and the link leaves the hyphens out."""
    assert number_key("#302-1234567 ") == number_key("302 1234567") == number_key("３０２-1234567") == "3021234567"
    assert order_key("Birch", "--") is None
    assert order_key("Birch Ltd", "a-1") == order_key("birch", "A1") == "birch/A1"


@given(st.none() | st.text(max_size=300))
def test_any_text_has_keys(text: str | None) -> None:
    """Names come from mail."""
    merchant_key(text)
    number_key(text)


def test_domains_are_read_without_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's default downloads its suffix list on first use."""

    def refuse(*_: object) -> None:
        raise AssertionError("opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    merchant_key.cache_clear()
    assert merchant_key("never-seen-before.co.uk") == "neverseenbefore"
