"""Operating-system locks: held by a process, gone with it.

Belongs here: taking, probing and naming the holder of a lock file. Not here: what a lock protects.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from orders_pipeline.errors import StoreError, StoreLocked


@contextlib.contextmanager
def locked(path: Path, *, timeout: float, what: str) -> Iterator[None]:
    """Hold an exclusive lock on the file at ``path``; created when missing.

    Waits in the kernel's queue (fairer than polling) for ``timeout`` seconds, then raises ``StoreLocked`` with the
    holder's name, or ``StoreError`` when the file system refuses. ``what`` says for people what is locked.
    """
    handle = acquire(path, timeout=timeout, what=what)
    try:
        yield
    finally:
        release(handle)


def acquire(path: Path, *, timeout: float, what: str) -> int:
    """Take the lock and return its file handle; closing it, or the death of the process, releases the lock."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError(f"cannot lock {what}: {path}: {error.strerror}; check its owner and permissions") from None
    if not _try(handle, path, what) and not _wait(handle, path, timeout, what):
        raise StoreLocked(
            f"{what} is locked by {holder(path)}; waited {timeout:.0f} s: let it finish or end it, then try again"
        )
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


def _try(handle: int, path: Path, what: str) -> bool:
    """Take the lock if it is free; on an error the handle is closed."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except BaseException as error:
        os.close(handle)
        if isinstance(error, OSError):
            raise _refused(error, path, what) from None
        raise
    return True


def _wait(handle: int, path: Path, timeout: float, what: str) -> bool:
    """Wait in a thread of its own: a blocking flock has no deadline. True when the lock is ours.

    When we stop waiting, on the deadline or on an exception (Ctrl-C), the thread stays in the queue; what it gets then
    it gives back at once.
    """
    if timeout <= 0:
        # Nobody to leave in the queue: a thread that is would hold the lock for a moment, long after we said no.
        os.close(handle)
        return False
    turn = threading.Lock()
    done = threading.Event()
    failure: OSError | None = None
    abandoned = False

    def block() -> None:
        nonlocal failure
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:
            failure = error
        with turn:
            if abandoned or failure:
                os.close(handle)
            done.set()

    threading.Thread(target=block, daemon=True, name="lock-wait").start()
    waiting = True
    try:
        done.wait(max(0.0, min(timeout, threading.TIMEOUT_MAX)))
        waiting = False
    finally:
        with turn:
            abandoned = not done.is_set()
            if waiting and done.is_set() and failure is None:
                os.close(handle)  # got it in the moment of the interruption
    if failure:
        raise _refused(failure, path, what)
    return not abandoned


def _refused(error: OSError, path: Path, what: str) -> StoreError:
    return StoreError(f"cannot lock {what}: {path}: {error.strerror}; a data folder belongs on a local disk")
