"""A decoded mail as a new message without what is personal, fit to be kept in a repository.

Belongs here: building the message: headers that a parser reads, text and HTML, attached messages; attachments are left
out and named. Bodies stand as they are read, not encoded, so that a person and a search see what is in the file. Not
here: what is personal (redact.py), and proving that the result is read as the original was (who has a parser does).
"""

from __future__ import annotations

import binascii
import datetime as dt
import hashlib
import html
import re
from collections.abc import Iterator, Sequence
from email.utils import format_datetime

from orders_pipeline.models import Address, Email
from orders_pipeline.review.redact import Redactor

# What tells a parser of bounces, lists, automatic answers and forged senders.
KEPT_HEADERS = (
    "Authentication-Results", "Auto-Submitted", "Precedence", "List-Id", "List-Post", "Mailing-List", "X-Mailing-List",
    "X-BeenThere", "X-Spam-Flag", "X-Failed-Recipients",
)  # fmt: skip
LEFT_OUT = "X-Attachment-Left-Out"
_MAX_LINE = 990  # bytes; SMTP allows 998
_MAX_ATTACHMENTS = 20
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\ud800-\udfff]")
# Marks that a test tool takes for its own instructions instead of text.
_TOOL_MARK = re.compile(r"\[(?=DEEPEVAL:)", re.IGNORECASE)
_MARKUP = frozenset("<>&\"'\\\xa0")


def learn(email: Email, redactor: Redactor) -> None:
    """Show the redactor everything that will be written, so that what it finds in one place goes from all."""
    for one in (email, *email.inner):
        for text in (*_header_values(one), one.subject, one.text, one.html_text, plain_html(one.html)):
            redactor.learn(text)


def redacted_mail(email: Email, redactor: Redactor) -> bytes:
    """The mail as a clean MIME message with LF line ends, UTF-8 throughout. The same mail and salt give the same bytes.

    Attached messages stay attached messages, inline forwards stay in the text. Call ``learn`` before.
    """
    attached = [_entity(one, redactor, ()) for one in email.inner if one.forwarded == "attached"]
    return _entity(email, redactor, attached)


def redacted_text(text: str, redactor: Redactor) -> str:
    """A value that was read from the mail as it is read from the redacted one."""
    return _clean(redactor.text(text))


def plain_html(markup: str) -> str:
    """HTML in which letters are letters: what is written as an entity or escape would not be found as a name."""
    text = _ENTITY.sub(_letter, markup)
    return _ESCAPE.sub(_escaped, text).replace("%40", "@")


def _letter(match: re.Match[str]) -> str:
    letter = html.unescape(match[0])
    return letter if letter.isprintable() and not _MARKUP & set(letter) else match[0]


def _escaped(match: re.Match[str]) -> str:
    letter = chr(int(match[1], 16))
    return letter if letter.isprintable() and letter not in _MARKUP else match[0]


def _entity(email: Email, redactor: Redactor, attached: Sequence[bytes]) -> bytes:
    bodies = [
        _part(f"text/{kind}; charset=utf-8", redactor.text(text))
        for kind, text in (("plain", email.text), ("html", plain_html(email.html)))
        if text.strip()
    ]
    if not bodies:
        bodies = [_part("text/plain; charset=utf-8", "")]
    content = bodies[0] if len(bodies) == 1 else _multipart("alternative", bodies)
    if attached:
        inner = [b"Content-Type: message/rfc822\nContent-Transfer-Encoding: 8bit\n\n" + one for one in attached]
        content = _multipart("mixed", [content, *inner])
    head = [f"{name}: {_line(redactor.text(value))}" for name, value in _headers(email)]
    return "".join(f"{_folded(line)}\n" for line in [*head, "MIME-Version: 1.0"]).encode() + content


def _headers(email: Email) -> Iterator[tuple[str, str]]:
    for name, addresses in (
        ("From", [email.sender]), ("Reply-To", email.reply_to), ("To", email.to), ("Cc", email.cc),
    ):  # fmt: skip
        if written := ", ".join(filter(None, map(_address, addresses))):
            yield name, written
    yield "Subject", email.subject
    if when := email.sent_at or email.received_at:
        yield "Date", _date(when)
    for name in KEPT_HEADERS:
        if value := email.header(name):
            yield name, value
    for one in email.attachments[:_MAX_ATTACHMENTS]:
        yield LEFT_OUT, f"{one.filename or '(no name)'} ({one.content_type}, {one.size} bytes)"


def _header_values(email: Email) -> Iterator[str]:
    yield from (value for _, value in _headers(email))


def _address(address: Address) -> str:
    name = _line(address.name).replace("\\", "").replace('"', "")
    where = f"<{_line(address.address)}>" if address.address else ""
    return f'"{name}" {where}'.strip() if name else where


def _date(when: dt.datetime) -> str:
    # Whole minutes of offset are all that the format has room for.
    offset = when.utcoffset() or dt.timedelta(0)
    return format_datetime(when if offset.total_seconds() % 60 == 0 else when.astimezone(dt.UTC))


def _line(text: str) -> str:
    return " ".join(_clean(text).split())


def _clean(text: str) -> str:
    return _TOOL_MARK.sub("[ ", _CONTROL.sub(" ", text))


def _folded(line: str) -> str:
    """A header line cut at spaces where it is too long for one; a word that is too long by itself stays whole."""
    lines, current = [], ""
    for word in line.split(" "):
        if current and len(f"{current} {word}".encode()) > _MAX_LINE:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    return "\n ".join([*lines, current])


def _part(content_type: str, text: str) -> bytes:
    body = _clean(text).encode()
    encoding = "8bit"
    if max(map(len, body.split(b"\n"))) > _MAX_LINE:
        encoding, body = "quoted-printable", binascii.b2a_qp(body, istext=True)
    return f"Content-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body


def _multipart(kind: str, parts: Sequence[bytes]) -> bytes:
    # From the content: the same mail gives the same file.
    boundary = "=_" + hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]
    mark = f"--{boundary}".encode()
    body = b"".join(mark + b"\n" + part.removesuffix(b"\n") + b"\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n'.encode() + body + mark + b"--\n"
