"""The messages of one mbox file: where each lies, when it arrived, and a location that outlives compaction.

Belongs here: reading one file. Not here: folders of files, listing by window.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.file_dates import file_time, read_head, received_at_of
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.index_cache import file_signature
from orders_pipeline.mail.mbox_format import CHUNK, message_bytes, spans
from orders_pipeline.mail.mbox_lock import wait_for_writer
from orders_pipeline.models import MessageRef

_MAX_PASSES = 3
_DIGEST_LETTERS = 16

Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class MboxMessage:
    """One message of an mbox file: its ref, its digest, and where it lay when the file was read."""

    ref: MessageRef
    digest: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MboxIndex:
    """The messages of one file, by location, as of ``signature`` (modified, size, inode)."""

    signature: Signature
    messages: dict[str, MboxMessage]


def signature_of(path: Path) -> Signature:
    """What tells whether a file changed. Raises OSError."""
    return file_signature(os.stat(path))


def read_index(mailbox: str, label: str, path: Path, *, now: dt.datetime, max_bytes: int) -> MboxIndex:
    """Index one file in one pass; ``label`` names it in locations. A message over ``max_bytes`` is not held whole.

    Memory: the largest message and a few numbers for each.

    Raises OSError, and ``MailboxError`` when the file is locked, or changes each time it is read.
    """
    for _ in range(_MAX_PASSES):
        with open(path, "rb") as file:
            wait_for_writer(mailbox, path, file)
            before = os.fstat(file.fileno())
            messages = dict(_messages(mailbox, label, file, before, now, max_bytes))
            after = os.fstat(file.fileno())
        if file_signature(before) == file_signature(after):
            return MboxIndex(file_signature(before), messages)
    raise MailboxError(f"mailbox {mailbox}: {path} changes while it is read; run again when the mail program is idle")


def read_message(file: BinaryIO, message: MboxMessage) -> bytes | None:
    """The message at the place it had in the index; None when something else lies there now."""
    file.seek(message.start)
    raw = message_bytes(file.read(message.end - message.start))
    return raw if _short(message_id_of(raw)) == message.digest else None


def head_of_large(file: BinaryIO, message: MboxMessage) -> bytes | None:
    """The header block of a message that is not held whole; None when something else lies there now."""
    if _digest_of_large(file.fileno(), message.start, message.end) != message.digest:
        return None
    file.seek(message.start)
    return message_bytes(read_head(file))


def _messages(
    mailbox: str, label: str, file: BinaryIO, status: os.stat_result, now: dt.datetime, max_bytes: int
) -> Iterator[tuple[str, MboxMessage]]:
    """Location and message. The location is file and digest: an offset moves when an older mail is deleted. The
    second copy of the very same mail gets ``#2``."""
    seen: Counter[str] = Counter()
    # Each message is read right behind the search for the next one, by position: a second handle would drop the lock
    # when it is closed.
    handle = file.fileno()
    for span in spans(file):
        size = span.end - span.start
        if size > max_bytes:
            head, digest = os.pread(handle, CHUNK, span.start), _digest_of_large(handle, span.start, span.end)
        else:
            head = message_bytes(_read_at(handle, span.start, size))
            digest = _short(message_id_of(head))
        seen[digest] += 1
        location = f"{label}:{digest}" + (f"#{seen[digest]}" if seen[digest] > 1 else "")
        received_at = received_at_of(head[:CHUNK], from_line=span.from_line, file_time=file_time(status), now=now)
        ref = MessageRef(mailbox=mailbox, location=location, received_at=received_at, size=size)
        yield location, MboxMessage(ref, digest, span.start, span.end)


def _digest_of_large(handle: int, start: int, end: int) -> str:
    sha, at = hashlib.sha256(), start
    while at < end and (piece := os.pread(handle, min(CHUNK, end - at), at)):
        sha.update(piece)
        at += len(piece)
    return _short(sha.hexdigest())


def _read_at(handle: int, start: int, size: int) -> bytes:
    data = os.pread(handle, size, start)
    while 0 < len(data) < size and (more := os.pread(handle, size - len(data), start + len(data))):
        data += more
    return data


def _short(digest: str) -> str:
    return digest[:_DIGEST_LETTERS]
