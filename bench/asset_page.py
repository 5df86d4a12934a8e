"""``python -m bench.asset_page ROUNDS``: a browser opens the asset page of the home that the environment names.

Belongs here: until when a page shows what it is opened for; the least seconds as one line of JSON. What serves it is
profiled elsewhere (profiles).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from selenium.common.exceptions import WebDriverException

from bench.profiles.pages import ASSET, browser_programs
from orders_pipeline.config import home
from orders_pipeline.defs.launch import prepare_instance, project_root
from orders_pipeline.store.folder import DataFolder
from orders_pipeline_tests.browser.chromium import chromium
from orders_pipeline_tests.browser.pages import DagsterPages
from orders_pipeline_tests.browser.server import free_port

_START_SECONDS = 120.0


def main() -> None:
    """Serve the home, without a daemon, and measure."""
    programs = browser_programs()
    assert programs
    prepare_instance(DataFolder(home()).open()).dispose()
    port = free_port()
    workspace = str(project_root() / "workspace.yaml")
    with tempfile.TemporaryDirectory(prefix="orders-bench-") as name:
        server = subprocess.Popen(
            [sys.executable, "-m", "dagster_webserver", "-w", workspace, "-p", str(port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ.copy(),
        )  # fmt: skip
        try:
            with chromium(*programs, Path(name)) as browser:
                pages = DagsterPages(browser, f"http://127.0.0.1:{port}")
                _until_it_answers(pages)
                print(json.dumps(_seconds(pages, int(sys.argv[1]))))
        finally:
            server.terminate()
            server.wait(60)


def _seconds(pages: DagsterPages, rounds: int) -> dict[str, float]:
    views: dict[str, Callable[[], object]] = {
        "its partitions": lambda: pages.partitions(ASSET),
        "its overview": lambda: (pages.open(f"/assets/{ASSET}?view=overview"), pages.see("Latest")),
    }
    least = dict.fromkeys(views, float("inf"))
    for _ in range(rounds + 1):  # the first also fills the browser's own store
        for name, view in views.items():
            began = time.perf_counter()
            view()
            least[name] = min(least[name], time.perf_counter() - began)
            time.sleep(1)  # what a page asks for after it is there must not fall on the next
    return least


def _until_it_answers(pages: DagsterPages) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            return pages.open(f"/assets/{ASSET}")
        except WebDriverException:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    main()
