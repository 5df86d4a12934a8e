"""The published copy: the file that people, notebooks and the listing commands open.

Belongs here: making ``orders.duckdb`` equal to the state, atomically. Readers keep the copy that they opened.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil

from orders_pipeline.crash_points import reach
from orders_pipeline.errors import StoreError
from orders_pipeline.store.attached import log_of
from orders_pipeline.store.folder import sync_folder
from orders_pipeline.store.store import Store


def publish(store: Store) -> bool:
    """Publish the state if the copy is behind it; returns whether it was.

    Raises ``StoreError`` when the copy cannot be written (a full disk, say): the old copy stays.
    """
    folder = store.folder
    mark = folder.root / ".published"
    reach("publish.before")
    with store.state.exclusive() as deadline:
        for left in folder.root.glob(".orders.*.tmp"):  # by a killed process: nobody else publishes under this lock
            left.unlink(missing_ok=True)
        with store.state.connected(deadline) as con:
            generation = con.execute("SELECT value FROM store_meta WHERE key = 'generation'").fetchall()[0][0]
            if folder.published.exists() and mark.exists() and mark.read_bytes() == generation.encode():
                return False
            con.execute("CHECKPOINT")  # so that the copy needs no log
        # Only now, with no connection left in this process, may the file be opened as a file: closing such a handle
        # drops the process's DuckDB lock.
        if log_of(folder.state).exists():
            return False
        temporary = folder.root / f".orders.{secrets.token_hex(4)}.tmp"
        try:
            with folder.state.open("rb") as source, temporary.open("wb") as target:
                temporary.chmod(0o600)
                shutil.copyfileobj(source, target, 4 * 1024 * 1024)
                target.flush()
                os.fsync(target.fileno())
            reach("publish.copied")
            # Who wrote into the old copy and was killed left a log that fits no new copy: DuckDB would not open it.
            log_of(folder.published).unlink(missing_ok=True)
            temporary.rename(folder.published)
            reach("publish.renamed")
            mark.write_bytes(generation.encode())
            mark.chmod(0o600)
            sync_folder(folder.root)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise StoreError(
                f"cannot publish {folder.published}: {error.strerror or error}; the old copy stays"
            ) from None
    return True
