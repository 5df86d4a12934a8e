"""A store of each test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store; nothing waits longer than three seconds."""
    return Store(DataFolder(tmp_path / "data").open(), zone="Europe/Berlin", lock_timeout=3.0)
