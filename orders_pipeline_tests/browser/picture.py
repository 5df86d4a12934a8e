"""The README's picture of the asset graph: ``python -m orders_pipeline_tests.browser.picture docs/asset-graph.png``.

Belongs here: a store with everything materialized, the real UI's lineage page over it, the part of it that shows the
graph. Not here: tests.
"""

from __future__ import annotations

import base64
import os
import shutil
import sys
import tempfile
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from orders_pipeline_tests.browser.chromium import chromium
from orders_pipeline_tests.browser.pages import DagsterPages
from orders_pipeline_tests.browser.server import dagster_ui
from orders_pipeline_tests.browser.store import make_store

_GROUPS = ("days", "current")
_ASSETS = ("fetched_emails", "parsed_orders", "proposed_eval_cases", "orders", "order_alerts", "case_queue")
_WIDTH, _MARGIN = 1280, 20
_WINDOW = (1760, 1300)  # in a smaller one the graph shows names alone


def main(target: Path) -> None:
    """Write the picture. Raises ``AssertionError`` when there is no browser or the UI does not come up."""
    tools = [shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")]
    assert all(tools), "chromium and chromedriver are needed (Debian: chromium, chromium-driver)"
    binary, driver = (Path(tool) for tool in tools if tool)
    os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"
    with tempfile.TemporaryDirectory(prefix="orders-picture-") as name:
        folder = Path(name)
        store = make_store(folder / "store", days=14, done=14, per_day=20)
        with (
            dagster_ui(store.env, folder) as address,
            chromium(binary, driver, folder, width=_WINDOW[0], height=_WINDOW[1]) as browser,
        ):
            picture = _lineage(browser, address)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(picture)


def _lineage(browser: Chrome, address: str) -> bytes:
    ui = DagsterPages(browser, address)
    path = "/asset-groups?expanded=" + ",".join(f"global@global:{group}" for group in _GROUPS)
    ui.open(path)
    ui.click("//button[contains(., 'Hide navigation')]")
    ui.click("//button[not(contains(., 'navigation'))][.//*[@aria-label='panel_show_right']]")
    ui.open(path)  # the graph fits itself into the page, which is larger now
    for asset in _ASSETS:
        ui.see(rf"\b{asset}\s+Latest event\s+\d")
    left, top, width, height = _graph(browser)
    clip = {"x": left, "y": top, "width": width, "height": height, "scale": _WIDTH / width}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip})
    return base64.b64decode(shot["data"])


def _graph(browser: Chrome) -> tuple[float, float, float, float]:
    """Left, top, width and height in pixels of the rectangle around all nodes and groups of the graph."""
    boxes = [e.rect for e in browser.find_elements(By.CSS_SELECTOR, "svg foreignObject")]
    left, top = min(b["x"] for b in boxes) - _MARGIN, min(b["y"] for b in boxes) - _MARGIN
    right, bottom = max(b["x"] + b["width"] for b in boxes), max(b["y"] + b["height"] for b in boxes)
    return left, top, right + _MARGIN - left, bottom + _MARGIN - top


if __name__ == "__main__":
    main(Path(sys.argv[1]))
