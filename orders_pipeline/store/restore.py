"""A backup put in the place of a store.

Belongs here: the checks before, and the exchange. The backup is copied and opened aside first; what was there before is
moved into a folder of its own inside the data folder, never deleted. Configuration, DAGSTER_HOME and mail that lie in
the data folder stay where they are. Not here: adopting what the restored state does not know (stages/reconcile.py).
"""

from __future__ import annotations

import datetime as dt
import shutil
import time
from pathlib import Path

from orders_pipeline.errors import StoreError, StoreLocked
from orders_pipeline.store import backup, locks
from orders_pipeline.store.folder import DataFolder, make_folder, sync_folder
from orders_pipeline.store.state import State, connect, migrate
from orders_pipeline.store.store import maintenance_lock

_WAIT = 5.0  # seconds for locks: whoever holds one longer is at work
_STATE = ("state.duckdb", "state.duckdb.wal")
_PARTS = (*_STATE, "orders.duckdb", "orders.duckdb.wal", ".published", "archive", "in_flight")


def restore(folder: DataFolder, source: Path, *, force: bool, now: dt.datetime) -> Path | None:
    """Put the backup ``source`` into the data folder; returns where what was there before went (None: nothing was).

    Raises ``StoreLocked`` while something holds the store, and ``StoreError`` when there is a store and not ``force``,
    or the backup cannot be read. Until the exchange nothing is changed; killed in it, run it again with ``force``.
    """
    source = source.expanduser().absolute()
    backup.read_manifest(source)
    if not (source / "state.duckdb").is_file() or not (source / "archive").is_dir():
        raise StoreError(f"the backup {source} is not complete: state.duckdb or archive/ is missing; use another one")
    if not force and _holds_something(folder):
        raise StoreError(
            f"{folder.root} holds a store already: add --force to move it aside,"
            " or set ORDERS_PIPELINE_HOME to an empty folder"
        )
    folder.open()
    state = State(folder, timeout=_WAIT)
    with (
        maintenance_lock(folder, timeout=_WAIT),
        state.exclusive(),
    ):
        _refuse_when_held(folder)
        staged = folder.root / ".restore.tmp"
        try:
            if staged.exists():
                shutil.rmtree(staged)
            _stage(source, staged)
            aside = _move_aside(folder, now)
            for name in ("archive", "state.duckdb"):
                (staged / name).rename(folder.root / name)
            staged.rmdir()
            sync_folder(folder.root)
        except OSError as error:
            raise StoreError(f"cannot restore to {folder.root}: {error.strerror or error}") from None
        finally:
            shutil.rmtree(staged, ignore_errors=True)
    folder.open()
    return aside


def _holds_something(folder: DataFolder) -> bool:
    return folder.state.exists() or any(folder.archive.glob("*/*"))


def _refuse_when_held(folder: DataFolder) -> None:
    """Runs and days in work, and foreign processes that have the state open."""
    for path in sorted([*folder.locks.glob("day-*.lock"), *folder.locks.glob("run-*.lock")]):
        if locks.is_held(path):
            raise StoreLocked(
                f"{folder.root} is in use: {path.stem.replace('-', ' ', 1)} is held by {locks.holder(path)};"
                " let it finish or end it, then restore"
            )
    if folder.state.exists():
        try:
            connect(folder.state, time.monotonic() + _WAIT).close()
        except StoreLocked:
            raise
        except StoreError:
            pass  # damage is a reason to restore, not to refuse


def _stage(source: Path, staged: Path) -> None:
    make_folder(staged)
    backup.copy_archive(source / "archive", staged / "archive")
    shutil.copyfile(source / "state.duckdb", staged / "state.duckdb")
    (staged / "state.duckdb").chmod(0o600)
    con = connect(staged / "state.duckdb", time.monotonic() + _WAIT)
    try:
        migrate(con, staged / "state.duckdb")
    finally:
        con.close()


def _move_aside(folder: DataFolder, now: dt.datetime) -> Path | None:
    """State first: without it whatever is there of the archive is adopted, while a state without its files is not."""
    there = [name for name in _PARTS if (folder.root / name).exists()]
    if not _holds_something(folder):
        for name in there:
            path = folder.root / name
            (shutil.rmtree if path.is_dir() else Path.unlink)(path)
        return None
    aside = folder.root / f"before-restore-{now.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
    while aside.exists():
        aside = aside.with_name(aside.name + "+")
    make_folder(aside)
    for name in there:
        (folder.root / name).rename(aside / name)
    sync_folder(aside)
    return aside
