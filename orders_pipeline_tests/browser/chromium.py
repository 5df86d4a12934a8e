"""A headless Chromium that keeps nothing and talks to nobody but the page.

Belongs here: starting and ending the browser, waiting, screenshots. Not here: the words and buttons of Dagster's pages.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from orders_pipeline_tests.support import SCREENSHOTS

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--lang=en-US",
)


@contextlib.contextmanager
def chromium(binary: Path, driver: Path, folder: Path, *, width: int = 1280, height: int = 900) -> Iterator[Chrome]:
    """A browser window of the given size in pixels, with a fresh profile in ``folder``."""
    options = ChromeOptions()
    options.binary_location = str(binary)
    for flag in (*_FLAGS, f"--window-size={width},{height}", f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    browser = Chrome(options=options, service=Service(str(driver), log_output=str(folder / "chromedriver.log")))
    try:
        browser.set_page_load_timeout(60)
        yield browser
    finally:
        browser.quit()


class Album:
    """Numbered screenshots of one test: in its folder, and where ``ORDERS_PIPELINE_SCREENSHOTS`` says."""

    def __init__(self, browser: Chrome, folder: Path, name: str) -> None:
        self._browser, self._name, self._count = browser, name, 0
        self._folders = [folder]
        if wanted := os.environ.get(SCREENSHOTS):
            self._folders.append(Path(wanted))

    def take(self, title: str) -> None:
        """Save the window as it is now: ``<test>-03-title.png``."""
        self._count += 1
        picture = self._browser.get_screenshot_as_png()
        for folder in self._folders:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{self._name}-{self._count:02}-{title}.png").write_bytes(picture)
