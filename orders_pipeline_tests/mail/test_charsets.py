"""Charsets: declared, missing, wrong."""

from __future__ import annotations

import pytest

from orders_pipeline.mail.charsets import codec_for, decode_text

GERMAN = "Bestellung über 12,50 € für Ägypten"


@pytest.mark.parametrize(
    ("data", "declared", "text", "defects"),
    [
        (GERMAN.encode(), "utf-8", GERMAN, ()),
        (GERMAN.encode(), "us-ascii", GERMAN, ("charset wrong",)),
        (GERMAN.encode(), "iso-8859-1", GERMAN, ("charset wrong",)),
        (GERMAN.encode(), None, GERMAN, ()),
        (GERMAN.encode(), "x-unknown", GERMAN, ("charset unknown",)),
        (GERMAN.encode("cp1252"), "iso-8859-1", GERMAN, ()),
        (GERMAN.encode("cp1252"), "utf-8", GERMAN, ("charset wrong",)),
        (GERMAN.encode("cp1252"), None, GERMAN, ("charset wrong",)),
        ("注文番号 77".encode("iso2022_jp"), None, "注文番号 77", ()),
        ("注文番号 77".encode("iso2022_jp"), "iso-2022-jp", "注文番号 77", ()),
        ("ご注文①".encode("cp932"), "shift_jis", "ご注文①", ()),
        ("주문 번호 77".encode("cp949"), "ks_c_5601-1987", "주문 번호 77", ()),
        ("订单号码".encode("gb18030"), "gb2312", "订单号码", ()),
        ("Bestellung 77".encode("utf-16"), "utf-8", "Bestellung 77", ()),
        ("Bestellung 77".encode("utf-16-le"), "utf-16", "Bestellung 77", ("charset wrong",)),
        ("Zamówienie łącznie".encode("iso8859-2"), "iso-8859-2", "Zamówienie łącznie", ()),
        (b"plain", "utf-16", "plain", ("charset wrong",)),
    ],
)
def test_text_is_found_whatever_was_declared(data: bytes, declared: str | None, text: str, defects: tuple) -> None:
    """A wrong charset turns '12,50 €' into something no money pattern knows."""
    assert decode_text(data, declared) == (text, defects)


def test_the_charset_of_the_subject_decides_for_a_body_that_names_none() -> None:
    """Old shop systems declare the charset in the subject's encoded words alone."""
    assert decode_text("Сумма заказа".encode("koi8-r"), None, hint="koi8-r") == ("Сумма заказа", ("charset missing",))


@pytest.mark.parametrize("text", ["Total: 12,50 €", "Größe – “schön”", "Café à emporter"])
def test_doubly_encoded_text_is_repaired(text: str) -> None:
    """'â‚¬' is no currency."""
    twice = "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in text.encode()).encode()
    assert decode_text(twice, "utf-8") == (text, ("charset mojibake",))


@pytest.mark.parametrize("text", ["Âge, Ã, é…”, “été”", "ÀÉÎ NÃO", "Zażółć gęślą jaźń", "naïve “Ä”"])
def test_sound_text_is_not_repaired(text: str) -> None:
    """A repair that fires on real words makes new damage."""
    assert decode_text(text.encode(), "utf-8") == (text, ())


@pytest.mark.parametrize(
    "name", ["", None, "punycode", "unicode_escape", "rot13", "base64", "no\0such", "x" * 999, "hex"]
)
def test_names_that_are_no_charset_are_refused(name: str | None) -> None:
    """Python's codecs hold transforms too; a sender must not choose 'unicode_escape'."""
    assert codec_for(name) is None
