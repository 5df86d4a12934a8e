"""Locks: held by one, gone with its process, waited for no longer than was said."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from orders_pipeline.errors import StoreError, StoreLocked
from orders_pipeline.store import locks
from orders_pipeline_tests.store.builders import process

HOLD = """
import sys, time
from pathlib import Path
from orders_pipeline.store import locks
sys.argv = ["a-long-rebuild", "now"]
with locks.locked(Path("{path}"), timeout=5, what="it"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.lock"


def free(path: Path) -> bool:
    try:
        with locks.locked(path, timeout=0, what="it"):
            return True
    except StoreLocked:
        return False


def comes_free(path: Path) -> bool:
    """Whether the lock is free for good: a thread that was left in the queue gets its turn, and gives it back."""
    until = time.monotonic() + 10
    while any(t.name == "lock-wait" for t in threading.enumerate()) or not free(path):
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def test_the_deadline_is_kept_and_the_holder_is_named(path: Path) -> None:
    """A run that waits for ever on a hung process is a run that nobody sees failing."""
    with process(HOLD.format(path=path)) as holder:
        began = time.monotonic()
        with pytest.raises(StoreLocked) as caught, locks.locked(path, timeout=0.5, what="the store"):
            pass
        assert 0.45 < time.monotonic() - began < 5
        said = str(caught.value)
        assert said.startswith(f"the store is locked by process {holder.pid} (a-long-rebuild now)")
        assert "try again" in said


def test_a_lock_dies_with_its_process(path: Path) -> None:
    """A lock that outlives a kill -9 stops every run until a person deletes a file."""
    with process(HOLD.format(path=path)) as holder:
        assert locks.is_held(path)
        threading.Timer(0.3, lambda: os.kill(holder.pid, signal.SIGKILL)).start()
        with locks.locked(path, timeout=20, what="it"):
            assert locks.is_held(path)
    assert not locks.is_held(path)


def test_an_exec_does_not_inherit_a_lock(path: Path) -> None:
    """A browser started by a command would hold the store until it is closed."""
    with locks.locked(path, timeout=0, what="it"):
        child = process("import time; print('up', flush=True); time.sleep(60)")
        child.__enter__()
    try:
        assert free(path)
    finally:
        child.__exit__(None, None, None)


def test_two_threads_of_one_process_exclude_each_other(path: Path) -> None:
    """DuckDB would hand both the same connection, and one would close it under the other."""
    with locks.locked(path, timeout=0, what="it"):
        assert not free(path)
    assert free(path)


def test_a_wait_that_was_given_up_gives_the_lock_back(path: Path) -> None:
    """The waiting thread cannot be stopped: what it gets after the deadline would be held by nobody, for ever."""
    first = locks.acquire(path, timeout=0, what="it")
    with pytest.raises(StoreLocked):
        locks.acquire(path, timeout=0.1, what="it")
    locks.release(first)
    assert comes_free(path)


def test_a_wait_that_was_interrupted_gives_the_lock_back(path: Path) -> None:
    """Ctrl-C in a notebook that waited left the lock with the notebook's process."""
    first = locks.acquire(path, timeout=0, what="it")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            locks.acquire(path, timeout=20, what="it")
    finally:
        signal.signal(signal.SIGINT, before)
    locks.release(first)
    assert comes_free(path)


def test_a_wait_inside_an_except_block_gets_the_lock(path: Path) -> None:
    """What is being handled when the wait begins must not be taken for its interruption."""
    first = locks.acquire(path, timeout=0, what="it")
    threading.Timer(0.2, lambda: locks.release(first)).start()
    try:
        raise ValueError
    except ValueError:
        with locks.locked(path, timeout=20, what="it"):
            assert locks.is_held(path)
    assert comes_free(path)


def test_probing_takes_nothing_and_creates_nothing(path: Path) -> None:
    """A probe that leaves a file or a lock behind turns a dead run into a living one."""
    assert not locks.is_held(path)
    assert not path.exists()
    assert free(path)
    assert not locks.is_held(path)
    assert free(path)


def test_a_lock_file_is_private_and_loses_its_signature(path: Path) -> None:
    """A signature that stays names a process that has long ended."""
    with locks.locked(path, timeout=0, what="it"):
        assert locks.holder(path).startswith(f"process {os.getpid()} (")
        assert path.stat().st_mode & 0o777 == 0o600
    assert locks.holder(path) == "another process"


def test_a_folder_that_is_gone_is_told_in_one_line(tmp_path: Path) -> None:
    """An OSError out of a run names neither the store nor what to look at."""
    with pytest.raises(StoreError, match=r"cannot lock the store: .*No such file.*check its owner"):
        locks.acquire(tmp_path / "none" / "x.lock", timeout=0, what="the store")
