"""Dagster's pages as a person uses them: what to click, and what they say.

Belongs here: addresses, words and buttons of Dagster's UI (1.13), every wait. Not here: what ought to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from orders_pipeline.defs.cursor import SENSOR

_T = TypeVar("_T")
_REDRAWN = (
    NoSuchElementException,
    StaleElementReferenceException,
    ElementClickInterceptedException,
    ElementNotInteractableException,
)
_DIALOG = "//*[@role='dialog']"


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillRow:
    """How many days of an asset a backfill aimed at, and what became of them."""

    targeted: int
    in_progress: int
    succeeded: int
    failed: int


class DagsterPages:
    """The UI at ``base``, in one browser window."""

    def __init__(self, browser: Chrome, base: str) -> None:
        self.browser, self.base = browser, base

    def open(self, path: str) -> None:
        """Go to a page by its path and query."""
        self.browser.get(self.base + path)

    def text(self) -> str:
        """All that the page shows, as text."""
        return self.browser.execute_script("return document.body.innerText")

    def wait(self, what: str, read: Callable[[], _T | None], *, seconds: float = 30.0) -> _T:
        """The first truthy value of ``read``. Raises ``AssertionError`` with the page's text when none comes."""
        wait = WebDriverWait(self.browser, seconds, poll_frequency=0.25, ignored_exceptions=_REDRAWN)
        try:
            found = wait.until(lambda _: read())
        except TimeoutException:
            page = f"{self.browser.current_url} shows:\n{self.text()[:4000]}"
            raise AssertionError(f"{what}: not seen within {seconds:.0f} s; {page}") from None
        assert found is not None
        return found

    def see(self, pattern: str, *, seconds: float = 30.0) -> re.Match[str]:
        """Wait until the page's text matches a regular expression."""
        return self.wait(pattern, lambda: re.search(pattern, self.text()), seconds=seconds)

    def click(self, xpath: str) -> None:
        """Click the last element that fits (a dialog lies after the page below it), once it can be clicked."""

        def attempt() -> bool:
            found = [e for e in self.browser.find_elements(By.XPATH, xpath) if e.is_displayed() and e.is_enabled()]
            if found:
                found[-1].click()
            return bool(found)

        self.wait(f"click {xpath}", attempt)

    # The asset page: Lineage tab, "Materialize all…", and the dialog.

    def open_lineage(self, asset: str) -> None:
        """The asset's Lineage tab with everything upstream of it."""
        self.open(f"/assets/{asset}?view=lineage&lineageScope=upstream&lineageDepth=5")
        self.see(r"Materialize all…")
        self.see(rf"{asset}\s+Latest event\s+\S")

    def choose_partitions(self, which: Literal["Missing", "Failed"], count: int) -> None:
        """Press "Materialize all…" and choose the days that are missing, or that failed."""
        self.click("//button[contains(., 'Materialize all')]")
        self.see("Launch runs to materialize")
        self.click(f"{_DIALOG}//button[normalize-space()='{which}']")
        self.see(rf"Partition selection\s+{count} partitions?\b")

    def launch_backfill(self) -> str:
        """Press "Launch backfill" and return the new backfill's id."""
        self.click(f"{_DIALOG}//button[contains(., 'Launch backfill')]")
        return self.see(r"Created backfill\s+(\w+)")[1]

    def launch_run(self) -> None:
        """Press "Launch 1 run", which the dialog offers for a single day."""
        self.click(f"{_DIALOG}//button[contains(., 'Launch 1 run')]")
        self.wait("the dialog closes", lambda: "Launch runs to materialize" not in self.text())

    def backfill_ended(self, backfill: str, *, seconds: float = 150.0) -> str:
        """Watch the backfill's page until it ends; returns its status in the UI's word.

        The daemon looks at a backfill every 30 s, so that it ends some 45 s after its launch.
        """
        self.open(f"/runs/b/{backfill}")
        return self.see(r"\nStatus\s+(Succeeded|Completed|Failed|Canceled)\b", seconds=seconds)[1]

    def backfill_row(self, asset: str) -> BackfillRow:
        """The asset's line on the backfill's page."""
        seen = self.see(rf"\b{asset}\s+\d+% completed\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)")
        targeted, in_progress, succeeded, failed = map(int, seen.groups())
        return BackfillRow(targeted=targeted, in_progress=in_progress, succeeded=succeeded, failed=failed)

    # Partitions and checks of an asset.

    def partitions(self, asset: str) -> dict[str, int]:
        """How many days the Partitions tab counts as Failed, Materialized, Materializing, Missing."""
        self.open(f"/assets/{asset}?view=partitions")
        seen = self.see(r"Failed \((\d+)\)\s+Materialized \((\d+)\)\s+Materializing \((\d+)\)\s+Missing \((\d+)\)")
        return dict(zip(("failed", "materialized", "materializing", "missing"), map(int, seen.groups()), strict=True))

    def why_failed(self, asset: str, day: str) -> str:
        """Open the failed day on the Partitions tab, then "View logs"; returns the run's failure as shown there."""
        self.open(f"/assets/{asset}?view=partitions&partition={day}")
        self.see("failed, and did not materialize this asset")
        self.click("//button[contains(., 'View logs')]")
        return self.see(r"RUN_FAILURE\s+(?s:(.+?))\s+Stack Trace")[1]

    def checks(self, asset: str) -> dict[str, str]:
        """Every check on the asset's Checks tab and the word below its name."""
        self.open(f"/assets/{asset}?view=checks")
        count = int(self.see(r"Checks \((\d+)\)")[1])
        pattern = re.compile(r"\n(\w+)\n(Succeeded|Failed|Skipped|Execution failed|In Progress|Not evaluated)\n")

        def read() -> dict[str, str] | None:
            found = dict(pattern.findall(self.text()))
            return found if len(found) == count else None

        return self.wait(f"{count} checks", read)

    def execute_checks(self, asset: str) -> dict[str, str]:
        """Press "Execute all" on the Checks tab; returns the checks as ``checks`` does when none is in progress."""
        self.checks(asset)
        self.click("//button[contains(., 'Execute all')]")
        self.see("In Progress")
        self.wait("no check in progress", lambda: "In Progress" not in self.text(), seconds=90)
        return self.checks(asset)

    def check_says(self, asset: str, check: str) -> str:
        """What the latest execution of a check says, with its metadata."""
        self.open(f"/assets/{asset}?view=checks&checkDetail={check}")
        return self.see(r"Latest execution\s+((?s:.+?))\s+Plots")[1]

    # The sensor's page.

    def open_sensor(self) -> None:
        """The page of the sensor that owns the cursor."""
        self.open(f"/locations/__repository__@orders_pipeline/sensors/{SENSOR}")
        self.see(r"Frequency\s+~30 sec")

    def sensor_is_on(self) -> bool:
        """Whether the toggle on the sensor's page is on."""
        return self._toggle().is_selected()

    def turn_sensor_on(self) -> None:
        """Press the toggle and wait until it is on."""
        self.click("//*[*/@type='checkbox'] | //*[@type='checkbox']")
        self.wait("the sensor's toggle is on", self.sensor_is_on)

    def sensor_cursor(self, expected: str, *, seconds: float = 60.0) -> str:
        """Wait for a tick that leaves the cursor at a day; returns the cursor as the page shows it."""
        return self.see(rf"\nCursor\s+(\{{[^}}]*\"{expected}\"[^}}]*\}})", seconds=seconds)[1]

    def _toggle(self) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, "input[type=checkbox]")
