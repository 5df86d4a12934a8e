"""The store of one data folder, opened for one configuration.

Belongs here: opening, the fixed zone, the day's lock. Not here: what is read or written (one module a subject beside
this one).
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

from orders_pipeline.config import Config
from orders_pipeline.errors import StoreError
from orders_pipeline.store import frames, locks
from orders_pipeline.store.archive import Archive
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.state import State


class Store:
    """Archive, state and locks of one data folder."""

    def __init__(self, folder: DataFolder, *, zone: str, lock_timeout: float) -> None:
        self.folder = folder
        self.zone = ZoneInfo(zone)
        self.archive = Archive(folder.archive)
        self.state = State(folder, timeout=lock_timeout)
        self._lock_timeout = lock_timeout

    @contextlib.contextmanager
    def maintenance_lock(self, *, timeout: float = 600.0) -> Iterator[None]:
        """Hold off the other commands that copy or rewrite the archive as a whole: backup, forget, rebuild."""
        with maintenance_lock(self.folder, timeout=timeout):
            yield

    @contextlib.contextmanager
    def day_lock(self, day: dt.date, *, timeout: float | None = None) -> Iterator[None]:
        """Hold a day: two runs of one day go one after the other. Raises ``StoreLocked`` after the timeout."""
        path = self.folder.locks / f"day-{day.isoformat()}.lock"
        wait = max(self._lock_timeout, 600.0) if timeout is None else timeout
        with locks.locked(path, timeout=wait, what=f"the day {day}"):
            yield


@contextlib.contextmanager
def maintenance_lock(folder: DataFolder, *, timeout: float = 600.0) -> Iterator[None]:
    """The same for a folder whose store is not open (a restore)."""
    what = "the archive (backup, restore, forget or rebuild)"
    with locks.locked(folder.locks / "maintenance.lock", timeout=timeout, what=what):
        yield


def open_store(home: Path, config: Config) -> Store:
    """Open (or create) the store at ``home`` for a configuration.

    Raises ``StoreError`` when the folder cannot be used, the schema is newer, or the store was made for another zone.
    """
    store = Store(DataFolder(home).open(), zone=config.zone, lock_timeout=config.store.lock_timeout_seconds)
    with store.state.reading() as con:
        known = _stored_zone(con)
    if known is None:
        with store.state.transaction() as con:
            known = _stored_zone(con)
            if known is None:
                con.execute("INSERT INTO store_meta VALUES ('zone', ?)", [config.zone])
                known = config.zone
    if known != config.zone:
        raise StoreError(
            f"the store {home} was made for the zone {known}, the configuration says {config.zone}: days would change"
            f' their mail. Set zone = "{known}" again, or set ORDERS_PIPELINE_HOME to a new folder and fetch anew'
        )
    return store


def _stored_zone(con: frames.Connection) -> str | None:
    found = con.execute("SELECT value FROM store_meta WHERE key = 'zone'").fetchall()
    return found[0][0] if found else None
