"""A Maildir with its subfolders, read without moving or flagging anything.

Belongs here: folders, names and flags of a Maildir. Not here: dates, index, fetching (file_mailbox).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.file_mailbox import DEFAULT_MAX_BYTES, FileMailbox, FoundFile, require_folder
from orders_pipeline.mail.file_names import location_of, may_be_file

_MAX_PASSES = 5


class MaildirSource(FileMailbox):
    """Location: the folder and the unique part of the name.

    Neither the flags (``:2,S``) nor new/ or cur/ are part of it: a mail that is read later keeps its location.
    Subfolders may be Maildir++ (``.Sent``) or nested folders; tmp/ is left alone.
    """

    kind = "maildir"

    def __init__(self, name: str, path: Path, *, cache: Path | None = None, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        super().__init__(name, path, cache=cache, max_bytes=max_bytes)
        self._paths: dict[str, str] = {}

    def _check(self) -> None:
        require_folder(self.name, self.path)
        if not any(True for _ in self._folders()):
            raise MailboxError(
                f"mailbox {self.name}: {self.path} is no Maildir (no cur/ and new/ in it); "
                "name the folder that holds them, or set another kind"
            )

    def _scan(self) -> Iterator[FoundFile]:
        for folder in self._folders():
            yield from self._messages(folder)

    def _folders(self) -> Iterator[str]:
        """Relative paths of the folders that hold cur/ or new/, the top one first."""
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(os.path.join(self.path, folder)) as entries:
                    names = sorted((e.name for e in entries if e.is_dir(follow_symlinks=False)), reverse=True)
            except FileNotFoundError:
                if not folder:
                    raise
                continue
            if "cur" in names or "new" in names:
                yield folder
            waiting += [os.path.join(folder, name) for name in names if name not in ("cur", "new", "tmp")]

    def _messages(self, folder: str) -> Iterator[FoundFile]:
        """Messages of one folder. A client that moves one while we look could hide it: new/ is read before cur/,
        and both again until neither changed in between."""
        seen: dict[str, FoundFile] = {}
        for _ in range(_MAX_PASSES):
            before = self._state(folder)
            for path, name in self._names(folder):
                location = location_of(os.path.join(folder, _unique(name)))
                seen[location] = FoundFile(location, path)
            if before == self._state(folder):
                break
        yield from seen.values()

    def _names(self, folder: str) -> Iterator[tuple[str, str]]:
        for part in ("new", "cur"):
            try:
                with os.scandir(os.path.join(self.path, folder, part)) as entries:
                    for entry in entries:
                        if not entry.name.startswith(".") and may_be_file(entry):
                            yield entry.path, entry.name
            except FileNotFoundError:
                continue

    def _state(self, folder: str) -> tuple[int, ...]:
        state: list[int] = []
        for part in ("new", "cur"):
            try:
                state.append(os.stat(os.path.join(self.path, folder, part)).st_mtime_ns)
            except FileNotFoundError:
                state.append(0)
        return tuple(state)

    def _find_again(self, location: str, failed: str | None) -> str | None:
        """Flags or the move from new/ to cur/ changed the path: look for the unique part.

        The names are read again only when those read last do not help, so that a whole folder marked as read
        between listing and fetching costs one more scan, not one a message.
        """
        path = self._paths.get(location)
        if path is None or path == failed:
            self._paths = {found.location: found.path for found in self._scan()}
            path = self._paths.get(location)
        return path if path != failed else None


def _unique(name: str) -> str:
    return name.partition(":")[0]
