"""The archive: immutable files that hold what cannot be recomputed.

Belongs here: saving and reading mail, listings, verdicts, answers, calls and acts as files. A file is written under a
temporary name, fsynced and renamed: the rename is the save. Not here: tables, which are derived from these files.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from orders_pipeline.crash_points import reach
from orders_pipeline.encoding import canonical_json, digest_of
from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import make_folder, sync_folder
from orders_pipeline.store.frames import arrow_table

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
        pa.field("panel", pa.string()),  # the judges that the parse owed a verdict when this one was given
        pa.field("confidence", pa.float64()),
    ]
)
CALL_SCHEMA = pa.schema(
    [
        pa.field("call_id", pa.string(), nullable=False),
        pa.field("purpose", pa.string(), nullable=False),
        pa.field("subject", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("started_at", _TIME, nullable=False),
        pa.field("seconds", pa.float64(), nullable=False),
        pa.field("input_tokens", pa.int64(), nullable=False),
        pa.field("output_tokens", pa.int64(), nullable=False),
        pa.field("estimated", pa.bool_(), nullable=False),
        pa.field("cost", pa.string()),  # a decimal number; null without prices
        pa.field("fault", pa.string(), nullable=False),
        pa.field("error", pa.string(), nullable=False),
    ]
)
ANSWER_SCHEMA = pa.schema(
    [
        pa.field("message_id", pa.string(), nullable=False),
        pa.field("version", pa.string(), nullable=False),
        pa.field("answer", pa.string(), nullable=False),
        pa.field("answered_at", _TIME, nullable=False),
    ]
)
_SCHEMAS = {
    "mail": MAIL_SCHEMA,
    "listings": LISTING_SCHEMA,
    "verdicts": VERDICT_SCHEMA,
    "answers": ANSWER_SCHEMA,
    "calls": CALL_SCHEMA,
}
_LATER = {"verdicts": ("panel", "confidence")}  # columns that the first files of a kind lack
_PARQUET: dict[str, Any] = {
    "compression": "zstd",
    "compression_level": 9,  # 3 % less than level 3 for 4 ms a MB of mail; level 15 saves 2 % more for 50 ms
    # Without checksums 95 % of flipped bits in a mail file went unseen, with them none. 8 ms for 200 mails.
    "write_page_checksum": True,
    # A file is read whole. Statistics would hold its least and greatest mail once more, uncompressed, and a day of five
    # mails has dictionaries and a schema in two notations that are larger than what they describe: 14 kB became 5.
    "write_statistics": False,
    "use_dictionary": False,
    "store_schema": False,
}
_ACT_KEYS = {"act_id", "kind", "subject", "payload", "who", "acted_at"}
UNPLACED = "unplaced"


def day_folder(day: dt.date | None) -> str:
    """The folder name of a day, ``day=2026-05-11``; None is the folder of unplaced mail."""
    return f"day={day.isoformat() if day else UNPLACED}"


def day_of_file(path: str) -> dt.date | None:
    """The day that an archive file belongs to, by its folder; None for unplaced mail.

    Raises ``StoreError`` when the folder is none of ours.
    """
    name = path.split("/")[-2].removeprefix("day=")
    try:
        return None if name == UNPLACED else dt.date.fromisoformat(name)
    except ValueError:
        raise StoreError(f"the archive folder of {path} is no day: move it out of the archive") from None


class Archive:
    """The archive below ``root``. Paths in and out are relative to it, with forward slashes."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def save(self, kind: str, day: dt.date | None, rows: Sequence[Mapping[str, Any]]) -> str:
        """Save rows as one file of a day and return its path. Saving the same rows again is the same file.

        ``kind`` is mail, listings, verdicts, answers or calls. The name is a digest of the rows, for mail without bytes
        and times: a message is the same whenever it is saved, while of listings and verdicts the later one counts.
        Raises ``StoreError`` when the disk refuses.
        """
        schema = _SCHEMAS[kind]
        keys = [n for n in schema.names if kind != "mail" or not (n.endswith("_at") or n == "raw")]
        name = digest_of(canonical_json([row[k] for k in keys]) for row in rows)[:32]
        relative = f"{kind}/{day_folder(day)}/{name}.parquet"
        table = arrow_table({name: [row[name] for row in rows] for name in schema.names}, schema)
        self._write(relative, lambda path: pq.write_table(table, path, **_PARQUET))
        return relative

    def save_act(self, act: Mapping[str, Any]) -> str:
        """Save what a person decided: one JSON file an act, named by its id."""
        relative = f"acts/{act['act_id']}.json"
        data = json.dumps(act, ensure_ascii=False, indent=1, sort_keys=True).encode()
        self._write(relative, lambda handle: handle.write(data))
        return relative

    def files(self, kind: str, day: dt.date | None) -> list[str]:
        """The saved files of a day, sorted."""
        folder = self.root / kind / day_folder(day)
        return [f"{kind}/{folder.name}/{name}" for name in _names(folder, ".parquet")]

    def all_files(self, kind: str) -> list[str]:
        """Every saved file of a kind, sorted."""
        if kind == "acts":
            return [f"acts/{name}" for name in _names(self.root / "acts", ".json")]
        folder = f"{self.root}/{kind}"  # text: joining a path a day took as long as listing its folder
        days = [name for name in _names(folder, "") if name.startswith("day=")]
        return [f"{kind}/{day}/{name}" for day in days for name in _names(f"{folder}/{day}", ".parquet")]

    def read(self, path: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one Parquet file. Raises ``StoreError`` when it is missing or damaged, naming it."""
        try:
            with pq.ParquetFile(self.root / path, page_checksum_verification=True) as file:
                table = file.read(columns=list(columns) if columns else None)
        except FileNotFoundError:
            raise StoreError(
                f"the archive file {self.root / path} is missing: restore it from a backup of the archive folder"
            ) from None
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:  # the last: of a column's name
            line = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise StoreError(
                f"the archive file {self.root / path} cannot be read ({line}): restore it from a backup"
            ) from None
        kind = path.partition("/")[0]
        schema = _SCHEMAS[kind]
        for name in _LATER.get(kind, ()):
            if columns is None and name not in table.column_names:
                table = table.append_column(schema.field(name), pa.nulls(table.num_rows, schema.field(name).type))
        # What a column is made of is said in a footer without checksum: a time could have become another time.
        right = {f.name for f in table.schema if f.name in schema.names and f.type == schema.field(f.name).type}
        if lacking := set(columns or schema.names) - right:
            raise StoreError(
                f"the archive file {self.root / path} lacks {', '.join(sorted(lacking))}: restore it from a backup"
            )
        return table

    def read_act(self, path: str) -> dict[str, Any]:
        """Read one act. Raises ``StoreError`` when it is missing or damaged."""
        try:
            act = json.loads((self.root / path).read_text(encoding="utf-8"))
            if not isinstance(act, dict) or not act.keys() >= _ACT_KEYS:
                raise ValueError("no act")
            if dt.datetime.fromisoformat(act["acted_at"]).tzinfo is None:
                raise ValueError("its time has no zone")
        except (OSError, ValueError, TypeError, RecursionError) as error:
            raise StoreError(
                f"the archive file {self.root / path} cannot be read ({error}): restore it from a backup"
            ) from None
        return act

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

    def sweep(self, day: dt.date | None) -> int:
        """Remove what killed processes left half written among a day's files, unplaced mail and acts; how many."""
        folders = {self.root / kind / day_folder(d) for kind in _SCHEMAS for d in (day, None)} | {self.root / "acts"}
        return sum(_swept(f / name) for f in folders for name in _names(f, ".tmp", hidden=True))

    def _write(self, relative: str, write: Callable[[BinaryIO], object]) -> None:
        target = self.root / relative
        if target.exists():
            return
        temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
        kind = relative.partition("/")[0]
        reach(f"archive.{kind}.before")
        try:
            make_folder(target.parent)
            with open(temporary, "xb", opener=_private) as handle:
                fcntl.flock(handle, fcntl.LOCK_EX)  # dies with this process: a sweep tells by it whether we live
                write(handle)
                handle.flush()
                os.fsync(handle.fileno())
                reach(f"archive.{kind}.written")
                temporary.rename(target)
            sync_folder(target.parent)
            reach(f"archive.{kind}.renamed")
        except BaseException as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            if not isinstance(error, OSError):
                raise
            raise StoreError(f"cannot save to the archive at {target.parent}: {error.strerror or error}") from None


def file_digest(path: Path) -> str:
    """SHA-256 (hex) of a file, read in blocks."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)


def _swept(temporary: Path) -> bool:
    try:
        with temporary.open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            temporary.unlink()
    except OSError:  # somebody writes it now, or another sweep was faster
        return False
    return True


def _names(folder: Path | str, suffix: str, *, hidden: bool = False) -> list[str]:
    try:
        return sorted(n for n in os.listdir(folder) if n.endswith(suffix) and n.startswith(".") is hidden)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"cannot read the archive folder {folder}: {error.strerror}") from None
