"""``python -m bench.asset_page ROUNDS``: how soon the asset page of the home that the environment names is there.

Belongs here: until when a page shows what it is opened for; the least seconds as one line of JSON. What serves it is
profiled elsewhere (profiles).
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.asset_pages import ASSET, asset_pages, overview
from orders_pipeline.config import home
from orders_pipeline_tests.browser.pages import DagsterPages


def main() -> None:
    """Serve the home, without a daemon, and measure."""
    with (
        tempfile.TemporaryDirectory(prefix="orders-bench-") as name,
        asset_pages(home(), Path(name)) as pages,
    ):
        print(json.dumps(_seconds(pages, int(sys.argv[1]))))


def _seconds(pages: DagsterPages, rounds: int) -> dict[str, float]:
    views: dict[str, Callable[[], object]] = {
        "its partitions": lambda: pages.partitions(ASSET),
        "its overview": lambda: overview(pages),
    }
    least = dict.fromkeys(views, float("inf"))
    for _ in range(rounds + 1):  # the first also fills the browser's own store
        for name, view in views.items():
            began = time.perf_counter()
            view()
            least[name] = min(least[name], time.perf_counter() - began)
            time.sleep(1)  # what a page asks for after it is there must not fall on the next
    return least


if __name__ == "__main__":
    main()
