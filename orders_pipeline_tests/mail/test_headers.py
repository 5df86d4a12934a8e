"""Header values and addresses, sound and broken."""

from __future__ import annotations

import pytest

from orders_pipeline.mail.addresses import parse_addresses
from orders_pipeline.mail.headers import decode_header, parse_parameters


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b" Your order", "Your order"),
        (b"=?utf-8?q?Bestellung_best=C3=A4tigt?=", "Bestellung bestätigt"),
        (b"=?UTF-8?B?5rOo5paH?=\n =?UTF-8?B?55Wq5Y+3?= 77", "注文番号 77"),
        (b"=?UTF-8?B?5rOo5g==?= =?UTF-8?B?lofnlarlj7c=?=", "注文番号"),  # a character cut in two
        (b"=?utf-8?Q?Ready=3F_Yes?_indeed?=", "Ready? Yes? indeed"),
        (b"=?iso-8859-1*de?q?Gr=FC=DFe?=", "Grüße"),
        (b"Re:=?utf-8?q?_a?==?utf-8?q?b?=", "Re: ab"),
        (b"=?utf-8?b?QUJD?", "=?utf-8?b?QUJD?"),  # never ended
        (b"=?utf-8?b?QUJDR?=", "ABC"),  # cut short
        (b"=?no-such-charset?q?ok?=", "ok"),
        ("Größe".encode(), "Größe"),
        ("Größe".encode("cp1252"), "Größe"),
        (b"two\n  lines\n\tfolded", "two lines folded"),
        (b"=?utf-8?q?a=0D=0AX-Evil:_b?=", "a X-Evil: b"),
        (b"", ""),
    ],
)
def test_a_header_is_one_line_of_text(value: bytes, text: str) -> None:
    """The number is often only in the subject; a broken word must not hide it."""
    assert decode_header(value) == text


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ('"Lantern Mill" <o@lm.example>', [("Lantern Mill", "o@lm.example")]),
        ("o@lm.example (Lantern Mill)", [("Lantern Mill", "o@lm.example")]),
        ("o@lm.example", [("", "o@lm.example")]),
        ("Vale, Robin <r@h.example>", [("Vale", ""), ("Robin", "r@h.example")]),
        ("=?utf-8?q?Vale,_R=C3=B6?= <r@h.example>, b@h.example", [("Vale, Rö", "r@h.example"), ("", "b@h.example")]),
        ('"Vale, \\"Ro\\"" <r@h.example>', [('Vale, "Ro', "r@h.example")]),
        ("Team: a@h.example, b@h.example;", [("", "a@h.example"), ("", "b@h.example")]),
        ("undisclosed-recipients:;", []),
        ("Shop <<o@lm.example>>", [("Shop", "o@lm.example")]),
        ("Shop o@lm.example", [("Shop", "o@lm.example")]),
        ('"Shop <o@lm.example>', [("Shop", "o@lm.example")]),
        ("<mailto:o@lm.example>", [("", "o@lm.example")]),
        ("<@relay.example:o@lm.example>", [("", "o@lm.example")]),
        ("Shop", [("Shop", "")]),
        ("<>", []),
        (",,;", []),
    ],
)
def test_addresses_are_read_from_any_list(value: str, wanted: list[tuple[str, str]]) -> None:
    """The sender's domain chooses the rules for its mail."""
    assert [(a.name, a.address) for a in parse_addresses(value)] == wanted


def test_a_list_without_end_is_cut() -> None:
    """A thousand recipients are of no use to anyone here."""
    assert len(parse_addresses(",".join(f"a{i}@h.example" for i in range(5000)))) == 500


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ('multipart/mixed; boundary="a;b=c"', ("multipart/mixed", {"boundary": "a;b=c"})),
        ("text/html charset=utf-8", ("text/html", {"charset": "utf-8"})),
        ("Text/HTML;;  Charset = 'UTF-8' ;x", ("text/html", {"charset": "UTF-8"})),
        ('a/b; name="=?utf-8?q?=C3=BC.pdf?="', ("a/b", {"name": "ü.pdf"})),
        ("a/b; filename*=utf-8''R%C3%BC.pdf", ("a/b", {"filename": "Rü.pdf"})),
        ("a/b; filename*1=\"b.pdf\"; filename*0*=utf-8''%C3%BC", ("a/b", {"filename": "üb.pdf"})),
        ('a/b; boundary="open', ("a/b", {"boundary": "open"})),
        ("", ("", {})),
    ],
)
def test_parameters_are_read(value: str, wanted: tuple[str, dict[str, str]]) -> None:
    """A boundary or charset that is not understood spoils the whole body."""
    assert parse_parameters(value) == wanted
