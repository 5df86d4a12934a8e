"""The asset pages of Dagster's UI in a real browser: what the profile and the measurement open.

Belongs here: the web server, without a daemon, the browser, waiting for both. Not here: what is made of it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from selenium.common.exceptions import WebDriverException

from orders_pipeline.defs.launch import prepare_instance, project_root
from orders_pipeline.store.folder import DataFolder
from orders_pipeline_tests.browser.chromium import chromium
from orders_pipeline_tests.browser.pages import DagsterPages
from orders_pipeline_tests.browser.server import free_port
from orders_pipeline_tests.support import ending_with_us

ASSET = "parsed_orders"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_START_SECONDS = 120.0


def browser_programs() -> tuple[Path, Path] | None:
    """Chromium and its driver, where both are here."""
    found = [next(filter(None, map(shutil.which, names)), None) for names in (_BROWSERS, ("chromedriver",))]
    return (Path(found[0]), Path(found[1])) if found[0] and found[1] else None


@contextlib.contextmanager
def asset_pages(home: Path, folder: Path) -> Iterator[DagsterPages]:
    """The pages of a home that is served until the block ends; log and browser profile go to ``folder``.

    The environment names the configuration. Raises ``WebDriverException`` when the server does not come up.
    """
    programs = browser_programs()
    assert programs
    prepare_instance(DataFolder(home).open()).dispose()
    port, workspace = free_port(), project_root() / "workspace.yaml"
    command = ending_with_us([sys.executable, "-m", "dagster_webserver", "-w", workspace, "-p", port])
    with (folder / "ui.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, env=os.environ.copy())
    try:
        with chromium(*programs, folder) as browser:
            pages = DagsterPages(browser, f"http://127.0.0.1:{port}")
            _until_it_answers(pages)
            yield pages
    finally:
        server.terminate()
        server.wait(60)


def overview(pages: DagsterPages) -> None:
    """Open the asset's overview and wait for its words."""
    pages.open(f"/assets/{ASSET}?view=overview")
    pages.see("Latest")


def _until_it_answers(pages: DagsterPages) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            return pages.open(f"/assets/{ASSET}")
        except WebDriverException:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)
