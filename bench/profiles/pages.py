"""A browser on the asset pages of Dagster's UI, for the profile of what serves them.

Belongs here: the web server, the pages, waiting for them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from orders_pipeline.defs.launch import prepare_instance, project_root
from orders_pipeline.store.folder import DataFolder
from orders_pipeline_tests.browser.chromium import chromium
from orders_pipeline_tests.browser.pages import DagsterPages
from orders_pipeline_tests.browser.server import free_port

ASSET = "parsed_orders"
TIMES = 5


def browser_programs() -> tuple[Path, Path] | None:
    """Chromium and its driver, where both are here."""
    found = [next(filter(None, map(shutil.which, names)), None) for names in (_BROWSERS, ("chromedriver",))]
    return (Path(found[0]), Path(found[1])) if found[0] and found[1] else None


_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def open_pages(folder: Path) -> None:
    """Serve the home in ``folder`` without a daemon and open the asset's partitions and overview, five times."""
    programs = browser_programs()
    assert programs
    prepare_instance(DataFolder(folder / "home").open()).dispose()
    port = free_port()
    workspace = str(project_root() / "workspace.yaml")
    command = [sys.executable, "-m", "dagster_webserver", "-w", workspace, "-p", str(port)]
    with (folder / "ui.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, env=os.environ.copy())
    try:
        with chromium(*programs, folder) as browser:
            pages = DagsterPages(browser, f"http://127.0.0.1:{port}")
            _until_it_answers(pages)
            for _ in range(TIMES):
                pages.partitions(ASSET)
                pages.open(f"/assets/{ASSET}?view=overview")
                pages.see(r"Latest")
    finally:
        server.terminate()
        server.wait(60)


def _until_it_answers(pages: DagsterPages) -> None:
    for _ in range(120):
        try:
            pages.open(f"/assets/{ASSET}")
        except Exception:  # the server is not there yet
            time.sleep(0.5)
        else:
            return
    raise RuntimeError("the web server does not come up: see ui.log")
