"""When each message arrived, by id: Gmail never changes it, so it is asked for once.

Belongs here: the dates that are known, in memory and in a file that can be lost. Not here: asking for them.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from orders_pipeline.mail.index_cache import IndexCache

_COLUMNS = {"id": "string", "received_ms": "int64", "size": "int64", "sum": "int64"}


class KnownDates:
    """id -> (milliseconds since 1970, estimated size). A row whose check sum is wrong is as good as none: a date that
    the disk garbled would move a message out of its day for good."""

    def __init__(self, folder: Path | None, mailbox: str, account: Path) -> None:
        self._cache = IndexCache(folder, mailbox, "gmail", account, _COLUMNS)
        self._loaded: dict[str, tuple[int, int]] | None = None
        self._changed = False

    def get(self, message_id: str) -> tuple[int, int] | None:
        """Date and size of a message, None when not known."""
        return self._rows().get(message_id)

    def add(self, message_id: str, received_ms: int, size: int) -> None:
        """Remember a message."""
        self._rows()[message_id] = (received_ms, size)
        self._changed = True

    def forget_all(self) -> None:
        """What was remembered has proven wrong."""
        self._loaded, self._changed = {}, True
        self.save()

    def save(self) -> None:
        """Keep what is known for the next run."""
        if self._changed:
            rows = [(i, ms, size, _sum(i, ms, size)) for i, (ms, size) in self._rows().items()]
            columns = zip(*rows, strict=True) if rows else ([] for _ in _COLUMNS)
            self._cache.save(dict(zip(_COLUMNS, map(list, columns), strict=True)))
            self._changed = False

    def _rows(self) -> dict[str, tuple[int, int]]:
        if self._loaded is None:
            kept = self._cache.load()
            rows = zip(*(kept[name] for name in _COLUMNS), strict=True)
            self._loaded = {i: (ms, size) for i, ms, size, check in rows if check == _sum(i, ms, size)}
        return self._loaded


def _sum(*values: object) -> int:
    return zlib.crc32(repr(values).encode())
