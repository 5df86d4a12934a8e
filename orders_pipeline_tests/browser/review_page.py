"""The review page as a person uses it: the command, its link, keys, fields, and what the window shows.

Belongs here: words and places of the page, every wait, the window's size and scheme. Not here: what ought to be seen.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from selenium.common.exceptions import StaleElementReferenceException, TimeoutException, WebDriverException
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from orders_pipeline_tests.support import PROJECT, ending_with_us

_T = TypeVar("_T")


@contextlib.contextmanager
def review_command(home: Path, folder: Path) -> Iterator[str]:
    """The link that ``orders-pipeline review`` prints; the command is ended as by Ctrl-C, and must end well."""
    env = {**os.environ, "ORDERS_PIPELINE_HOME": str(home), "PYTHONPATH": str(PROJECT)}
    env.pop("ORDERS_PIPELINE_CONFIG", None)
    command = ending_with_us([sys.executable, "-m", "orders_pipeline.cli", "review", "--no-open", "--port", "0"])
    with (folder / "review.log").open("wb") as errors:
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/start\?token=\S+", line)
        assert found, line + (folder / "review.log").read_text(errors="replace")[-2000:]
        yield found[0]
    finally:
        process.send_signal(2)
        try:
            process.wait(30)
        finally:
            process.kill()
            process.stdout.close() if process.stdout else None
    assert process.returncode == 0, (folder / "review.log").read_text(errors="replace")[-2000:]


class ReviewPage:
    """The page in one browser window."""

    def __init__(self, browser: Chrome, link: str) -> None:
        self.browser, self.base = browser, link.partition("/start")[0]
        browser.get(link)
        self.wait("the first page", lambda: self.case_id or "/queue" in browser.current_url)

    @property
    def case_id(self) -> str:
        """The case whose page is shown; empty on other pages."""
        found = re.search(r"/case/([0-9a-f]+)", self.browser.current_url)
        return found[1] if found else ""

    def open(self, path: str) -> None:
        self.browser.get(self.base + path)

    def text(self) -> str:
        """All that the page shows, as text."""
        return self.browser.execute_script("return document.body.innerText")

    def wait(self, what: str, read: Callable[[], _T], *, seconds: float = 15.0) -> _T:
        """The first truthy value of ``read``. Raises ``AssertionError`` with the page's text when none comes."""
        ignored = (StaleElementReferenceException, WebDriverException)
        try:
            return WebDriverWait(self.browser, seconds, 0.05, ignored).until(lambda _: read())
        except TimeoutException:
            page = f"{self.browser.current_url} shows:\n{self.text()[:3000]}"
            raise AssertionError(f"{what}: not seen within {seconds:.0f} s; {page}") from None

    def press(self, *keys: str) -> None:
        """Press keys with nothing in particular in focus."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def decide(self, key: str) -> tuple[str, str]:
        """Press a key and wait for another page; the case that was shown before, and the one after."""
        before = self.case_id
        self.press(key)
        self.wait(f"what comes after {key}", lambda: self.case_id != before and self.loaded())
        return before, self.case_id

    def loaded(self) -> bool:
        return self.browser.execute_script("return document.readyState") == "complete"

    def field(self, name: str) -> WebElement:
        """A field of the edit form, once it is there."""
        return self._find(f'#edit-form [name="{name}"]')

    def value(self, name: str) -> str:
        return self.field(name).get_property("value")  # type: ignore[return-value]

    def write(self, name: str, text: str) -> None:
        """Replace what a field holds, as by typing."""
        field = self.field(name)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)

    def click(self, selector: str) -> None:
        self._find(selector).click()

    def _find(self, selector: str) -> WebElement:
        """The first such element; a page that a click asked for may take a moment to come."""
        return self.wait(selector, lambda: self.browser.find_element(By.CSS_SELECTOR, selector))

    def resize(self, width: int, height: int, scheme: str = "light") -> None:
        """The window's inner size in CSS pixels, and the colour scheme that the system prefers."""
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def picture(self) -> bytes:
        """The window as a PNG, at its emulated size."""
        shot = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        return base64.b64decode(shot["data"])

    def complaints(self) -> list[str]:
        """What the browser's console says against the page: violations of its policy, errors of its script."""
        return [entry["message"] for entry in self.browser.get_log("browser")]
