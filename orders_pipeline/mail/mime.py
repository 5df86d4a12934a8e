"""Bytes to ``Email``: whatever the bytes are, the result is a message and a list of what was wrong.

Belongs here: putting the decoded pieces together. Not here: how one piece is decoded (headers, charsets, transfer,
html_text, parts, forwards), and what the message means.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from orders_pipeline.mail.addresses import parse_addresses
from orders_pipeline.mail.bodies import Bodies, collect
from orders_pipeline.mail.charsets import wide_codec
from orders_pipeline.mail.clean_text import clean_line
from orders_pipeline.mail.dates import AHEAD, EARLIEST, first_usable, offset_of, parse_date, received_date
from orders_pipeline.mail.forwards import Forward, find_forwards
from orders_pipeline.mail.header_block import HeaderBlock, split_headers
from orders_pipeline.mail.headers import charset_hint, decode_header, header_bytes_to_str
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.transfer import undeclared_base64
from orders_pipeline.models import Address, Email

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
MAX_INNER = 16
MAX_INNER_DEPTH = 4
MAX_INNER_CHARS = 1_000_000  # of the bodies of attached messages, together: no more is opened after it

_LINE_ENDS = re.compile(rb"\r+\n")
_CHUNK = 1_000_000


def parse_email(raw: bytes, *, message_id: str | None = None, received_at: dt.datetime | None = None) -> Email:
    """Decode a message; never raises, whatever the bytes.

    ``message_id`` is computed from the bytes when not given. ``received_at`` is when the mailbox says it arrived;
    without it, the top Received header or the Date header tells. ``Email.inner`` is flat: attached messages and
    inline forwards of any depth, outermost first, each without ``inner`` of its own.
    """
    own_id = message_id_of(raw) if message_id is None else message_id
    email, attached = _parse_one(raw, own_id, received_at)
    inner: list[Email] = []
    cut = False
    queue = [(data, 1) for data in attached]
    chars = 0
    while queue and len(inner) < MAX_INNER and chars < MAX_INNER_CHARS:
        data, depth = queue.pop(0)
        message, deeper = _parse_one(data, message_id_of(data), None, forwarded="attached")
        chars += len(message.text) + len(message.html)
        inner += [message, *_inline(message)]
        cut = cut or (bool(deeper) and depth == MAX_INNER_DEPTH)
        queue = [(d, depth + 1) for d in deeper if depth < MAX_INNER_DEPTH] + queue
    inner = [*_inline(email), *inner]
    cut = cut or len(inner) > MAX_INNER or bool(queue)
    defects = email.defects if not cut else (*email.defects, "inner messages cut")
    return replace(email, inner=tuple(inner[:MAX_INNER]), defects=defects)


def _parse_one(
    raw: bytes, message_id: str, received_at: dt.datetime | None, *, forwarded: str | None = None
) -> tuple[Email, list[bytes]]:
    defects: list[str] = []
    data = _normalised(raw, defects)
    block = split_headers(data, 0, len(data))
    if not block.fields and (whole := undeclared_base64(data)) is not None:
        data = _normalised(whole, defects)
        block = split_headers(data, 0, len(data))
        defects.append("whole message base64")
    defects += block.defects
    hint = charset_hint(data[: block.body_start][:65536])
    bodies = collect(data, block, defects, hint)
    return _assemble(block, bodies, defects, hint, message_id, received_at, forwarded), bodies.attached


def _assemble(
    block: HeaderBlock,
    bodies: Bodies,
    defects: list[str],
    hint: str | None,
    message_id: str,
    received_at: dt.datetime | None,
    forwarded: str | None,
) -> Email:
    headers = tuple((name, decode_header(value, hint)) for name, value in block.fields)

    def first(name: str) -> str | None:
        return next((value for key, value in headers if key.lower() == name), None)

    def addresses(name: str) -> tuple[Address, ...]:
        value = block.get(name)
        return parse_addresses(header_bytes_to_str(value, hint).replace("\n", " ")) if value else ()

    now = dt.datetime.now(dt.UTC)
    date = parse_date(first("date"))
    if received_at is None:
        received_at = first_usable((received_date(first("received")), date), now=now)
    sent_at = date if date is not None and EARLIEST <= date <= max(now, received_at or now) + AHEAD else None
    if sent_at is None and first("date"):
        defects.append("date unusable")
    sender = addresses("from") or addresses("sender")
    return Email(
        message_id=message_id,
        message_id_header=first("message-id"),
        subject=first("subject") or "",
        sender=sender[0] if sender else Address(),
        reply_to=addresses("reply-to"),
        to=addresses("to"),
        cc=addresses("cc"),
        sent_at=sent_at,
        received_at=received_at,
        text=bodies.text,
        html=bodies.html,
        html_text=bodies.html_text,
        headers=headers,
        attachments=tuple(bodies.attachments),
        forwarded=forwarded,
        defects=tuple(dict.fromkeys(defects)),
    )


def _inline(email: Email) -> list[Email]:
    """The inline forwards of a message, from its text and its rendered HTML, matched by their order."""
    from_text = find_forwards(email.text) if email.text else ()
    from_html = find_forwards(email.html_text) if email.html_text else ()
    found: list[Email] = []
    position = 0
    for number in range(max(len(from_text), len(from_html))):
        plain = from_text[number] if number < len(from_text) else None
        rich = from_html[number] if number < len(from_html) else None
        html, position = _html_from(email.html, rich, position) if rich else ("", position)
        found.append(_forwarded(email, number, plain, rich, html))
    return found


def _forwarded(outer: Email, number: int, plain: Forward | None, rich: Forward | None, html: str) -> Email:
    head = rich or plain
    assert head is not None
    sender = parse_addresses(head.sender) or (parse_addresses(plain.sender) if plain else ())
    text, html_text = plain.text if plain else "", rich.text if rich else ""
    return Email(
        message_id=message_id_of(f"{outer.message_id} inline {number}".encode()),
        subject=clean_line(head.subject),
        sender=sender[0] if sender else Address(),
        to=parse_addresses(head.to),
        sent_at=parse_date(head.date, zone=offset_of(outer.header("date"))),  # clients write their own clock
        text=text,
        html=html,
        html_text=html_text,
        forwarded="inline",
    )


def _html_from(html: str, forward: Forward, position: int) -> tuple[str, int]:
    """The HTML from the line on that announces a forward, and where that is; empty when it cannot be found."""
    address = next((a.address for a in parse_addresses(forward.sender) if a.address), "")
    announced = forward.announced_by.strip(" -_*:>").partition("\t")[0]
    for sign in (announced, address):
        found = html.find(sign, position) if sign else -1
        if found >= 0:
            start = max(html.rfind("<", position, found), position)
            return html[start:], found + len(sign)
    return "", position


def _normalised(raw: bytes, defects: list[str]) -> bytes:
    """Line ends made ``\\n``, a byte order mark or UTF-16 undone, and no more than ``MAX_MESSAGE_BYTES``."""
    if len(raw) > MAX_MESSAGE_BYTES:
        raw = raw[:MAX_MESSAGE_BYTES]
        defects.append("message cut")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raw = raw.decode("utf-16", "replace").encode("utf-8", "replace")
        defects.append("message in utf-16")
    elif codec := wide_codec(raw):
        raw = raw.decode(codec, "replace").encode("utf-8", "replace")
        defects.append("message in utf-16")
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\r" not in raw:
        return raw
    if b"\n" not in raw:
        return raw.replace(b"\r", b"\n")
    raw = raw.replace(b"\r\n", b"\n")
    return _single_line_ends(raw) if b"\r\n" in raw else raw


def _single_line_ends(raw: bytes) -> bytes:
    """``\\r\\r\\n`` made one line end, by chunks: a substitution holds some 100 bytes for each of its matches."""
    chunks, start = [], 0
    while start < len(raw):
        end = raw.find(b"\n", start + _CHUNK) + 1 or len(raw)
        chunks.append(_LINE_ENDS.sub(b"\n", raw[start:end]))
        start = end
    return b"".join(chunks)
