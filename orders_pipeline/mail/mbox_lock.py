"""Waiting for whoever writes an mbox file just now.

Belongs here: the two customs of locking that a reader can honour without writing anything. Not here: reading.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import BinaryIO

from orders_pipeline.errors import MailboxError

try:
    import fcntl
except ImportError:  # no such locks on this system
    fcntl = None

WAIT_SECONDS = 5.0
STALE_SECONDS = 600.0
_STEP = 0.1


def wait_for_writer(mailbox: str, path: Path, file: BinaryIO, *, wait: float = WAIT_SECONDS) -> None:
    """Return once nobody holds a lock on the file, else raise ``MailboxError`` after ``wait`` seconds.

    A message half delivered would be saved as a message of its own. Honoured are ``NAME.lock`` files (younger
    than ten minutes) and fcntl locks; the shared lock taken here goes when the file is closed.
    """
    deadline = time.monotonic() + wait
    while _dot_locked(path) or not _shared_lock(file):
        if time.monotonic() >= deadline:
            raise MailboxError(
                f"mailbox {mailbox}: {path} is locked by another program; "
                f"run again when it is done, or remove {path.name}.lock if no program uses the file"
            )
        time.sleep(_STEP)


def _dot_locked(path: Path) -> bool:
    try:
        return time.time() - os.stat(f"{path}.lock").st_mtime < STALE_SECONDS
    except OSError:
        return False


def _shared_lock(file: BinaryIO) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # the file system knows no locks
        return True
    return True
