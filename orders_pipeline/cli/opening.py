"""Opening configuration and store for a command, and reading days from arguments."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator

import typer

from orders_pipeline.cli.output import complain
from orders_pipeline.config import home, load_config
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store


@contextlib.contextmanager
def work() -> Iterator[Work]:
    """The work of one command: the store that the environment names, under its configuration."""
    config = load_config()
    work = Work(store=open_store(home(), config), config=config, warn=complain)
    try:
        yield work
    finally:
        work.close()


class BadDays(OrdersPipelineError):
    """A day or range on the command line that is none."""


def parse_days(text: str) -> tuple[dt.date, dt.date]:
    """``2026-05-11`` or ``2026-05-11..2026-05-17``, both included. Raises ``BadDays``."""
    first, _, last = text.partition("..")
    try:
        days = dt.date.fromisoformat(first), dt.date.fromisoformat(last or first)
    except ValueError:
        raise BadDays(f"{text!r} is no day and no range: write 2026-05-11 or 2026-05-11..2026-05-17") from None
    if days[0] > days[1]:
        raise BadDays(f"{text!r} runs backwards: write the earlier day first")
    return days


JSON_OPTION = typer.Option(False, "--json", help="Print JSON instead of a table.")
