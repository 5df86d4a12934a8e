"""A run's claim on its days: an OS lock that dies with the run's process.

Belongs here: taking a run's lock for the life of the process, and telling whether a run that Dagster shows as started
still lives. Dagster's STARTED does not die when the whole tree is killed; the lock does.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path

from orders_pipeline.errors import StoreLocked
from orders_pipeline.store import locks
from orders_pipeline.store.folder import DataFolder

_KEEP_SECONDS = 86_400.0
_held: dict[str, int] = {}
_guard = threading.Lock()


def _path(folder: DataFolder, run_id: str) -> Path:
    return folder.locks / f"run-{run_id}.lock"


def claim_run(folder: DataFolder, run_id: str) -> None:
    """Hold the run's lock until this process ends (or ``release_run``); claiming twice is fine."""
    with _guard:
        if run_id not in _held:
            with contextlib.suppress(StoreLocked):  # a probe of the sensor holds it for a moment; the next op claims
                _held[run_id] = locks.acquire(_path(folder, run_id), timeout=10.0, what=f"the run {run_id}")


def release_run(run_id: str) -> None:
    """Release the run's lock before the process ends (several runs in one process)."""
    with _guard:
        if run_id in _held:
            locks.release(_held.pop(run_id))


def is_alive(folder: DataFolder, run_id: str) -> bool | None:
    """Whether the run's process lives; None when the run has not claimed yet (or its lock file was cleaned away)."""
    path = _path(folder, run_id)
    if not path.exists():
        return None
    return locks.is_held(path)


def clean(folder: DataFolder) -> None:
    """Remove lock files of runs that ended more than a day ago."""
    old = time.time() - _KEEP_SECONDS
    # Most files there are locks of days, one for each day ever taken: a glob looks at each of them three times as long.
    names = [name for name in os.listdir(folder.locks) if name.startswith("run-") and name.endswith(".lock")]
    for path in map(folder.locks.joinpath, names):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < old and not locks.is_held(path):
                path.unlink()
