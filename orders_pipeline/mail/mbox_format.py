"""The mbox format: where one message ends and the next begins, and what the format adds to a message.

Belongs here: From_ lines, quoting, the bookkeeping headers of mail clients. Not here: mailboxes, listing, fetching.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from orders_pipeline.mail.dates import parse_date

CHUNK = 1024 * 1024
_LINE_MAX = 1000  # a From_ line and the line after it are looked for within so many bytes

_WEEKDAY = rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DATED = re.compile(
    rb"From ([^\r\n]{0,320}?)[ \t]{0,8}\b"
    rb"("
    + _WEEKDAY
    + rb",?[ \t]{1,4}(?:"
    + _MONTH
    + rb"[ \t]{1,4}\d{1,2}|\d{1,2}[ \t]{1,4}"
    + _MONTH
    + rb")[ \t,]{1,4}"
    rb"[^\r\n]{0,12}?\d{1,2}:\d{2}[^\r\n]{0,60})\r{0,2}(?:\n|\Z)"
)
_BY_CLIENT = (b"-", b"MAILER-DAEMON")
_BARE = re.compile(rb"From[ \t]{1,8}-?[ \t]{0,8}\r{0,2}\n")  # what new Thunderbird versions write
_HEADER_AFTER_BARE = re.compile(rb"[!-9;-~]{1,100}:")
_HEADER_NEXT = re.compile(rb"(?:[!-9;-~]{1,100}[ \t]{0,8}:|>From |\r{0,2}\n|\Z)")
_QUOTED = re.compile(rb"(?m)^>(>*From )")
_ASCTIME = re.compile(r"(\w{3,9}),?\s+(?:(\w{3,9})\s+(\d{1,2})|(\d{1,2})\s+(\w{3,9})),?\s+(.{0,70})", re.DOTALL)
_YEAR = re.compile(r"\b(\d{4})\b")
_CLOCK = re.compile(r"\b(\d{1,2}:\d{2}(?::\d{2})?)\b")
_ZONE = re.compile(r"(?<!\d)([+-]\d{4})\b|\b([A-Z]{2,4}T|UTC|GMT)\b")
# Clients keep flags in headers of the mbox and rewrite them when a mail is read: they are not the message.
_BOOKKEEPING = re.compile(
    rb"(?im)^(?:status|x-status|x-uid|x-keywords|x-imap|x-imapbase|x-mozilla-status2?|x-mozilla-keys)[ \t]{0,8}:"
    rb"[^\n]*\n(?:[ \t][^\n]*\n)*"
)


@dataclass(frozen=True, slots=True)
class FromLine:
    """A From_ line: its length in bytes with its line end, and its date (aware; UTC when no zone is named).

    ``by_client`` is set when a program wrote it while storing (``From - ...``, or ``From MAILER-DAEMON ...``, as
    Python's mailbox module does): then the date may say when the copy was made, in an unknown zone, not when the mail
    arrived. A bounce, whose sender that is rightly, has Received headers, which come first then.
    """

    length: int
    date: dt.datetime | None
    by_client: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Where one message lies in an mbox file: ``start`` is after its From_ line."""

    start: int
    end: int
    from_line: FromLine


def read_from_line(data: bytes) -> FromLine | None:
    """The From_ line at the start of ``data`` if there is one with a date, or a bare one before a header."""
    if not data.startswith(b"From "):
        return None
    if match := _DATED.match(data):
        if not _HEADER_NEXT.match(data, match.end()):
            return None
        date = _from_date(match[2].decode("ascii", "replace"))
        if date is not None:
            return FromLine(match.end(), date, by_client=match[1].strip() in _BY_CLIENT)
    if (match := _BARE.match(data)) and _HEADER_AFTER_BARE.match(data, match.end()):
        return FromLine(match.end(), None, by_client=True)
    return None


def spans(file: BinaryIO) -> Iterator[Span]:
    """The messages of an mbox file, read in chunks from its start.

    A From_ line begins a message only at the start of the file or after a blank line, with a date (or bare), and
    before a header. Yields nothing when the file does not begin with one (leading blank lines aside).
    """
    size = file.seek(0, os.SEEK_END)
    previous: tuple[int, FromLine] | None = None
    for at, line in _from_lines(file):
        if previous is not None:
            yield Span(previous[0] + previous[1].length, at, previous[1])
        previous = (at, line)
    if previous is not None:
        yield Span(previous[0] + previous[1].length, max(size, previous[0] + previous[1].length), previous[1])


def _from_lines(file: BinaryIO) -> Iterator[tuple[int, FromLine]]:
    """Offset and From_ line of each message; no more than a chunk and a line are held."""
    file.seek(0)
    buffer = file.read(CHUNK)
    base = 0  # of buffer[0] in the file
    first = len(buffer) - len(buffer.lstrip(b"\r\n"))
    line = read_from_line(buffer[first : first + _LINE_MAX])
    if line is None:
        return
    yield first, line
    search, at_end = first, False
    while True:
        limit = len(buffer) if at_end else max(0, len(buffer) - _LINE_MAX)
        found = buffer.find(b"\nFrom ", search)
        while 0 <= found < limit:
            following = _begins_message(buffer, found + 1)
            if following is not None:
                yield base + found + 1, following
            search = found + 1
            found = buffer.find(b"\nFrom ", search)
        if at_end:
            return
        search = max(search, limit)
        keep = max(0, search - 4)  # the blank line before a From_ line stays in sight
        more = file.read(CHUNK)
        at_end = not more
        buffer, base, search = buffer[keep:] + more, base + keep, search - keep


def _begins_message(buffer: bytes, at: int) -> FromLine | None:
    before = buffer[max(0, at - 4) : at]
    if not before.endswith((b"\n\n", b"\n\r\n")):
        return None
    return read_from_line(buffer[at : at + _LINE_MAX])


def message_bytes(stored: bytes) -> bytes:
    """A message as it was before it was put in an mbox: quoting of ``From `` undone, bookkeeping headers and the
    blank line at the end taken off."""
    end = _headers_end(stored)
    head = _BOOKKEEPING.sub(b"", stored[:end])
    body = stored[end:]
    if b"From " in body:
        body = _QUOTED.sub(rb"\1", body)
    return (head + body).rstrip(b"\r\n") + (b"\r\n" if head.endswith(b"\r\n") else b"\n")


def strip_from_line(raw: bytes) -> tuple[FromLine | None, bytes]:
    """A single message file without the From_ line that some tools leave on top of it."""
    line = read_from_line(raw[:_LINE_MAX])
    return (line, raw[line.length :]) if line else (None, raw)


def _headers_end(data: bytes) -> int:
    ends = [found + 1 for found in (data.find(b"\n\n"), data.find(b"\n\r\n")) if found >= 0]
    return min(ends, default=len(data))


def _from_date(text: str) -> dt.datetime | None:
    """asctime, with or without a zone before or after the year, and the RFC 5322 form."""
    match = _ASCTIME.match(text)
    if match is None:
        return None
    month, day, rest = match[2] or match[5], match[3] or match[4], match[6]
    clock, zone = _CLOCK.search(rest), _ZONE.search(rest)
    year = _YEAR.search(rest.replace(zone[0], " ") if zone else rest)
    if clock is None or year is None:
        return None
    return parse_date(f"{day} {month[:3]} {year[1]} {clock[1]} {(zone[1] or zone[2]) if zone else '+0000'}")
