"""The archive: immutable files that hold what cannot be recomputed.

Belongs here: saving and reading mail, listings, verdicts and acts as files. A file is written under a temporary name,
fsynced and renamed: the rename is the save. Not here: tables, which are derived from these files.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from orders_pipeline.crash_points import reach
from orders_pipeline.encoding import canonical_json, digest_of
from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import sync_folder

_TIME = pa.timestamp("us", tz="UTC")

MAIL_SCHEMA = pa.schema(
    [
        pa.field("message_id", pa.string(), nullable=False),
        pa.field("raw", pa.binary()),
        pa.field("has_raw", pa.bool_(), nullable=False),  # false: one more location of a message saved elsewhere
        pa.field("received_at", _TIME),
        pa.field("mailbox", pa.string(), nullable=False),
        pa.field("location", pa.string(), nullable=False),
        pa.field("size", pa.int64(), nullable=False),
        pa.field("saved_at", _TIME, nullable=False),
    ]
)
LISTING_SCHEMA = pa.schema(
    [
        pa.field("mailbox", pa.string(), nullable=False),
        pa.field("messages", pa.int64(), nullable=False),
        pa.field("listing_digest", pa.string(), nullable=False),
        pa.field("locations", pa.list_(pa.string()), nullable=False),
        pa.field("listed_at", _TIME, nullable=False),
    ]
)
VERDICT_SCHEMA = pa.schema(
    [
        pa.field("message_id", pa.string(), nullable=False),
        pa.field("parse_digest", pa.string(), nullable=False),
        pa.field("judge", pa.string(), nullable=False),
        pa.field("judge_version", pa.string(), nullable=False),
        pa.field("reasons", pa.string(), nullable=False),
        pa.field("judged_at", _TIME, nullable=False),
    ]
)
_SCHEMAS = {"mail": MAIL_SCHEMA, "listings": LISTING_SCHEMA, "verdicts": VERDICT_SCHEMA}
UNPLACED = "unplaced"


def day_folder(day: dt.date | None) -> str:
    """The folder name of a day, ``day=2026-05-11``; None is the folder of unplaced mail."""
    return f"day={day.isoformat() if day else UNPLACED}"


def day_of_file(path: str) -> dt.date | None:
    """The day that an archive file belongs to, by its folder; None for unplaced mail."""
    name = path.split("/")[-2].removeprefix("day=")
    return None if name == UNPLACED else dt.date.fromisoformat(name)


class Archive:
    """The archive below ``root``. Paths in and out are relative to it, with forward slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def save(self, kind: str, day: dt.date | None, rows: Sequence[Mapping[str, Any]]) -> str:
        """Save rows as one file of a day and return its path. Saving the same rows again is the same file.

        ``kind`` is mail, listings or verdicts. The name is a digest of the rows' keys, not of the times of saving.
        Raises ``StoreError`` when the disk refuses.
        """
        schema = _SCHEMAS[kind]
        keys = [n for n in schema.names if not n.endswith("_at") and n != "raw"]
        name = digest_of(canonical_json([row[k] for k in keys]) for row in rows)[:32]
        relative = f"{kind}/{day_folder(day)}/{name}.parquet"
        table = pa.Table.from_pylist([dict(row) for row in rows], schema=schema)
        self._write(relative, lambda path: pq.write_table(table, path, compression="zstd"))
        return relative

    def save_act(self, act: Mapping[str, Any]) -> str:
        """Save what a person decided: one JSON file an act, named by its id."""
        relative = f"acts/{act['act_id']}.json"
        data = json.dumps(act, ensure_ascii=False, indent=1, sort_keys=True).encode()
        self._write(relative, lambda path: path.write_bytes(data))
        return relative

    def files(self, kind: str, day: dt.date | None) -> list[str]:
        """The saved files of a day, sorted."""
        folder = self.root / kind / day_folder(day)
        return [f"{kind}/{folder.name}/{name}" for name in _names(folder, ".parquet")]

    def all_files(self, kind: str) -> list[str]:
        """Every saved file of a kind, sorted."""
        if kind == "acts":
            return [f"acts/{name}" for name in _names(self.root / "acts", ".json")]
        days = _names(self.root / kind, "")
        return [f"{kind}/{day}/{name}" for day in days for name in _names(self.root / kind / day, ".parquet")]

    def read(self, path: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one Parquet file. Raises ``StoreError`` when it is missing or damaged, naming it."""
        try:
            return pq.ParquetFile(self.root / path).read(columns=list(columns) if columns else None)
        except FileNotFoundError:
            raise StoreError(
                f"the archive file {self.root / path} is missing: restore it from a backup of the archive folder"
            ) from None
        except (OSError, pa.ArrowException) as error:
            line = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise StoreError(
                f"the archive file {self.root / path} cannot be read ({line}): restore it from a backup"
            ) from None

    def read_act(self, path: str) -> dict[str, Any]:
        """Read one act. Raises ``StoreError`` when it is missing or damaged."""
        try:
            return json.loads((self.root / path).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreError(
                f"the archive file {self.root / path} cannot be read ({error}): restore it from a backup"
            ) from None

    def raw_messages(self, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        """Yield (message id, bytes) for ``wanted``: message id -> archive file. One file is in memory at a time.

        Raises ``StoreError`` when a file is missing, or does not hold a message that it should.
        """
        by_file: dict[str, set[str]] = {}
        for message_id, path in wanted.items():
            by_file.setdefault(path, set()).add(message_id)
        for path, ids in sorted(by_file.items()):
            table = self.read(path, ["message_id", "raw"])
            for message_id, raw in zip(table["message_id"].to_pylist(), table["raw"], strict=True):
                if message_id in ids and raw.is_valid:
                    ids.discard(message_id)
                    yield message_id, raw.as_py()
            if ids:
                raise StoreError(
                    f"the archive file {self.root / path} lacks message {min(ids)}: restore it from a backup"
                )

    def _write(self, relative: str, write: Any) -> None:
        target = self.root / relative
        if target.exists():
            return
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
        kind = relative.partition("/")[0]
        reach(f"archive.{kind}.before")
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(temporary)
            temporary.chmod(0o600)
            handle = os.open(temporary, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            reach(f"archive.{kind}.written")
            temporary.rename(target)
            sync_folder(target.parent)
            reach(f"archive.{kind}.renamed")
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise StoreError(f"cannot save to the archive at {target.parent}: {error.strerror or error}") from None


def file_digest(path: Path) -> str:
    """SHA-256 (hex) of a file, read in blocks."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _names(folder: Path, suffix: str) -> list[str]:
    try:
        return sorted(n for n in os.listdir(folder) if n.endswith(suffix) and not n.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"cannot read the archive folder {folder}: {error.strerror}") from None
