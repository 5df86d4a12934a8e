"""One mbox file, or a folder of them (Thunderbird's included).

Belongs here: which files are mboxes, listing and fetching. Not here: the format (mbox_format), one file's index.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.file_mailbox import DEFAULT_MAX_BYTES, folder_error
from orders_pipeline.mail.file_names import location_of, may_be_file
from orders_pipeline.mail.left_out import without_body
from orders_pipeline.mail.mbox_cache import MboxCache
from orders_pipeline.mail.mbox_format import read_from_line
from orders_pipeline.mail.mbox_index import (
    MboxIndex,
    MboxMessage,
    head_of_large,
    read_index,
    read_message,
    signature_of,
)
from orders_pipeline.mail.sorted_refs import SortedRefs
from orders_pipeline.models import Fetched, Listing, MessageRef, Window

_BESIDE = (".msf", ".dat", ".json", ".sqlite", ".html", ".lock", ".log", ".txt", ".eml")


class MboxSource:
    """A read-only mailbox of mbox files. Location: ``FILE:DIGEST``, with ``#2`` on for further equal copies."""

    def __init__(self, name: str, path: Path, *, cache: Path | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self.name = name
        self.path = path
        self._max_bytes = max_bytes
        self._kept = MboxCache(cache, name, path, max_bytes=max_bytes)
        self._files: dict[str, tuple[Path, MboxIndex]] = {}
        self._listing: SortedRefs | None = None

    def list(self, window: Window) -> Listing:
        """See ``Mailbox.list``. Files that did not change since the last listing are not read again."""
        return self._refresh().within(self.name, window)

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        """See ``Mailbox.fetch``. Quoting of ``From `` lines is undone, headers that mail programs keep their flags
        in are left out."""
        if self._listing is None:
            self._refresh()
        by_file: dict[str, list[MessageRef]] = {}
        for ref in refs:
            by_file.setdefault(ref.location.rpartition(":")[0], []).append(ref)
        for label, wanted in by_file.items():
            yield from self._fetch_from(label, wanted)

    def close(self) -> None:
        """Forget the index; no file is kept open."""
        self._files, self._listing = {}, None

    def _refresh(self) -> SortedRefs:
        now = dt.datetime.now(dt.UTC)
        files: dict[str, tuple[Path, MboxIndex]] = {}
        for label, path in self._paths():
            try:
                signature = signature_of(path)
                known = self._files.get(label)
                if known and known[1].signature == signature:
                    files[label] = known
                elif kept := self._kept.index(label, signature):
                    files[label] = (path, kept)
                else:
                    files[label] = (path, read_index(self.name, label, path, now=now, max_bytes=self._max_bytes))
            except OSError as error:
                raise folder_error(self.name, path, error) from None
        if self._listing is None or files != self._files:
            refs = (message.ref for _, index in files.values() for message in index.messages.values())
            self._files, self._listing = files, SortedRefs(refs, now=now)
            self._kept.save({label: index for label, (_, index) in files.items()}, now=now)
        return self._listing

    def _fetch_from(self, label: str, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        waiting = {ref.location: ref for ref in refs}
        for attempt in range(2):
            known = self._files.get(label)
            if known is None:
                break
            moved: dict[str, MessageRef] = {}
            try:
                with open(known[0], "rb") as file:
                    for location, ref in waiting.items():
                        message = known[1].messages.get(location)
                        raw = self._read(file, message) if message else None
                        if raw is not None:
                            yield Fetched(ref=ref, raw=raw)
                        else:
                            moved[location] = ref
            except FileNotFoundError:
                moved = waiting
            except OSError as error:
                raise folder_error(self.name, known[0], error) from None
            waiting = moved
            if not waiting:
                return
            if attempt == 0:
                self._refresh()
        for ref in waiting.values():
            yield Fetched(ref=ref, gone=True)

    def _read(self, file: BinaryIO, message: MboxMessage) -> bytes | None:
        size = message.end - message.start
        if size <= self._max_bytes:
            return read_message(file, message)
        head = head_of_large(file, message)
        return None if head is None else without_body(head, size=size, limit=self._max_bytes)

    def _paths(self) -> Iterator[tuple[str, Path]]:
        """Label and path of every mbox file. Raises ``MailboxError`` when there is none."""
        try:
            if self.path.is_dir():
                found = [(location_of(relative), self.path / relative) for relative in sorted(self._below())]
            else:
                found = [(location_of(self.path.name), self.path)] if self._is_mbox(self.path, required=True) else []
        except OSError as error:
            raise folder_error(self.name, error.filename or self.path, error) from None
        if not found:
            raise MailboxError(
                f"mailbox {self.name}: no mbox file in {self.path}; name the file or the folder that holds them"
            )
        yield from found

    def _below(self) -> Iterator[str]:
        folders = [""]
        while folders:
            folder = folders.pop()
            with os.scandir(self.path / folder) as entries:
                for entry in entries:
                    relative = os.path.join(folder, entry.name)
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(relative)
                    elif not entry.name.lower().endswith(_BESIDE) and may_be_file(entry):
                        named = entry.name.lower().endswith((".mbox", ".mbx"))
                        if self._is_mbox(Path(entry.path), required=named):
                            yield relative

    def _is_mbox(self, path: Path, *, required: bool) -> bool:
        """Whether a file begins with a From_ line, or is empty. ``MailboxError`` if it must be and is not."""
        with open(path, "rb") as file:
            head = file.read(4096).lstrip(b"\r\n")
        if not head or read_from_line(head[:1000]):
            return True
        if required:
            raise MailboxError(
                f"mailbox {self.name}: {path} is no mbox file (it does not begin with a From line); "
                "correct the path or the kind of this mailbox"
            )
        return False
