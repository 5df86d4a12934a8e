"""A missing tool is told, and where it is required it cannot be missed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from orders_pipeline_tests.support import PROJECT, REQUIRE, require_tool

PRESENT = Path(sys.executable).name
ABSENT = "no-such-program-anywhere"


@pytest.fixture
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    monkeypatch.delenv(REQUIRE, raising=False)


@pytest.mark.usefixtures("on_path")
def test_a_tool_that_is_there_is_found_under_its_first_name() -> None:
    """A browser has another name on each system."""
    assert [path.name for path in require_tool("browser", f"{ABSENT}|{PRESENT}", PRESENT)] == [PRESENT, PRESENT]


@pytest.mark.usefixtures("on_path")
def test_a_missing_tool_skips_and_says_which() -> None:
    """A skip without a reason hides for years that nothing is tested."""
    with pytest.raises(pytest.skip.Exception, match=f"browser: not on this machine: {ABSENT}"):
        require_tool("browser", PRESENT, ABSENT)


@pytest.mark.usefixtures("on_path")
def test_a_missing_tool_fails_where_it_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    """In CI a browser test that skips is a test that nobody runs."""
    monkeypatch.setenv(REQUIRE, "imap, browser")
    with pytest.raises(pytest.fail.Exception, match=f"browser is required by {REQUIRE}, but .*{ABSENT}"):
        require_tool("browser", ABSENT)


def test_tests_start_without_the_users_settings() -> None:
    """A test that reads the user's configuration reads the user's mail."""
    names = [n for n in os.environ if n.startswith("ORDERS_PIPELINE_") and n != REQUIRE]
    assert names == []
    assert "DAGSTER_HOME" not in os.environ
    assert Path.cwd() != PROJECT
    assert not any(Path.cwd().iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process that its parent died")
def test_a_server_of_the_tests_ends_when_they_are_killed() -> None:
    """A test run that was killed left a whole Dagster behind, which went on for hours."""
    server = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(300)"]
    code = (
        "import os, subprocess, sys; from orders_pipeline_tests.support import ending_with_us;"
        f" subprocess.Popen(ending_with_us({server!r})); import time; time.sleep(300)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, stdout=subprocess.PIPE) as tests:
        assert tests.stdout is not None
        assert tests.stdout.readline() == b"up\n"
        tests.kill()
        assert tests.stdout.read() == b""  # its end: nobody holds the pipe any more
