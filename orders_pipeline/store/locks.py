"""Operating-system locks: held by a process, gone with it.

Belongs here: taking, probing and naming the holder of a lock file. Not here: what a lock protects.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from orders_pipeline.errors import StoreLocked


@contextlib.contextmanager
def locked(path: Path, *, timeout: float, what: str) -> Iterator[None]:
    """Hold an exclusive lock on the file at ``path``; created when missing.

    Waits in the kernel's queue (fairer than polling) for ``timeout`` seconds, then raises ``StoreLocked`` with the
    holder's name. ``what`` says for people what is locked.
    """
    handle = acquire(path, timeout=timeout, what=what)
    try:
        yield
    finally:
        release(handle)


def acquire(path: Path, *, timeout: float, what: str) -> int:
    """Take the lock and return its file handle; closing it, or the death of the process, releases the lock."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not _wait(handle, timeout):
            raise StoreLocked(
                f"{what} is locked by {holder(path)}; waited {timeout:.0f} s: let it finish or end it, then try again"
            ) from None
    except BaseException:
        os.close(handle)
        raise
    _sign(handle)
    return handle


def release(handle: int) -> None:
    """Release a lock taken with ``acquire``."""
    with contextlib.suppress(OSError):
        os.ftruncate(handle, 0)
    os.close(handle)


def is_held(path: Path) -> bool:
    """Whether some process holds the lock now. A missing file is not held."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def holder(path: Path) -> str:
    """Who signed the lock file, as ``process 123 (orders-pipeline rebuild)``."""
    try:
        pid, _, name = path.read_text(encoding="utf-8", errors="replace").partition(" ")
    except OSError:
        return "another process"
    return f"process {pid} ({name.strip()})" if pid else "another process"


def process_name(pid: int) -> str:
    """The command of a process, shortened; "" when it cannot be told."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return " ".join(w.decode("utf-8", "replace") for w in words if w)[:80]


def _sign(handle: int) -> None:
    # The signature is for people; a failure to write it must not cost the lock.
    with contextlib.suppress(OSError):
        os.ftruncate(handle, 0)
        name = " ".join([Path(sys.argv[0] or "python").name, *sys.argv[1:2]])
        os.pwrite(handle, f"{os.getpid()} {name[:80]}".encode("utf-8", "replace"), 0)


def _wait(handle: int, timeout: float) -> bool:
    """Wait in a thread of its own: a blocking flock has no deadline. True when the lock is ours."""
    state = threading.Lock()
    taken = threading.Event()
    abandoned = False

    def block() -> None:
        nonlocal abandoned
        try:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX)
                    break
                except InterruptedError:
                    continue
        except OSError:
            os.close(handle)
            return
        with state:
            if abandoned:
                os.close(handle)
            else:
                taken.set()

    threading.Thread(target=block, daemon=True, name="lock-wait").start()
    deadline = time.monotonic() + timeout
    while not taken.wait(max(0.0, min(1.0, deadline - time.monotonic()))):
        if time.monotonic() >= deadline:
            with state:
                if taken.is_set():
                    return True
                abandoned = True
            return False
    return True
