"""A browser and its album, for the tests that look at the real UI."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from orders_pipeline.store.locks import locked
from orders_pipeline_tests.browser.chromium import Album, chromium
from orders_pipeline_tests.support import require_tool


@pytest.fixture
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One browser test at a time: each runs a web server, a daemon, code servers, run workers and a browser.

    The mark ``xdist_group`` says the same, but pytest 9.2 with pytest-xdist 3.8 passes over it (pytest-xdist #1386).
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with locked(shared / "browser.lock", timeout=900, what="the browser"):
        yield


@pytest.fixture
def browser(tmp_path: Path, alone: None) -> Iterator[Chrome]:
    """A fresh Chromium; the test is skipped where there is none."""
    binary, driver = require_tool("browser", "chromium|chromium-browser|google-chrome", "chromedriver")
    with chromium(binary, driver, tmp_path) as started:
        yield started


@pytest.fixture
def album(browser: Chrome, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Album]:
    """The test's screenshots, the last of them where it ended, be it in failure."""
    name = re.sub(r"\W+", "-", request.node.name.removeprefix("test_"))[:40]
    album = Album(browser, tmp_path / "screenshots", name)
    yield album
    album.take("end")
