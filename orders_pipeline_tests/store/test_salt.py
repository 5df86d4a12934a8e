"""The secret behind redacted values."""

from __future__ import annotations

from pathlib import Path

import pytest

from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.salt import SALT_BYTES, redaction_salt


def test_it_is_made_once_and_is_private(tmp_path: Path) -> None:
    """A new salt a run would give other values in each export; a readable one lets numbers be guessed."""
    folder = DataFolder(tmp_path / "home").open()
    salt = redaction_salt(folder)
    assert len(salt) == SALT_BYTES
    assert redaction_salt(folder) == salt
    assert (folder.root / "redaction.salt").stat().st_mode & 0o777 == 0o600
    assert redaction_salt(DataFolder(tmp_path / "other").open()) != salt


@pytest.mark.parametrize("fault", ["wide", "short"])
def test_one_that_is_no_secret_is_refused(tmp_path: Path, fault: str) -> None:
    """Redaction with a known salt looks fine and protects nothing."""
    folder = DataFolder(tmp_path / "home").open()
    redaction_salt(folder)
    path = folder.root / "redaction.salt"
    if fault == "wide":
        path.chmod(0o644)
    else:
        path.write_bytes(b"")
    with pytest.raises(StoreError, match=r"redaction\.salt"):
        redaction_salt(folder)
