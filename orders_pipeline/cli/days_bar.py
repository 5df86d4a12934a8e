"""Shows the days of a run as they get done: a bar on a terminal, a line now and then elsewhere.

Belongs here: that display, which is cosmetic: it polls in a thread of its own, and what fails in it harms nobody.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from orders_pipeline.cli.output import console, say

_POLL_SECONDS = 0.3
_LINE_EVERY_DAYS = 5


class DaysBar:
    """Use as a context around the run; ``shown`` counts the days that are done by now."""

    def __init__(self, title: str, shown: Callable[[], int], total: int) -> None:
        self._title, self._shown, self._total = title, shown, total
        self._before, self._said = shown(), 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._bar: Progress | None = None
        if console.is_terminal:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, console=console)
            self._task = self._bar.add_task(title, total=total)

    def __enter__(self) -> None:
        if self._bar:
            self._bar.start()
        else:
            say(f"{self._title}: one Dagster run")
        self._thread.start()

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join(timeout=5)
        self._update(last=True)
        if self._bar:
            self._bar.stop()

    def _poll(self) -> None:
        while not self._ended.wait(_POLL_SECONDS):
            self._update()

    def _update(self, *, last: bool = False) -> None:
        with contextlib.suppress(Exception):
            done = min(self._total, self._shown() - self._before)
            if self._bar:
                self._bar.update(self._task, completed=done)
            elif done > self._said and (last or done - self._said >= _LINE_EVERY_DAYS):
                self._said = done
                say(f"  {done} of {self._total} days done")
