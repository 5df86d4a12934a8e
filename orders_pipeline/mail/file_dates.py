"""When a message in a file arrived: From_ line, top Received header, Date header, file time, in that order.

Belongs here: the order, and reading no more than the headers. Not here: parsing of dates (dates, mbox_format).
"""

from __future__ import annotations

import datetime as dt
import os
from typing import BinaryIO

from orders_pipeline.mail.dates import EARLIEST, first_usable, parse_date, received_date
from orders_pipeline.mail.header_block import MAX_HEADER_BYTES, split_headers
from orders_pipeline.mail.headers import decode_header
from orders_pipeline.mail.mbox_format import FromLine, read_from_line

_STEP = 16 * 1024


def received_at_of(
    head: bytes, *, from_line: FromLine | None, file_time: dt.datetime | None, now: dt.datetime
) -> dt.datetime | None:
    """The arrival of a message by the first date that can be meant; None when there is none.

    ``head`` holds at least the headers. A From_ line written by a mail program while it stored the mail says when
    that was, so it comes after Received and Date.
    """
    data = head.replace(b"\r\n", b"\n")
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    block = split_headers(data, 0, len(data))
    by_line = from_line.date if from_line else None
    late = from_line is not None and from_line.by_client
    received = received_date(decode_header(block.get("received") or b""))
    date = parse_date(decode_header(block.get("date") or b""))
    order = (received, date, by_line, file_time) if late else (by_line, received, date, file_time)
    return first_usable(order, now=now)


def read_head(file: BinaryIO, limit: int = MAX_HEADER_BYTES) -> bytes:
    """The bytes of a message up to its first blank line, read in small steps; ``limit`` at most."""
    head = b""
    while len(head) < limit and (more := file.read(min(_STEP, limit - len(head)))):
        seen = max(0, len(head) - 4)
        head += more
        if head.find(b"\n\n", seen) > 0 or head.find(b"\n\r\n", seen) > 0:
            break
    return head


def arrival_of_file(file: BinaryIO, status: os.stat_result, *, now: dt.datetime) -> dt.datetime | None:
    """The arrival of a message that has a file of its own, which may begin with a From_ line."""
    head = read_head(file)
    line = read_from_line(head[:1000])
    body = head[line.length :] if line else head
    return received_at_of(body, from_line=line, file_time=file_time(status), now=now)


def file_time(status: os.stat_result) -> dt.datetime | None:
    """The time of the last change of a file, aware; None when it is no date of our calendar."""
    try:
        instant = dt.datetime.fromtimestamp(status.st_mtime, tz=dt.UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return instant if instant >= EARLIEST else None
