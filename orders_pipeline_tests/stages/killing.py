"""Starting a process and killing it (kill -9, with everything that it started) at a named point.

Belongs here: what tests of kills share. The points are those of ``orders_pipeline.crash_points``.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from orders_pipeline.crash_points import STOP_AT, STOPPED

KILLED = -signal.SIGKILL


def start(command: Sequence[str], environ: Mapping[str, str], folder: Path) -> subprocess.Popen[bytes]:
    """Start ``python ...`` as the leader of a group of its own, its output in ``child.log``."""
    with (folder / "child.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, *command], cwd=folder, env=environ, stdout=log, stderr=log, start_new_session=True
        )


def kill_group(child: subprocess.Popen[bytes]) -> int:
    """Kill the whole group of a child that ``start`` started; returns its exit status."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    return child.wait(timeout=30)


def kill_at(
    point: str, command: Sequence[str], environ: Mapping[str, str], folder: Path, *, timeout: float = 120.0
) -> None:
    """Run a command until it, or a process that it started, reaches ``point`` (NAME or NAME:COUNT); kill them all."""
    mark = folder / "stopped"
    mark.unlink(missing_ok=True)
    child = start(command, {**environ, STOP_AT: point, STOPPED: str(mark)}, folder)
    try:
        deadline = time.monotonic() + timeout
        while not mark.exists():
            assert child.poll() is None, f"ended before {point}: {(folder / 'child.log').read_text()[-2000:]}"
            assert time.monotonic() < deadline, f"{point} was not reached"
            time.sleep(0.01)
    finally:
        kill_group(child)
    assert child.returncode == KILLED
