"""Making every table again from the archive.

Belongs here: the new state file from mail, listings, verdicts and acts; parses and cases follow through the ordinary
stages. Nothing is fetched and nothing is paid for: verdicts that stand are taken over.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable

from orders_pipeline.encoding import printable_line
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store import ledger, rebuild
from orders_pipeline.store.frames import rows
from orders_pipeline.store.publish import publish


def rebuild_store(
    work: Work, *, progress: Callable[[dt.date, int, int], None] | None = None
) -> tuple[int, tuple[dt.date, ...]]:
    """Rebuild the state from the archive; returns the number of days, and those that could not be parsed or reviewed.

    Such a day is warned of and not done, and costs no other. The old copy stays published until the end. A kill in the
    middle leaves a state whose remaining days are not done; running again, or the sensor, goes on.
    """
    failed: list[dt.date] = []
    with work.store.maintenance_lock():
        rebuild.from_archive(work.store, now=work.now())
    with work.store.state.reading() as con:
        days = [r["day"] for r in rows(con, "SELECT day FROM stage_days WHERE stage = ? ORDER BY day", [ledger.FETCH])]
    for number, day in enumerate(days, start=1):
        try:
            with work.store.day_lock(day):
                parse_day(work, day, pays=False)
                review_day(work, day, pays=False)
        except Exception as error:
            work.warn(f"{day} is not done: {printable_line(f'{type(error).__name__}: {error}', 300)}")
            failed.append(day)
        if progress:
            with contextlib.suppress(Exception):
                progress(day, number, len(days))
    refresh_current(work)
    publish(work.store)
    return len(days), tuple(failed)
