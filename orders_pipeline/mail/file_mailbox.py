"""What the mailboxes whose messages are files of their own (Maildir, .eml) share.

Belongs here: the index over files, listing by window, fetching by location. Not here: which files are messages.
"""

from __future__ import annotations

import datetime as dt
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.config import FetchSettings
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.file_dates import arrival_of_file, file_time, read_head
from orders_pipeline.mail.index_cache import SETTLED_NS, IndexCache, file_signature, instant_to_keep, kept_instant
from orders_pipeline.mail.left_out import without_body
from orders_pipeline.mail.listing_age import may_serve
from orders_pipeline.mail.mbox_format import strip_from_line
from orders_pipeline.mail.sorted_refs import SortedRefs
from orders_pipeline.models import Fetched, Listing, MessageRef, Window

DEFAULT_MAX_BYTES = FetchSettings().max_message_bytes
_COLUMNS = {"location": "string", "modified": "int64", "size": "int64", "inode": "int64", "received_at": "int64"}


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

    kind = "files"

    def __init__(self, name: str, path: Path, *, cache: Path | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self.name = name
        self.path = path
        self._max_bytes = max_bytes
        self._cache = IndexCache(cache, name, self.kind, path, _COLUMNS)
        self._index: dict[str, _Indexed] = {}
        self._kept: dict[str, tuple[tuple[int, int, int], dt.datetime | None]] | None = None
        self._listing: SortedRefs | None = None
        self._scanned = (0.0, 0.0)  # monotonic time of the last scan's beginning, and what it took

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
        age = 0.0 if self._listing is None else time.monotonic() - self._scanned[0]
        if self._listing is None or not may_serve(self._scanned[1], age):
            self._listing, age = self._refresh(), 0.0
        return self._listing.within(self.name, window, age=dt.timedelta(seconds=age))

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        """See ``Mailbox.fetch``. A From_ line on top of a file is taken off."""
        if self._listing is None:
            self._listing = self._refresh()
        for ref in refs:
            yield self._fetch_one(ref)

    def close(self) -> None:
        """Forget the index; no file is kept open."""
        self._index, self._listing, self._kept = {}, None, None

    def _refresh(self) -> SortedRefs:
        began, now = time.monotonic(), dt.datetime.now(dt.UTC)
        self._check()
        if self._kept is None:
            self._kept = self._load()
        index: dict[str, _Indexed] = {}
        try:
            for found in self._scan():
                if found.location not in index and (entry := self._entry(found, now)):
                    index[found.location] = entry
        except OSError as error:
            raise folder_error(self.name, error.filename or self.path, error) from None
        self._index = index
        listing = SortedRefs([entry.ref for entry in index.values()], now=now)
        self._scanned = (began, time.monotonic() - began)
        self._save(now)
        return listing

    def _load(self) -> dict[str, tuple[tuple[int, int, int], dt.datetime | None]]:
        rows = self._cache.load()
        signatures = zip(rows["modified"], rows["size"], rows["inode"], strict=True)
        arrivals = map(kept_instant, rows["received_at"])
        return dict(zip(rows["location"], zip(signatures, arrivals, strict=True), strict=True))

    def _save(self, now: dt.datetime) -> None:
        settled = int(now.timestamp() * 1e9) - SETTLED_NS
        keep = {e.ref.location: e for e in self._index.values() if e.signature and e.signature[0] < settled}
        kept = self._kept or {}
        if kept.keys() == keep.keys() and all(kept[k][0] == e.signature for k, e in keep.items()):
            return
        self._kept = {
            location: (entry.signature, entry.ref.received_at) for location, entry in keep.items() if entry.signature
        }
        self._cache.save(
            {
                "location": list(self._kept),
                **{c: [s[n] for s, _ in self._kept.values()] for n, c in enumerate(("modified", "size", "inode"))},
                "received_at": [instant_to_keep(t) for _, t in self._kept.values()],
            }
        )

    def _entry(self, found: FoundFile, now: dt.datetime) -> _Indexed | None:
        """Index one file; None when it vanished. One that cannot be read is listed by its file time."""
        path = found.path
        for _ in range(2):
            try:
                status = os.stat(path)
                signature = file_signature(status)
                known = self._index.get(found.location)
                if known and known.signature == signature:
                    return known if known.path == path else _Indexed(known.ref, path, signature)
                kept = self._kept.get(found.location) if self._kept else None
                if kept and kept[0] == signature:
                    received_at = kept[1]
                else:
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
        path = indexed.path if indexed else self._path_now(ref.location, None)
        for _ in range(3):
            if path is None:
                break
            try:
                with open(path, "rb") as file:
                    size = os.fstat(file.fileno()).st_size
                    if size > self._max_bytes:
                        head = strip_from_line(read_head(file))[1]
                        return Fetched(ref=ref, raw=without_body(head, size=size, limit=self._max_bytes))
                    return Fetched(ref=ref, raw=strip_from_line(file.read())[1])
            except FileNotFoundError:
                path = self._path_now(ref.location, path)
            except OSError as error:
                return Fetched(ref=ref, error=f"cannot read the file: {error.strerror}")
        self._check()  # the whole mailbox may be gone: that is no message's fault
        return Fetched(ref=ref, gone=True)

    def _path_now(self, location: str, failed: str | None) -> str | None:
        try:
            return self._find_again(location, failed)
        except OSError as error:
            raise folder_error(self.name, error.filename or self.path, error) from None


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
