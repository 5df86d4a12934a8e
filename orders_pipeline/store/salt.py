"""The secret that redaction is salted with: made once, kept in the data folder, readable by its owner alone.

Belongs here: that file. It is no part of a backup: with it, whoever holds a redacted number could test guesses of it.
"""

from __future__ import annotations

import os
import secrets

from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import DataFolder, sync_folder

SALT_BYTES = 32
_NAME = "redaction.salt"


def redaction_salt(folder: DataFolder) -> bytes:
    """The salt of a data folder; two processes that ask first at the same time get the same.

    Raises ``StoreError`` when the file cannot be made or read, or others can read it.
    """
    path = folder.root / _NAME
    try:
        if not path.exists():
            fresh = path.with_name(f".{_NAME}.{secrets.token_hex(4)}.tmp")
            with open(fresh, "xb", opener=lambda name, flags: os.open(name, flags | os.O_CLOEXEC, 0o600)) as handle:
                handle.write(secrets.token_bytes(SALT_BYTES))
                handle.flush()
                os.fsync(handle.fileno())
            try:
                os.link(fresh, path)  # unlike a rename it never replaces what another process was faster to make
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
            sync_folder(folder.root)
        with path.open("rb") as handle:
            mode, salt = os.fstat(handle.fileno()).st_mode & 0o777, handle.read(SALT_BYTES + 1)
    except OSError as error:
        raise StoreError(f"cannot use {path}: {error.strerror}; check its owner and permissions") from None
    if mode & 0o077:
        raise StoreError(f"others can read {path} (mode {mode:03o}); run: chmod 600 {path}")
    if len(salt) != SALT_BYTES:
        raise StoreError(f"{path} is cut short: remove it, then a new one is made (redacted values will be others)")
    return salt
