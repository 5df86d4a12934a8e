"""Bytes to Email: what is kept of sound and of broken messages."""

from __future__ import annotations

import base64
import datetime as dt

from orders_pipeline.mail.mime import parse_email
from orders_pipeline_tests.mail.messages import ORDER, with_headers

UTC = dt.UTC


def multipart(*parts: bytes, boundary: str = "cut", declared: str | None = None, end: bool = True) -> bytes:
    body = b"".join(b"--" + boundary.encode() + b"\n" + part + b"\n" for part in parts)
    body += b"--" + boundary.encode() + b"--\n" if end else b""
    return with_headers(body, Content_Type=declared or f'multipart/mixed; boundary="{boundary}"')


def test_a_plain_order_keeps_every_header_field() -> None:
    """A field lost here is lost to every extractor."""
    email = parse_email(ORDER)
    assert email.subject == "Your order LM-20418"
    assert (email.sender.name, email.sender.address) == ("Lantern Mill", "orders@lanternmill.example")
    assert email.sender.domain == "lanternmill.example"
    assert email.to[0].address == "robin@home.example"
    assert email.sent_at == dt.datetime(2026, 5, 11, 6, 15, tzinfo=UTC)
    assert email.received_at == dt.datetime(2026, 5, 11, 6, 15, 30, tzinfo=UTC)
    assert email.message_id_header == "<20418.a@lanternmill.example>"
    assert "Total: 42.50 EUR" in email.text
    assert email.defects == ()


def test_what_the_mailbox_knows_goes_before_what_the_headers_say() -> None:
    """A forged Received header must not move a mail to another day."""
    arrival = dt.datetime(2026, 5, 12, tzinfo=UTC)
    email = parse_email(ORDER, message_id="ab" * 32, received_at=arrival)
    assert (email.message_id, email.received_at) == ("ab" * 32, arrival)


def test_a_soft_line_break_inside_a_tracking_number_is_joined() -> None:
    """Half a tracking number is none."""
    body = b"Tracking: 1Z 88 LM 04=\n18 77 and a link=3Dx, a sign= \nfolded\n"
    email = parse_email(with_headers(body, Content_Transfer_Encoding="quoted-printable"))
    assert email.text == "Tracking: 1Z 88 LM 0418 77 and a link=x, a signfolded\n"


def test_quoted_printable_that_nobody_declared_is_undone() -> None:
    """A gateway that drops the encoding header leaves '=3D' and '=\\n' in every link and number."""
    body = b"<html><body>Order LM-2=\n0418 <a href=3D'x'>track</a>=20 <p>your par=\ncel=20</p></body></html>"
    email = parse_email(with_headers(body, Content_Type="text/html"))
    assert "LM-20418" in email.html_text
    assert "transfer encoding missing" in email.defects


def test_equals_signs_of_plain_text_stay() -> None:
    """A ruler of equals signs and query strings are no quoted-printable."""
    body = b"=====\na=3D1 is how some write it\nhttps://x.example/?q=e8ccedb9\n=====\n"
    assert parse_email(with_headers(body)).text == body.decode()


def test_html_declared_as_text_is_rendered() -> None:
    """Tags in the text hide labels from their values."""
    body = b"<html><body><table><tr><td>Total</td><td>$5.00</td></tr></table></body></html>"
    email = parse_email(with_headers(body, Content_Type="text/plain"))
    assert (email.text, email.html_text) == ("", "Total\t$5.00")
    assert email.defects == ("html declared as text",)


def test_text_declared_as_html_keeps_its_lines() -> None:
    """Rendered as HTML the whole body would be one line."""
    email = parse_email(with_headers(b"Order: LM-1\nTotal: 5 < 6 EUR\n", Content_Type="text/html"))
    assert email.text == "Order: LM-1\nTotal: 5 < 6 EUR\n"
    assert email.html == ""


def test_html_that_is_markup_alone_stays_html() -> None:
    """A body that is one JSON-LD script is where schema.org orders stand."""
    email = parse_email(with_headers(b'<script type="application/ld+json">{}</script>', Content_Type="text/html"))
    assert email.html.startswith("<script")


def test_a_multipart_without_boundary_is_split_where_the_body_shows_one() -> None:
    """Otherwise part headers and base64 pass for text."""
    part = b"Content-Type: text/html\n\n<p>Order LM-7</p>\n"
    email = parse_email(multipart(part, declared="multipart/mixed"))
    assert (email.text, email.html_text) == ("", "Order LM-7")
    assert "boundary missing" in email.defects


def test_a_wrong_boundary_is_replaced_by_the_one_in_use() -> None:
    """Mail changed on its way keeps the old boundary in its header."""
    part = b"Content-Type: text/plain\n\nOrder LM-8\n"
    email = parse_email(multipart(part, part, declared="multipart/mixed; boundary=other"))
    assert email.text == "Order LM-8\n\n\nOrder LM-8\n"
    assert "boundary wrong" in email.defects


def test_a_multipart_of_which_nothing_can_be_told_is_kept_as_text() -> None:
    """No body is worse than an undecoded one."""
    email = parse_email(with_headers(b"Order LM-9 is on its way\n", Content_Type="multipart/mixed; boundary=x"))
    assert email.text == "Order LM-9 is on its way\n"


def test_a_multipart_declared_as_text_is_split() -> None:
    """Some exports overwrite the outer content type."""
    body = b"--cut1\nContent-Type: text/html; charset=utf-8\n\n<b>Order LM-10</b>\n--cut1--\n"
    email = parse_email(with_headers(body, Content_Type="text/plain"))
    assert email.html_text == "Order LM-10"


def test_a_multipart_without_end_keeps_its_last_part() -> None:
    """A mail cut in transfer still tells its order number."""
    email = parse_email(multipart(b"Content-Type: text/plain\n\nOrder LM-11", end=False))
    assert email.text.strip() == "Order LM-11"
    assert "multipart without end" in email.defects


def test_a_boundary_that_begins_like_another_does_not_end_the_part() -> None:
    """'cut' and 'cut-inner' in one mail are two boundaries."""
    inner = b"Content-Type: multipart/alternative; boundary=cut-inner\n\n--cut-inner\n\nfirst\n--cut-inner--\n"
    assert parse_email(multipart(inner, b"\nsecond")).text == "first\n\nsecond"


def test_a_whole_message_that_is_one_base64_block_is_read() -> None:
    """Some stores keep the message itself encoded; without headers it has neither sender nor date."""
    email = parse_email(base64.encodebytes(ORDER * 1))
    assert email.subject == "Your order LM-20418"
    assert "whole message base64" in email.defects


def test_a_body_that_is_base64_undeclared_is_decoded() -> None:
    """A mail whose encoding header was dropped is letters only."""
    body = base64.encodebytes("Bestellung LM-12, Gesamtbetrag 12,50 €. Vielen Dank für Ihren Einkauf!\n".encode() * 2)
    email = parse_email(with_headers(body))
    assert "12,50 €" in email.text


def test_a_message_in_a_base64_body_becomes_an_inner_message() -> None:
    """Mail forwarded by a script arrives as one encoded block."""
    email = parse_email(with_headers(base64.encodebytes(ORDER)))
    assert [inner.subject for inner in email.inner] == ["Your order LM-20418"]


def test_base64_with_a_footer_after_it_keeps_both() -> None:
    """List software appends plain text to encoded bodies."""
    body = (
        base64.encodebytes(b"Order LM-13 was shipped today. " * 4) + b"\nThis is what the list adds, in plain words.\n"
    )
    email = parse_email(with_headers(body, Content_Transfer_Encoding="base64"))
    assert "Order LM-13" in email.text
    assert "what the list adds" in email.text


def test_plain_text_declared_as_base64_stays_readable() -> None:
    """Decoding words as base64 gives noise."""
    email = parse_email(with_headers(b"Order LM-14 was shipped\n", Content_Transfer_Encoding="base64"))
    assert email.text == "Order LM-14 was shipped\n"


def test_invisible_characters_inside_a_number_are_gone() -> None:
    """U+202B before an order number and soft hyphens in it are real; a pattern does not see through them."""
    hidden = "Order:\u202b LM\u00ad-2\u200b0\u2060418\ufeff\U000e0041 total\u00a05"
    email = parse_email(with_headers(hidden.encode()))
    assert email.text == "Order: LM-20418 total 5"


def test_control_characters_reach_no_field() -> None:
    """A subject with an escape sequence must not drive the terminal that prints it."""
    raw = (
        b"From: =?utf-8?q?Shop=1B]0;x=07?= <a@b.example>\nSubject: a\x1b[31mred\x07\n\nbody\x1b[2J\xc2\x9b1m\x00 end\r"
    )
    email = parse_email(raw)
    seen = email.subject + email.sender.name + email.text + "".join(v for _, v in email.headers)
    assert not [c for c in seen if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0]
    assert email.text == "body[2J1m end\n"


def test_attachments_are_listed_with_their_decoded_size() -> None:
    """An invoice is a reason to look; its bytes are not."""
    data = base64.encodebytes(b"%PDF-1.7" + bytes(992))
    part = (
        b'Content-Type: application/pdf; name="=?utf-8?q?Rechnung_=C3=9C.pdf?="\nContent-Transfer-Encoding: base64\n\n'
    )
    email = parse_email(multipart(b"Content-Type: text/plain\n\nhi", part + data))
    assert [(a.filename, a.content_type, a.size) for a in email.attachments] == [
        ("Rechnung Ü.pdf", "application/pdf", 1000)
    ]


def test_an_attached_text_file_is_no_body() -> None:
    """Terms and conditions attached as text are full of totals."""
    part = b'Content-Type: text/plain\nContent-Disposition: attachment; filename="terms.txt"\n\nTotal: 99.00\n'
    email = parse_email(multipart(b"\nOrder LM-15", part))
    assert email.text == "Order LM-15"
    assert email.attachments[0].filename == "terms.txt"


def test_line_ends_of_any_kind_give_the_same_email() -> None:
    """CR CR LF and bare CR mails are found in old archives."""
    kinds = [ORDER.replace(b"\n", end) for end in (b"\r\n", b"\r\r\n", b"\r")]
    wanted = parse_email(ORDER, message_id="0")
    assert all(parse_email(raw, message_id="0") == wanted for raw in kinds)


def test_a_header_that_lost_its_indent_does_not_end_the_headers() -> None:
    """A wrapped subject would push From, Date and the content type into the body."""
    raw = b"Subject: Your order\nLM-20418 is confirmed\nFrom: a@b.example\nContent-Type: text/plain\n\nbody\n"
    email = parse_email(raw)
    assert (email.subject, email.text) == ("Your order LM-20418 is confirmed", "body\n")
    assert email.sender.address == "a@b.example"


def test_text_right_after_the_headers_is_body() -> None:
    """A missing blank line must not swallow the first line."""
    email = parse_email(b"From: a@b.example\nSubject: x\nOrder LM-16 was shipped.\n\nThanks\n")
    assert email.text == "Order LM-16 was shipped.\n\nThanks\n"


def test_a_message_in_utf_16_is_read() -> None:
    """Exports of some clients are UTF-16 files, with or without the mark."""
    text = ORDER.decode()
    assert parse_email(text.encode("utf-16")).subject == "Your order LM-20418"
    assert parse_email(text.encode("utf-16-be")).subject == "Your order LM-20418"


def test_a_date_that_cannot_be_meant_is_no_sent_at() -> None:
    """'Jun 100' filed a mail in the year 100; a date in the far future kept a list at its end."""
    for date in ("Wed, 14 Jun 100 10:00:00 +0000", "32 Jan 2026", "Fri, 1 Jan 2100 00:00:00 +0000", "soon"):
        email = parse_email(with_headers(b"x", Date=date))
        assert email.sent_at is None
        assert "date unusable" in email.defects


def test_a_first_part_that_follows_the_headers_at_once_is_kept() -> None:
    """Its headers were taken for those of the message, and the whole text part was lost."""
    text, html = b"Content-Type: text/plain\n\nTotal: 42.50 EUR", b"Content-Type: text/html\n\n<p>Hello</p>"
    parts = b"--cut\n" + text + b"\n--cut\n" + html + b"\n--cut--\n"
    for between in (b"", b"This is a multi-part message in MIME format.\n"):
        head = b'From: a@b.example\nContent-Type: multipart/alternative;\n boundary="cut"\n'
        email = parse_email(head + between + parts)
        assert (email.text, email.html_text) == ("Total: 42.50 EUR", "Hello")
        assert "headers run into the body" in email.defects
