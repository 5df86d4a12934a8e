"""The state file: every table, opened by this module alone.

Belongs here: the lock, the connection, transactions, migrations. Not here: what any table means. A caller gets one
transaction and must not wait on the network, a model or a parse inside it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.resources
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import StoreDamaged, StoreError, StoreLocked
from orders_pipeline.store import locks
from orders_pipeline.store.attached import BLOCK_BYTES, STORAGE, attached, keep_private, set_up
from orders_pipeline.store.folder import DataFolder

_CREATE_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "storage_compatibility_version": STORAGE,
    "default_block_size": BLOCK_BYTES,
}
_LOCKED = "Could not set lock on file"
_IN_USE = "Unique file handle conflict"
_NO_SPACE = re.compile(r"No space left|File too large|quota exceeded|Could not write", re.IGNORECASE)
_DAMAGE = (duckdb.FatalException, duckdb.InternalException, duckdb.IOException, duckdb.SerializationException)
_HOLDER = re.compile(r"held in (.{0,200}?)\(PID (\d{1,10})\)")


class State:
    """The state file of a data folder. Every use takes the lock, connects, and closes."""

    def __init__(self, folder: DataFolder, *, timeout: float) -> None:
        self._path = folder.state
        self._lock = folder.locks / "state.lock"
        self._timeout = timeout

    @contextlib.contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """One write transaction: committed when the block ends, rolled back when it raises.

        Raises ``StoreLocked`` when the lock or the file is held for longer than the timeout, and ``StoreError`` when
        the file is damaged or the disk refuses.
        """
        with self.exclusive() as deadline, self.connected(deadline) as con, transacting(con):
            yield con
            con.execute("UPDATE store_meta SET value = (value::BIGINT + 1)::VARCHAR WHERE key = 'generation'")

    @contextlib.contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A consistent view, under the same lock; nothing that is written in it stays. Raises as ``transaction``."""
        with self.exclusive() as deadline, self.connected(deadline) as con:
            con.execute("BEGIN")
            try:
                yield con
            finally:
                with contextlib.suppress(duckdb.Error):
                    con.execute("ROLLBACK")

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[float]:
        """Hold the store's lock without a connection (to copy or replace the file); yields the deadline."""
        deadline = time.monotonic() + self._timeout
        with locks.locked(self._lock, timeout=self._timeout, what=f"the store {self._path.parent}"):
            yield deadline

    @contextlib.contextmanager
    def connected(self, deadline: float) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection without a transaction, for who holds the lock (``exclusive``); the file is closed after it."""
        with contextlib.ExitStack() as stack:
            con = opened(self._path, deadline, lambda: stack.enter_context(attached(self._path)))
            with told(self._path):
                keep_private(self._path)
                migrate(con, self._path)
                yield con


def connect(path: Path, deadline: float) -> duckdb.DuckDBPyConnection:
    """Open a state file read-write in an instance of its own; close it. Waits and raises as ``opened``."""
    return opened(path, deadline, lambda: _open(path))


def opened(path: Path, deadline: float, open_it: Callable[[], duckdb.DuckDBPyConnection]) -> duckdb.DuckDBPyConnection:
    """What ``open_it`` opens, waiting until ``deadline`` (monotonic) for a foreign process to close the file.

    Raises ``StoreLocked`` when it does not, ``StoreDamaged`` when the file is none of ours.
    """
    while True:
        try:
            return open_it()
        except duckdb.IOException as error:
            text = str(error)
            if _LOCKED not in text:
                raise StoreDamaged(_damaged(path, error)) from None
            if time.monotonic() >= deadline:
                raise StoreLocked(
                    f"{path} is open in {_foreign_holder(text)}: close it there and read orders.duckdb instead"
                ) from None
            time.sleep(0.05 + random.random() * 0.1)  # noqa: S311  (jitter, not a secret)
        except duckdb.Error as error:
            if isinstance(error, duckdb.ConnectionException) or _IN_USE in str(error):
                # Not damage: one process opens a file once.
                raise StoreLocked(f"{path} is open elsewhere in this process: close that connection first") from None
            raise StoreDamaged(_damaged(path, error)) from None


def _open(path: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(path, config=_CREATE_CONFIG)
    try:
        set_up(con)
        keep_private(path)
    except BaseException:
        con.close()
        raise
    return con


@contextlib.contextmanager
def transacting(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """BEGIN, and COMMIT when the block ends or ROLLBACK when it raises."""
    con.execute("BEGIN")
    try:
        yield
        con.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(duckdb.Error):
            con.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what DuckDB says of a damaged file or a refusing disk into a ``StoreError``; faults in SQL pass through."""
    try:
        yield
    except duckdb.Error as error:
        if _NO_SPACE.search(str(error)):
            raise StoreError(
                f"cannot write {path}: {_first_line(error)}; make room on its disk, then run again"
            ) from None
        if isinstance(error, _DAMAGE) or "Corrupt database file" in str(error):
            raise StoreDamaged(_damaged(path, error)) from None
        raise


def migrate(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Bring the schema up to date, one transaction a step. Raises ``StoreError`` on a version newer than ours."""
    steps = migrations()
    version = schema_version(con)
    if version > len(steps):
        raise StoreError(
            f"{path} was written by a newer orders-pipeline (schema {version}, this one knows {len(steps)}):"
            " upgrade orders-pipeline, or set ORDERS_PIPELINE_HOME to another folder"
        )
    for number, sql in enumerate(steps[version:], start=version + 1):
        with transacting(con):
            if number == 1:
                con.execute("CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TIMESTAMPTZ NOT NULL)")
            con.execute(sql)
            con.execute("INSERT INTO schema_version VALUES (?, now())", [number])
            if number == 1:
                con.execute("INSERT INTO store_meta VALUES ('generation', '0')")
            elif version:  # the copy for readers is behind, although no row changed
                con.execute("UPDATE store_meta SET value = (value::BIGINT + 1)::VARCHAR WHERE key = 'generation'")


@functools.cache
def migrations() -> list[str]:
    """The SQL of every migration, in order of its number."""
    folder = importlib.resources.files("orders_pipeline.store.migrations")
    names = sorted(f.name for f in folder.iterdir() if f.name.endswith(".sql"))
    return [folder.joinpath(name).read_text(encoding="utf-8") for name in names]


def schema_version(con: duckdb.DuckDBPyConnection) -> int:
    """The version of a file's schema; 0 for a file without tables."""
    try:  # asking for the list of tables first takes longer than all else here
        return con.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchall()[0][0]
    except duckdb.CatalogException:
        return 0


def _foreign_holder(text: str) -> str:
    if found := _HOLDER.search(text):
        pid = int(found[2])
        return f"process {pid} ({locks.process_name(pid) or found[1].strip()})"
    return "another process"


def _damaged(path: Path, error: Exception) -> str:
    return (
        f"cannot open {path}: {_first_line(error)}; `orders-pipeline rebuild` sets it aside and makes it"
        " again from the archive"
    )


def _first_line(error: Exception) -> str:
    return printable_line(next(iter(str(error).splitlines()), "") or type(error).__name__, 200)
