"""What makes two messages the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.mail.identity import canonical_digest, message_id_of, template_digest
from orders_pipeline.mail.mime import parse_email
from orders_pipeline_tests.mail.messages import ORDER, with_headers


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n"])
@pytest.mark.parametrize("tail", [b"", b"\n", b"\n\n", b"\r\n\r\n"])
def test_line_ends_and_the_last_blank_line_do_not_matter(end: bytes, tail: bytes) -> None:
    """The same mail as Maildir file, .eml and in an mbox is one message, not three."""
    assert message_id_of(ORDER.replace(b"\n", end) + tail) == message_id_of(ORDER)


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_other_bytes_are_another_message(one: bytes, two: bytes) -> None:
    """Two mails with one Message-ID and different bodies are two."""

    def lines(raw: bytes) -> bytes:
        return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n")

    assert (message_id_of(one) == message_id_of(two)) == (lines(one) == lines(two))


def test_the_canonical_digest_sees_content_alone() -> None:
    """A mail sent twice, by another route and encoding, proposes one case."""
    first = parse_email(
        with_headers("Größe: 5\nTotal:  7 €\n".encode(), Content_Type="text/plain; charset=utf-8", Date="1 May 2026")
    )
    second = parse_email(
        with_headers(b"Gr=F6=DFe: 5\nTotal: 7 =80\n", Content_Type="text/plain; charset=cp1252",
                     Content_Transfer_Encoding="quoted-printable", X_Id="9")
    )  # fmt: skip
    other = parse_email(with_headers("Größe: 5\nTotal: 8 €\n".encode()))
    assert canonical_digest(first) == canonical_digest(second) != canonical_digest(other)


def shop_mail(number: str, name: str, items: list[tuple[str, str]], total: str) -> bytes:
    rows = "".join(f"<tr><td>{item}</td><td>{price}</td></tr>" for item, price in items)
    html = (
        f"<h1>Thank you, {name}!</h1><p>Order number: {number}</p><table>{rows}"
        f"<tr><td>Subtotal</td><td>{total}</td></tr><tr><td>Total</td><td>{total}</td></tr></table>"
        f"<p>Delivery address: {name}</p><p>{number[-2:]} Mill Lane</p>"
    )
    return with_headers(html.encode(), Content_Type="text/html; charset=utf-8", To=f'"{name}" <a@h.example>',
                        Subject=f"{name}, your order {number} is confirmed")  # fmt: skip


def test_orders_from_one_form_letter_share_their_template() -> None:
    """Forty confirmations of one shop are one question to a person."""
    one = parse_email(shop_mail("LM-20418", "Robin", [("Mug", "$9.50"), ("Oil lamp", "$33.00")], "$42.50"))
    two = parse_email(shop_mail("LM-99", "Kim Vale", [("A much longer lamp, brass", "$1,209.00")], "$1,209.00"))
    assert template_digest(one) == template_digest(two)
    assert canonical_digest(one) != canonical_digest(two)


def test_another_kind_of_mail_has_another_template() -> None:
    """A shipping notice hidden behind the confirmations would never be looked at."""
    order = parse_email(shop_mail("LM-1", "Robin", [("Mug", "$9")], "$9"))
    shipped = parse_email(with_headers(b"Tracking number: 123\nCarrier: Post\n", Subject="Your order LM-1 has shipped"))
    assert template_digest(order) != template_digest(shipped)


def test_the_headers_of_an_export_make_no_other_message() -> None:
    """Labels change from one Takeout to the next, and IMAP does not send them: each export would double the mail."""
    export = b"X-GM-THRID: 17\r\nX-Gmail-Labels: Inbox,\r\n Orders\r\n" + ORDER
    assert message_id_of(export) == message_id_of(ORDER)
    assert message_id_of(b"X-Gmail-Labels: Sent\n" + ORDER) == message_id_of(ORDER)
    assert message_id_of(b"X-Google-Other: 1\n" + ORDER) != message_id_of(ORDER)
