"""A pipeline of each test's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from orders_pipeline_tests.harness import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """One empty Maildir, a configuration for it, no store yet."""
    return Scene(tmp_path)
