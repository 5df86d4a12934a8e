"""However the process that started a pool ends, the pool's processes end with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from orders_pipeline_tests.support import PROJECT

WAITS, BUSY = "waits /never/there", "number"


def start(*ids: str) -> tuple[subprocess.Popen[str], list[int]]:
    """A process with a busy pool, as the leader of a group of its own, and the ids of the pool's processes."""
    child = subprocess.Popen(
        [sys.executable, "-m", "orders_pipeline_tests.stages.pool_child", *ids],
        cwd=PROJECT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    pids = [int(word) for word in child.stdout.readline().split()]
    assert len(pids) == 2
    return child, pids


def left_of(pids: list[int], seconds: float) -> list[int]:
    """The processes that are still there after so long."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if _is_there(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def _is_there(pid: int) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(shown.strip()) and not shown.strip().startswith("Z")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends with its message")
def test_no_process_outlives_the_one_that_started_it() -> None:
    """A killed run would leave processes that hold memory, one more pair at every try."""
    child, pids = start(WAITS, BUSY)
    os.kill(child.pid, signal.SIGKILL)
    assert left_of(pids, 10) == []
    assert child.communicate(timeout=30) == ("", "")


@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "stopped\n"), (signal.SIGTERM, "")])
def test_a_signal_to_the_whole_group_ends_all_in_silence(number: signal.Signals, said: str) -> None:
    """Ctrl-C reaches each process of the group: one traceback each, and a mail blamed for the death of its process."""
    child, pids = start(WAITS, WAITS)
    os.killpg(child.pid, number)
    assert child.communicate(timeout=30) == (said, "")
    assert left_of(pids, 10) == []
