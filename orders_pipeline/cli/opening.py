"""Opening configuration and store for a command, and reading days from arguments."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator

import typer

from orders_pipeline.cli.output import complain
from orders_pipeline.config import home, load_config
from orders_pipeline.days import day_of, days_between
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
    first, dots, last = text.partition("..")
    try:
        days = dt.date.fromisoformat(first), dt.date.fromisoformat(last if dots else first)
    except ValueError:
        raise BadDays(f"{text!r} is no day and no range: write 2026-05-11 or 2026-05-11..2026-05-17") from None
    if days[0] > days[1]:
        raise BadDays(f"{text!r} runs backwards: write the earlier day first")
    return days


def closed_days_of(job: Work, text: str) -> list[dt.date]:
    """The days that ``text`` names (see ``parse_days``), each a closed day from the start date on.

    Raises ``BadDays`` for any other: a slip of the pen must not cost a million days, nor look as if there was nothing.
    """
    first, last = parse_days(text)
    begin, end = job.config.start_date, day_of(job.now(), job.store.zone) - dt.timedelta(days=1)
    if first < begin or last > end:
        raise BadDays(f"{text!r} is not within the days from the start date to yesterday, {begin}..{end}")
    return days_between(first, last)


JSON_OPTION = typer.Option(False, "--json", help="Print JSON instead of a table.")
