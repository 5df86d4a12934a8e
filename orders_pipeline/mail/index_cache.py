"""What a mailbox of files remembers between runs, so that no file is opened again that did not change.

Belongs here: one Parquet file a mailbox, which can be lost. Not here: what an index holds, and whether an entry is
still right: whoever reads it compares each entry with the file. What is damaged, of another version or of another
mailbox is as good as none, and a disk that refuses costs only time.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from orders_pipeline.encoding import digest_of

VERSION = 1
# A file changed again within the clock's step after it was read looks unchanged: such entries are not kept.
SETTLED_NS = 2_000_000_000
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)


class IndexCache:
    """The rows kept for one mailbox, named by its name, kind and path; ``columns`` maps names to Arrow types' names."""

    def __init__(self, folder: Path | None, mailbox: str, kind: str, path: Path, columns: Mapping[str, str]) -> None:
        key = digest_of([mailbox, kind, os.fsencode(path).hex(), str(VERSION), *columns, *columns.values()])[:16]
        self._file = folder / f"{mailbox}.{key}.parquet" if folder else None
        self._columns = columns

    def load(self) -> dict[str, list[Any]]:
        """The columns as lists of one length; empty lists when there is nothing to be trusted."""
        nothing: dict[str, list[Any]] = {name: [] for name in self._columns}
        if self._file is None or not self._file.exists():
            return nothing
        import pyarrow.parquet as pq  # 0.1 s: only where an index is kept

        try:
            with pq.ParquetFile(self._file) as file:  # read_table loads Arrow's compute functions too, 0.05 s
                table = file.read(columns=list(self._columns))
            if table.schema != self._schema():
                return nothing
            return {name: table.column(name).to_pylist() for name in self._columns}
        except (OSError, ValueError, KeyError):  # Arrow's own errors are of these kinds
            return nothing

    def save(self, rows: Mapping[str, Sequence[Any]]) -> None:
        """Put these columns in place of what was kept."""
        if self._file is None:
            return
        import pyarrow as pa
        import pyarrow.parquet as pq

        part = self._file.with_name(f"{self._file.name}.{secrets.token_hex(4)}.part")
        try:
            table = pa.table({name: list(rows[name]) for name in self._columns}, schema=self._schema())
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                pq.write_table(table, file, compression="zstd")
            os.replace(part, self._file)
        except (OSError, ValueError, OverflowError):  # a time beyond the year 2262 is among them
            with contextlib.suppress(OSError):
                part.unlink()

    def _schema(self) -> Any:
        import pyarrow as pa

        return pa.schema([pa.field(name, pa.type_for_alias(kind)) for name, kind in self._columns.items()])


def file_signature(status: os.stat_result) -> tuple[int, int, int]:
    """What differs once a file was changed: time of change in ns, size in bytes, inode (of 64 bits the lower 63)."""
    return status.st_mtime_ns, status.st_size, status.st_ino & (2**63 - 1)


def instant_to_keep(instant: dt.datetime | None) -> int | None:
    """An aware instant as microseconds since 1970."""
    return None if instant is None else (instant - _EPOCH) // _MICROSECOND


def kept_instant(microseconds: int | None) -> dt.datetime | None:
    """The instant that ``instant_to_keep`` made a number of."""
    return None if microseconds is None else _EPOCH + microseconds * _MICROSECOND
