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
from orders_pipeline.mail.file_dates import file_time, received_at_of
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.mbox_format import CHUNK, Span, message_bytes, spans
from orders_pipeline.mail.mbox_lock import wait_for_writer
from orders_pipeline.models import MessageRef

MAX_MESSAGE_BYTES = 128 * 1024 * 1024
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
    return _signature(os.stat(path))


def read_index(mailbox: str, label: str, path: Path, *, now: dt.datetime) -> MboxIndex:
    """Index one file; ``label`` names it in locations. Memory: the largest message and a few numbers for each.

    Raises OSError, and ``MailboxError`` when the file is locked, or changes each time it is read.
    """
    for _ in range(_MAX_PASSES):
        with open(path, "rb") as file:
            wait_for_writer(mailbox, path, file)
            before = os.fstat(file.fileno())
            messages = dict(_messages(mailbox, label, file, list(spans(file)), before, now))
            after = os.fstat(file.fileno())
        if _signature(before) == _signature(after):
            return MboxIndex(_signature(before), messages)
    raise MailboxError(f"mailbox {mailbox}: {path} changes while it is read; run again when the mail program is idle")


def read_message(file: BinaryIO, message: MboxMessage) -> bytes | None:
    """The message at the place it had in the index; None when something else lies there now."""
    file.seek(message.start)
    raw = message_bytes(file.read(message.end - message.start))
    return raw if _short(message_id_of(raw)) == message.digest else None


def _messages(
    mailbox: str, label: str, file: BinaryIO, found: list[Span], status: os.stat_result, now: dt.datetime
) -> Iterator[tuple[str, MboxMessage]]:
    """Location and message. The location is file and digest: an offset moves when an older mail is deleted. The
    second copy of the very same mail gets ``#2``."""
    seen: Counter[str] = Counter()
    for span in found:
        file.seek(span.start)
        if span.end - span.start > MAX_MESSAGE_BYTES:
            head, digest = file.read(CHUNK), _digest_of_large(file, span)
        else:
            head = message_bytes(file.read(span.end - span.start))
            digest = _short(message_id_of(head))
        seen[digest] += 1
        location = f"{label}:{digest}" + (f"#{seen[digest]}" if seen[digest] > 1 else "")
        received_at = received_at_of(head[:CHUNK], from_line=span.from_line, file_time=file_time(status), now=now)
        ref = MessageRef(mailbox=mailbox, location=location, received_at=received_at, size=span.end - span.start)
        yield location, MboxMessage(ref, digest, span.start, span.end)


def _digest_of_large(file: BinaryIO, span: Span) -> str:
    sha = hashlib.sha256()
    file.seek(span.start)
    left = span.end - span.start
    while left > 0 and (piece := file.read(min(CHUNK, left))):
        sha.update(piece)
        left -= len(piece)
    return _short(sha.hexdigest())


def _short(digest: str) -> str:
    return digest[:_DIGEST_LETTERS]


def _signature(status: os.stat_result) -> Signature:
    return status.st_mtime_ns, status.st_size, status.st_ino
