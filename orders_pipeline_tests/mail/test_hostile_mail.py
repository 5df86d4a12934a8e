"""No bytes make reading raise or hang, and nothing unprintable comes out."""

from __future__ import annotations

import random
import re
import time
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from orders_pipeline.mail.identity import canonical_digest, message_id_of, template_digest
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Email
from orders_pipeline_tests.mail.messages import ORDER, with_headers

UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

PIECES = [
    b"\n",
    b"\r\n",
    b"\n\n",
    b"--b",
    b"--b--",
    b"--b\n",
    b"Content-Type: multipart/mixed; boundary=b\n",
    b"Content-Type: text/html; charset=utf-16\n",
    b"Content-Type: message/rfc822\n",
    b"Subject: =?utf-8?b?4pyT?=",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"From: a <b@c.example>",
    b"=?iso-2022-jp?b?GyRC?=",
    b"=E2=82=AC=\n",
    b"<table><tr><td>",
    b"</td></tr>",
    b"<s>",
    b"\x1b$B",
    b"\xff\xfe",
    b"\xc3",
    b"---------- Forwarded message ---------\nFrom: x\nDate: 1 May 2026\nSubject: y\n\n",
    b"From x Mon May 11 08:15:30 2026\n",
    b"Date: Wed, 14 Jun 100\n",
    b"Received: by x; soon\n",
    b"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2" * 2,
    b"text ",
    b"Total: $5.00\t",
    b": ",
    b";",
    b'"',
    b"<",
    b">",
    b"(",
    b"\\",
    b"\x00",
    b'charset="',
    b"name*0*=x''%",
]


def every_text(email: Email) -> str:
    parts = [email.subject, email.text, email.html, email.html_text, email.sender.name, email.sender.address]
    parts += [v for pair in email.headers for v in pair]
    parts += [a.name + a.address for a in (*email.to, *email.cc, *email.reply_to)]
    parts += [a.filename + a.content_type for a in email.attachments]
    parts += [*email.defects, email.message_id, email.message_id_header or ""]
    return "".join(parts) + "".join(every_text(inner) for inner in email.inner)


def check(raw: bytes) -> None:
    email = parse_email(raw)
    assert not UNPRINTABLE.search(every_text(email))
    assert email.sent_at is None or email.sent_at.utcoffset() is not None
    assert all(i.inner == () and i.forwarded in ("attached", "inline") for i in email.inner)
    assert len(canonical_digest(email)) == len(template_digest(email)) == len(message_id_of(raw)) == 64


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=2000))
def test_random_bytes_are_a_message(raw: bytes) -> None:
    """One mail that raises stops its whole day."""
    check(raw)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_pieces_of_mail_in_any_order_are_a_message(pieces: list[bytes]) -> None:
    """Random bytes hardly ever reach the code for boundaries, charsets and forwards."""
    check(b"".join(pieces))


def test_every_message_of_the_corpus_is_read(corpus: list[tuple[str, bytes]]) -> None:
    """Nineteen mail parsers collected these because each had failed on one."""
    for _, raw in corpus:
        check(raw)


def test_mutated_messages_of_the_corpus_are_read(corpus: list[tuple[str, bytes]]) -> None:
    """Damage in transfer meets real structures, not made-up ones."""
    chance = random.Random(20418)
    for _, raw in chance.sample([c for c in corpus if len(c[1]) < 50_000], 250):
        data = bytearray(raw)
        for _ in range(chance.randint(1, 12)):
            at = chance.randrange(len(data) + 1)
            kind = chance.random()
            if kind < 0.4:
                data[at : at + chance.randint(1, 40)] = b""
            elif kind < 0.8:
                data[at:at] = chance.choice(PIECES)
            else:
                data[at : at + 1] = bytes([chance.randrange(256)])
        check(bytes(data))


def test_sound_messages_have_the_parts_that_the_standard_library_finds(corpus: list[tuple[str, bytes]]) -> None:
    """An independent reading of structure and transfer encodings, wherever that parser sees no defect."""
    compared = 0
    for name, raw in corpus:
        ours = parse_email(raw)
        theirs = BytesParser(policy=policy.compat32).parsebytes(raw)
        parts = list(theirs.walk())
        bodies = [p for p in parts if p.get_content_type() in ("text/plain", "text/html")]
        decoded = [p.get_payload(decode=True) or b"" for p in bodies]  # this adds what the decoding finds to defects
        if ours.defects or ours.inner or not theirs.is_multipart() or any(p.defects for p in parts):
            continue
        if any(p.get_content_maintype() == "message" for p in parts) or any(p.get_filename() for p in bodies):
            continue  # attachment or body: that parser does not decide it
        if any(p.get_content_type() in ("text/enriched", "text/richtext") for p in parts):  # a body to us
            continue
        wanted = b"".join(b"".join(d.split()) for d in decoded if isinstance(d, bytes))
        if not wanted.isascii() or b"\x1b" in wanted:
            continue
        sent = "".join((ours.text + ours.html).split()).encode()
        assert sorted(sent) == sorted(wanted), name
        compared += 1
    assert compared > 80


@settings(max_examples=80, deadline=None)
@given(
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=200),
    st.sampled_from(["utf-8", "iso-2022-jp", "koi8-r", "cp1252", "big5"]),
    st.sampled_from(["base64", "quoted-printable"]),
)
def test_what_the_standard_library_writes_is_read_back(text: str, charset: str, encoding: str) -> None:
    """A round trip through an independent writer."""
    encoded = text.encode(charset, "ignore")
    text = encoded.decode(charset).strip()
    assume(charset == "utf-8" or encoded.isascii() or not is_utf8(encoded))  # then only chance tells them apart
    # Python's Big5 has kana where browsers, and we, have the signs of Hong Kong's set.
    assume(charset != "big5" or encoded.decode("big5hkscs", "replace") == encoded.decode("big5"))
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "Order"
    message.set_content(text, charset=charset, cte=encoding)
    plain = parse_email(message.as_bytes()).text
    wanted = parse_email(b"Content-Type: text/plain; charset=utf-8\n\n" + text.encode()).text
    assert plain.strip() == wanted.strip()


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


QUOTES = b'\\"' * 8_000
LONG_PART = b"--b\nContent-Type: text/plain%b\nContent-Disposition: x%b\n\nx\n" % ((b'; a="\\"' * 2_300,) * 2)
QUOTED_PART = b"--b\nContent-Type: message/rfc822\n\nFrom: %b\nTo: %b\nCc: %b\nReply-To: %b\n\nx\n" % ((QUOTES,) * 4)
FOLDED_PART = b"--b\nX: a\n" + b" \n" * 131_000 + b"\n\nx\n"
HTML_PART = b"--b\nContent-Type: message/rfc822\n\nSubject: x\nContent-Type: text/html\n\n" + b"<p>a</p>\n" * 200_000
ENDS = b"<table><tr><td>" * 100 + b"x" + b"</td></tr></table>" * 100


def repeated(part: bytes, megabytes: float) -> bytes:
    return part * (int(megabytes * 1_000_000) // len(part))


@pytest.mark.parametrize(
    "raw",
    [
        with_headers(b"x" * 1_000_000 + b" " + repeated(b"1Z ", 1)),
        with_headers(repeated(b"word ", 6), Content_Type="text/html"),
        with_headers(repeated(b"QUJD\n", 20), Content_Type="application/pdf", Content_Transfer_Encoding="base64"),
        with_headers(repeated(b"QUJD\n", 6), Content_Transfer_Encoding="base64"),
        with_headers(repeated(b"=C3=\n", 6), Content_Transfer_Encoding="quoted-printable"),
        b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(10_000)) + b"\nend",
        with_headers(b"--b\n\nx\n" * 10_000, Content_Type="multipart/mixed; boundary=b"),
        with_headers(b"\n--b" * 1_000_000, Content_Type="multipart/mixed; boundary=bb"),
        repeated(b"A: b\n", 4),
        repeated(b"garbage line\n", 4),
        b"Subject: " + repeated(b"=?utf-8?q?a", 3) + b"\n\n",
        b"To: " + repeated(b"<a@", 3) + b"\n\n",
        b"To: " + repeated(b'"a, (', 3) + b"\n\n",
        b"Content-Type: text/plain" + repeated(b"; a=", 3) + b"\n\n",
        b"Date: " + repeated(b"1 ", 3) + b"\n\n",
        with_headers(repeated(b"From: a\nSent: b\n", 4)),
        with_headers(repeated(b"-----Original Message-----\nFrom: a\n", 4)),
        with_headers(repeated(b">", 5) + repeated(b"> ", 5)),
        with_headers(repeated(b"a:", 5) + b"\n" + repeated(b"*", 5)),
        with_headers(repeated(b"=\n", 4) + repeated(b"= ", 4)),
        with_headers(repeated("Ã¤â‚".encode(), 5)),
        with_headers(repeated(b"\x1b$B!", 5)),
        with_headers(repeated(b"<p><b>a</b>", 4), Content_Type="text/html"),
        with_headers(LONG_PART * 499, Content_Type="multipart/mixed; boundary=b"),
        with_headers(QUOTED_PART * 16, Content_Type="multipart/mixed; boundary=b"),
        with_headers(FOLDED_PART * 100, Content_Type="multipart/mixed; boundary=b"),
        with_headers(FOLDED_PART.partition(b"\n")[2], Content_Type="text/plain"),
        with_headers(HTML_PART * 16, Content_Type="multipart/mixed; boundary=b"),
        with_headers(repeated(ENDS, 4), Content_Type="text/html"),
        with_headers(b"\xff" * 5_000_000),
        b"\r" * 6_000_000,
        b" " * 6_000_000,
        b"\n" * 6_000_000,
    ],
    ids=lambda raw: (
        raw[-200:].strip()[:24].decode("latin-1").encode("unicode_escape").decode() + f" {len(raw) // 1000} kB"
    ),
)
def test_large_and_twisted_messages_end_soon(raw: bytes) -> None:
    """Each is a known way to make a parser quadratic."""
    start = time.process_time()
    email = parse_email(raw)
    template_digest(email)
    canonical_digest(email)
    assert time.process_time() - start < 4  # 1.2 s at most here


def test_the_order_mail_itself_has_no_defects() -> None:
    """A check that always finds something says nothing."""
    assert parse_email(ORDER).defects == ()
