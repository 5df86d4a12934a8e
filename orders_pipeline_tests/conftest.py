"""What holds for every test: no trace of the user's own set-up, and properties that give the same verdict twice.

Belongs here: fixtures and hooks for all tests. Not here: fixtures of one subject (in its own folder's conftest.py).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

from orders_pipeline_tests.support import PROJECT, REQUIRE, SCREENSHOTS

# Before any test module is read: processes that tests start inherit the clean environment too. TZ stays as it is.
_OURS = (REQUIRE, SCREENSHOTS)
for _name in [n for n in os.environ if n.startswith(("ORDERS_PIPELINE_", "DAGSTER_")) and n not in _OURS]:
    del os.environ[_name]
os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"

# Two shared cores make any deadline a matter of luck; in CI a run must not depend on chance.
set_hypothesis_home_dir(PROJECT / ".hypothesis")
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def _the_usual_umask() -> Iterator[None]:
    """The command line narrows the umask of its process, which is this one where a test calls it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def _away_from_the_users_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder: the configuration and the data folder of a checkout in use lie in the current one."""
    monkeypatch.chdir(tmp_path)
