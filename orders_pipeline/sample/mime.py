"""Letters to bytes: headers, transfer encodings, multipart.

Belongs here: writing one RFC 5322 message byte by byte, so that the bytes do not change with the version of a library.
Not here: who writes what and when.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import quopri
from dataclasses import dataclass
from email.utils import format_datetime

_BASE64_LINE = 76
_WORD = 45  # bytes of text in one encoded word: 60 characters of base64, under the limit of 75


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Who sends to whom and when. Times are aware; None leaves the header out.

    ``authentic`` is what the receiving server says of SPF, DKIM and DMARC; None: it says nothing.
    """

    sender_name: str
    sender: str
    to_name: str
    to: str
    subject: str
    message_id: str | None
    sent_at: dt.datetime | None
    received_at: dt.datetime | None
    authentic: bool | None = True
    unsubscribe: str | None = None
    reply_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A body part. ``charset`` is what it is encoded in, ``declared`` what its header claims (the same by default)."""

    text: str
    subtype: str = "plain"
    transfer: str = "quoted-printable"
    charset: str = "utf-8"
    declared: str | None = None


def compose(envelope: Envelope, parts: tuple[Part, ...]) -> bytes:
    """One message with ``\\n`` line ends, as a Maildir holds it. Two parts become multipart/alternative."""
    head = _headers(envelope)
    if len(parts) == 1:
        return ("\n".join(head) + "\n").encode("ascii") + _part(parts[0])
    contents = [_part(part) for part in parts]
    boundary = "=_" + hashlib.sha256(b"".join(contents)).hexdigest()[:24]
    head.append(f'Content-Type: multipart/alternative; boundary="{boundary}"')
    mark = b"--" + boundary.encode("ascii")
    body = b"".join(mark + b"\n" + content + b"\n" for content in contents)
    return "\n".join(head).encode("ascii") + b"\n\n" + body + mark + b"--\n"


def _headers(envelope: Envelope) -> list[str]:
    e = envelope
    domain = e.sender.rpartition("@")[2]
    head = [f"Delivered-To: {e.to}"]
    if e.received_at is not None:
        key = hashlib.sha256(f"{e.message_id}{e.subject}{e.received_at}".encode()).hexdigest()[:12]
        outgoing = max(e.sent_at or e.received_at, e.received_at - dt.timedelta(seconds=4))
        head += [
            f"Received: from out.{domain} (out.{domain} [192.0.2.{int(key[:2], 16) % 250 + 1}])",
            f"\tby mx.home.example with ESMTPS id {key}",
            f"\tfor <{e.to}>; {format_datetime(e.received_at)}",
            f"Received: from app-1.{domain} (unknown [198.51.100.7])",
            f"\tby out.{domain} with ESMTP id {key[::-1]}; {format_datetime(outgoing)}",
        ]
    if e.authentic is not None:
        verdict = "pass" if e.authentic else "fail"
        head += [
            f"Authentication-Results: mx.home.example; dkim={verdict} header.d={domain};",
            f"\tspf={verdict} smtp.mailfrom={domain}; dmarc={verdict} header.from={domain}",
        ]
    if e.sent_at is not None:
        head.append(f"Date: {format_datetime(e.sent_at)}")
    head += [
        f"From: {_phrase(e.sender_name)} <{e.sender}>",
        f"To: {_phrase(e.to_name)} <{e.to}>",
        f"Subject: {_encoded(e.subject)}",
    ]
    if e.message_id is not None:
        head.append(f"Message-ID: <{e.message_id}>")
    if e.reply_to:
        head.append(f"Reply-To: <{e.reply_to}>")
    if e.unsubscribe:
        head += [f"List-Unsubscribe: <{e.unsubscribe}>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
    return [*head, "MIME-Version: 1.0"]


def _part(part: Part) -> bytes:
    data = part.text.encode(part.charset)
    match part.transfer:
        case "base64":
            coded = base64.b64encode(data)
            lines = (coded[i : i + _BASE64_LINE] for i in range(0, len(coded), _BASE64_LINE))
            body = b"\n".join(lines) + b"\n"
        case "quoted-printable":
            body = quopri.encodestring(data)
        case _:
            body = data
    head = (
        f"Content-Type: text/{part.subtype}; charset={part.declared or part.charset}\n"
        f"Content-Transfer-Encoding: {part.transfer}\n\n"
    )
    return head.encode("ascii") + body


def _phrase(name: str) -> str:
    if not (name.isascii() and name.isprintable()):
        return _encoded(name)
    plain = all(c.isalnum() or c == " " for c in name)
    return name if plain else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _encoded(text: str) -> str:
    """RFC 2047 encoded words, folded, when the text is not printable ASCII."""
    if text.isascii() and text.isprintable():
        return text
    words: list[bytes] = [b""]
    for character in text:
        data = character.encode()
        if len(words[-1]) + len(data) > _WORD:
            words.append(b"")
        words[-1] += data
    return "\n ".join(f"=?utf-8?B?{base64.b64encode(word).decode('ascii')}?=" for word in words)
