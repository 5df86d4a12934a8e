"""The indexes of mbox files, kept between runs: a backfill of a year is a dozen runs and reads a file of 2 GB once.

Belongs here: indexes to columns and back. Not here: reading an mbox (mbox_index), where the columns lie (index_cache).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

from orders_pipeline.mail.index_cache import SETTLED_NS, IndexCache, instant_to_keep, kept_instant
from orders_pipeline.mail.mbox_index import MboxIndex, MboxMessage, Signature
from orders_pipeline.models import MessageRef

_COLUMNS = {
    "label": "string", "modified": "int64", "file_size": "int64", "inode": "int64", "location": "string",
    "digest": "string", "start": "int64", "end": "int64", "received_at": "int64",
}  # fmt: skip


class MboxCache:
    """What is known of one mailbox's mbox files from earlier runs; each index is good for one state of its file, and
    for one ``max_bytes``: what is larger has a digest of another kind."""

    def __init__(self, folder: Path | None, mailbox: str, path: Path, *, max_bytes: int) -> None:
        self._mailbox = mailbox
        self._cache = IndexCache(folder, mailbox, f"mbox {max_bytes}", path, _COLUMNS)
        self._indexes: dict[tuple[str, Signature], MboxIndex] | None = None

    def index(self, label: str, signature: Signature) -> MboxIndex | None:
        """The index of a file in exactly this state, if there is one."""
        if self._indexes is None:
            self._indexes = self._load()
        return self._indexes.get((label, signature))

    def save(self, indexes: Mapping[str, MboxIndex], *, now: dt.datetime) -> None:
        """Keep these indexes and no others; nothing is written when they are kept already."""
        settled = int(now.timestamp() * 1e9) - SETTLED_NS
        keep = {(label, index.signature): index for label, index in indexes.items() if index.signature[0] < settled}
        if self._indexes is not None and keep.keys() == self._indexes.keys():
            return
        self._indexes = keep
        columns: dict[str, list[object]] = {name: [] for name in _COLUMNS}
        for (label, signature), index in keep.items():
            for location, message in index.messages.items():
                arrived = instant_to_keep(message.ref.received_at)
                row = (label, *signature, location, message.digest, message.start, message.end, arrived)
                for name, value in zip(_COLUMNS, row, strict=True):
                    columns[name].append(value)
        self._cache.save(columns)

    def _load(self) -> dict[tuple[str, Signature], MboxIndex]:
        indexes: dict[tuple[str, Signature], MboxIndex] = {}
        for row in zip(*self._cache.load().values(), strict=True):
            label, modified, size, inode, location, digest, start, end, arrived = row
            signature = (modified, size, inode)
            index = indexes.setdefault((label, signature), MboxIndex(signature, {}))
            received_at = kept_instant(arrived)
            ref = MessageRef(mailbox=self._mailbox, location=location, received_at=received_at, size=end - start)
            index.messages[location] = MboxMessage(ref, digest, start, end)
        return indexes
