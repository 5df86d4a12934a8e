"""The pictures of the review page in docs/: ``python -m orders_pipeline_tests.browser.review_pictures docs``.

Belongs here: the demo's data, the page over it, three views of it. Not here: tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from orders_pipeline_tests.browser.chromium import chromium
from orders_pipeline_tests.browser.review_page import ReviewPage, review_command
from orders_pipeline_tests.support import PROJECT


def main(target: Path) -> None:
    """Write the pictures into a folder. Raises ``AssertionError`` without a browser, or when the page does not come."""
    tools = [shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")]
    assert all(tools), "chromium and chromedriver are needed (Debian: chromium, chromium-driver)"
    binary, driver = (Path(tool) for tool in tools if tool)
    with tempfile.TemporaryDirectory(prefix="review-pictures-") as name:
        folder = Path(name)
        home = folder / "home"
        env = {**os.environ, "ORDERS_PIPELINE_HOME": str(home), "PYTHONPATH": str(PROJECT)}
        subprocess.run([sys.executable, "-m", "orders_pipeline.cli", "demo"], cwd=folder, env=env, check=True)
        with review_command(home, folder) as link, chromium(binary, driver, folder) as browser:
            page = ReviewPage(browser, link)
            _take(page, target / "review.png", 1280, 800, "light")
            page.decide("j")
            page.press("e")
            page.wait("the form", lambda: page.field("orders.0.total"))
            _take(page, target / "review-edit.png", 1280, 800, "dark")
            page.click("#cancel")
            page.wait("the case", lambda: "/edit" not in browser.current_url and page.loaded())
            page.decide("a")
            _take(page, target / "review-phone.png", 390, 760, "light")


def _take(page: ReviewPage, target: Path, width: int, height: int, scheme: str) -> None:
    page.resize(width, height, scheme)
    page.wait("the page", page.loaded)
    page.browser.execute_async_script("setTimeout(arguments[0], 400)")  # the frame is drawn
    target.write_bytes(page.picture())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
