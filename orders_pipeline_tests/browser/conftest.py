"""A browser and its album, for the tests that look at the real UI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from orders_pipeline_tests.browser.chromium import Album, chromium
from orders_pipeline_tests.support import require_tool


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
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
