"""A redacted mail: what it is made of."""

from __future__ import annotations

import email as library
import time
from email import policy

import pytest

from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Address, Attachment, Email
from orders_pipeline.review.redact import Redactor
from orders_pipeline.review.redacted_mail import learn, redacted_mail

SALT = b"pepper"


def built(mail: Email, **settings: object) -> bytes:
    """The redacted mail, with nothing to redact but what its own text shows."""
    redactor = Redactor(SALT, keep_domains=frozenset({"blattkorn.example"}), **settings)  # type: ignore[arg-type]
    learn(mail, redactor)
    return redacted_mail(mail, redactor)


def test_text_and_html_come_back_as_they_were() -> None:
    """A part that is lost or joined otherwise is read otherwise."""
    mail = Email(
        message_id="a",
        subject="Bestellung übermittelt",
        sender=Address(name='Blatt "&" Korn, Buch', address="hello@blattkorn.example"),
        text="Guten Tag\n\nSumme: 31,00 €\n",
        html="<html><body><p>Summe: 31,00&nbsp;€</p></body></html>",
    )
    again = parse_email(built(mail))
    assert (again.subject, again.html) == (mail.subject, mail.html)
    assert again.text.strip() == mail.text.strip()
    assert again.sender.address == mail.sender.address
    assert again.sender.name == "Blatt & Korn, Buch"
    assert again.defects == ()


def test_other_mail_programs_read_it_too() -> None:
    """The exported mail is for other parsers than ours."""
    inner = Email(message_id="b", subject="inner", text="Total: 5.00 EUR\n", forwarded="attached")
    mail = Email(message_id="a", subject="Fwd: inner", text="see below\n", html="<p>see below</p>", inner=(inner,))
    message = library.message_from_bytes(built(mail), policy=policy.default)
    types = [part.get_content_type() for part in message.walk()]
    assert types == [
        "multipart/mixed", "multipart/alternative", "text/plain", "text/html", "message/rfc822", "text/plain",
    ]  # fmt: skip
    assert not message.defects


@pytest.mark.parametrize(
    "value", ["a\r\nBcc: x@y.example", "a\nSubject: other", "a\x00b\x1b[31m", "\ud800", "a" * 3000, "ä " * 3000]
)
def test_a_header_stays_one_header(value: str) -> None:
    """What a mail says of itself must not become a header of the file, nor reach a terminal as a command."""
    mail = Email(message_id="a", subject=value, sender=Address(name=value, address="hello@blattkorn.example"), text="x")
    raw = built(mail)
    again = parse_email(raw)
    assert [name for name, _ in again.headers].count("Subject") == 1
    assert not {"Bcc", "bcc"} & {name for name, _ in again.headers}
    assert all(byte >= 0x20 or byte in b"\n\t" for byte in raw)


def test_a_name_written_as_entities_goes_too() -> None:
    """A search for the name does not find "M&uuml;ller", and everyone who opens the mail does."""
    mail = Email(
        message_id="a",
        to=(Address(name="Jörg Müller", address="joerg@mueller.example"),),
        html='<p>F&uuml;r M&uuml;ller &#77;üller</p><script>{"n": "M\\u00fcller"}</script>'
        '<a href="?m=joerg%40mueller.example">',
    )
    raw = built(mail, names=frozenset({"Jörg", "Müller"})).decode()
    for sign in ("üller", "uuml;ller", "u00fcller", "mueller.example"):
        assert sign not in raw


def test_attachments_are_named_with_type_and_size() -> None:
    """That there was an invoice can matter to a parser; what is in it stays at home."""
    mail = Email(
        message_id="a", text="x", attachments=(Attachment(filename="bill.pdf", content_type="application/pdf", size=8),)
    )
    assert b"X-Attachment-Left-Out: bill.pdf (application/pdf, 8 bytes)" in built(mail)


def test_long_lines_are_encoded_and_short_ones_are_not() -> None:
    """A line over 998 bytes is no mail; a text that is encoded is one that nobody can check by reading."""
    assert b"8bit" in built(Email(message_id="a", text="kurz und gut: ä\n"))
    raw = built(Email(message_id="a", html=f"<p>{'ä' * 2000}</p>"))
    assert b"quoted-printable" in raw
    assert max(map(len, raw.split(b"\n"))) < 998
    assert parse_email(raw).html == f"<p>{'ä' * 2000}</p>"


@pytest.mark.parametrize("piece", ["&#", "&auml;", "\\u00", "%40", "[DEEPEVAL:", "<p>", "a\x00"])
def test_hostile_text_takes_no_time(piece: str) -> None:
    """Each of these must not cost a minute."""
    mail = Email(message_id="a", html=piece * (200_000 // len(piece)), text=piece * (200_000 // len(piece)))
    began = time.process_time()
    built(mail)
    assert time.process_time() - began < 5
