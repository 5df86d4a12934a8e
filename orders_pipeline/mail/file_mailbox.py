"""What the mailboxes whose messages are files of their own (Maildir, .eml) share.

Belongs here: the index over files, listing by window, fetching by location. Not here: which files are messages.
"""

from __future__ import annotations

import datetime as dt
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.dates import usable
from orders_pipeline.mail.file_dates import arrival_of_file, file_time
from orders_pipeline.mail.mbox_format import strip_from_line
from orders_pipeline.models import Fetched, Listing, MessageRef, Window

MAX_FILE_BYTES = 128 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One message file: its location in the mailbox and its path now."""

    location: str
    path: str


@dataclass(frozen=True, slots=True)
class _Indexed:
    ref: MessageRef
    path: str
    signature: tuple[int, int, int] | None  # modified, size, inode; None is read again at the next listing


class FileMailbox(ABC):
    """A read-only mailbox of files. Only the headers are read for a listing, and only of files that changed."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self._index: dict[str, _Indexed] = {}
        self._listed = False

    @abstractmethod
    def _check(self) -> None:
        """Raise ``MailboxError`` when the path is missing, unreadable or of another kind."""

    @abstractmethod
    def _scan(self) -> Iterator[FoundFile]:
        """Every message file. OSError of a folder is passed on: a partial listing is none."""

    def _find_again(self, location: str, failed: str | None) -> str | None:
        """The path of a message that is not at ``failed`` (any more); None when it is gone."""
        return None

    def list(self, window: Window) -> Listing:
        """See ``Mailbox.list``."""
        self._refresh()
        refs = [indexed.ref for indexed in self._index.values()]
        return listing_of(self.name, window, refs, now=dt.datetime.now(dt.UTC))

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        """See ``Mailbox.fetch``. A From_ line on top of a file is taken off."""
        if not self._listed:
            self._refresh()
        for ref in refs:
            yield self._fetch_one(ref)

    def close(self) -> None:
        """Forget the index; no file is kept open."""
        self._index, self._listed = {}, False

    def _refresh(self) -> None:
        self._check()
        now = dt.datetime.now(dt.UTC)
        index: dict[str, _Indexed] = {}
        try:
            for found in self._scan():
                if found.location not in index and (entry := self._entry(found, now)):
                    index[found.location] = entry
        except OSError as error:
            raise folder_error(self.name, error.filename or self.path, error) from None
        self._index = index
        self._listed = True

    def _entry(self, found: FoundFile, now: dt.datetime) -> _Indexed | None:
        """Index one file; None when it vanished. One that cannot be read is listed by its file time."""
        path = found.path
        for _ in range(2):
            try:
                status = os.stat(path)
                signature = (status.st_mtime_ns, status.st_size, status.st_ino)
                known = self._index.get(found.location)
                if known and known.signature == signature:
                    return known if known.path == path else _Indexed(known.ref, path, signature)
                with open(path, "rb") as file:
                    received_at = arrival_of_file(file, status, now=now)
                return _Indexed(
                    MessageRef(
                        mailbox=self.name, location=found.location, received_at=received_at, size=status.st_size
                    ),
                    path,
                    signature,
                )
            except FileNotFoundError:
                moved = self._find_again(found.location, path)
                if moved is None:
                    return None
                path = moved
            except OSError:
                return self._unreadable(found.location, path)
        return None

    def _unreadable(self, location: str, path: str) -> _Indexed | None:
        try:
            status = os.lstat(path)
        except OSError:
            return None
        ref = MessageRef(mailbox=self.name, location=location, received_at=file_time(status), size=status.st_size)
        return _Indexed(ref, path, None)

    def _fetch_one(self, ref: MessageRef) -> Fetched:
        indexed = self._index.get(ref.location)
        path = indexed.path if indexed else self._find_again(ref.location, None)
        for _ in range(3):
            if path is None:
                break
            try:
                with open(path, "rb") as file:
                    if os.fstat(file.fileno()).st_size > MAX_FILE_BYTES:
                        return Fetched(ref=ref, error=f"larger than {MAX_FILE_BYTES // 2**20} MiB")
                    return Fetched(ref=ref, raw=strip_from_line(file.read())[1])
            except FileNotFoundError:
                path = self._find_again(ref.location, path)
            except OSError as error:
                return Fetched(ref=ref, error=f"cannot read the file: {error.strerror}")
        self._check()  # the whole mailbox may be gone: that is no message's fault
        return Fetched(ref=ref, gone=True)


def listing_of(mailbox: str, window: Window, refs: Sequence[MessageRef], *, now: dt.datetime) -> Listing:
    """Sort refs into those of the window and those whose day cannot be told."""
    placed = [ref for ref in refs if ref.received_at is not None and usable(ref.received_at, now=now)]
    unplaced = [ref for ref in refs if ref.received_at is None or not usable(ref.received_at, now=now)]
    inside = sorted(
        (ref for ref in placed if ref.received_at is not None and ref.received_at in window),
        key=lambda ref: (ref.received_at or window.start, ref.location),
    )
    return Listing(
        mailbox=mailbox,
        window=window,
        refs=tuple(inside),
        unplaced=tuple(sorted(unplaced, key=lambda ref: ref.location)),
    )


def require_folder(mailbox: str, path: Path) -> None:
    """Raise ``MailboxError`` unless the path is a folder that can be listed."""
    try:
        with os.scandir(path):
            return
    except OSError as error:
        raise folder_error(mailbox, path, error) from None


def folder_error(mailbox: str, path: object, error: OSError) -> MailboxError:
    """One line for a folder or file that cannot be read: which mailbox, which path, why, what to do."""
    if isinstance(error, FileNotFoundError):
        fault, remedy = "does not exist", "correct its path in the configuration, or mount the disk it lies on"
    elif isinstance(error, NotADirectoryError):
        fault, remedy = "is no folder", "name the folder, or set the kind of mailbox that this file is"
    elif isinstance(error, PermissionError):
        fault, remedy = "cannot be read: permission denied", "give this user read access"
    else:
        fault, remedy = f"cannot be read: {error.strerror or error}", "check the disk, then run again"
    shown = os.fsencode(str(path)).decode("utf-8", "backslashreplace")
    return MailboxError(f"mailbox {mailbox}: {shown} {fault}; {remedy}")
