"""A state file that cannot be read, out of the way.

Belongs here: telling damage from all else, and keeping the damaged file. Not here: making a new one (rebuild.py).
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from orders_pipeline.errors import StoreDamaged, StoreError
from orders_pipeline.store.attached import log_of
from orders_pipeline.store.folder import DataFolder, sync_folder
from orders_pipeline.store.state import State

_WAIT = 30.0


def set_aside_damaged(folder: DataFolder, *, now: dt.datetime) -> Path | None:
    """Rename the state file and its log when they cannot be read; returns the new path, None when all is well.

    Raises ``StoreLocked`` while something holds the store.
    """
    if not folder.state.exists():
        return None
    state = State(folder.open(), timeout=_WAIT)
    try:
        with state.reading() as con:
            con.execute("SELECT * FROM store_meta").fetchall()
            return None
    except StoreDamaged:
        pass
    aside = folder.state.with_name(f"state.damaged-{now.astimezone(dt.UTC):%Y%m%dT%H%M%S%fZ}.duckdb")
    with state.exclusive():
        try:
            for path, name in ((folder.state, aside.name), (log_of(folder.state), log_of(aside).name)):
                if path.exists():
                    path.rename(path.with_name(name))
            sync_folder(folder.root)
        except OSError as error:
            raise StoreError(f"cannot set {folder.state} aside: {error.strerror}") from None
    return aside
