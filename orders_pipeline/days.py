"""Days: which local day an instant falls on, and which days are over.

Belongs here: the arithmetic of partition keys, pure. Not here: Dagster's partitions definition (defs/partitions.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from orders_pipeline.models import Window


def day_of(instant: dt.datetime, zone: ZoneInfo) -> dt.date:
    """The day whose window holds an aware instant.

    That is its local date, except where a clock was set back over midnight (St. John's until 2011): the hour that is
    there twice belongs to the new day then, for a day is one span of instants.
    """
    day = instant.astimezone(zone).date()
    return day if instant < day_window(day, zone).end else day + dt.timedelta(days=1)


def day_window(day: dt.date, zone: ZoneInfo) -> Window:
    """The instants of a local day: 23, 24 or 25 hours, from its first to the next day's first."""
    return Window(start=_first_instant(day, zone), end=_first_instant(day + dt.timedelta(days=1), zone))


def closed_days(start: dt.date, now: dt.datetime, zone: ZoneInfo) -> list[dt.date]:
    """The days from ``start`` that are over at ``now``; today is not among them."""
    last = day_of(now, zone) - dt.timedelta(days=1)
    return days_between(start, last)


def days_between(first: dt.date, last: dt.date) -> list[dt.date]:
    """Every day from first to last, both included; empty when last lies before first."""
    return [dt.date.fromordinal(n) for n in range(first.toordinal(), last.toordinal() + 1)]


def ranges(days: Iterable[dt.date], longest: int) -> list[tuple[dt.date, dt.date]]:
    """Split days (any order) into contiguous ranges of at most ``longest`` days, oldest first."""
    out: list[tuple[dt.date, dt.date]] = []
    for day in sorted(set(days)):
        if out and (day - out[-1][1]).days == 1 and (day - out[-1][0]).days < longest:
            out[-1] = (out[-1][0], day)
        else:
            out.append((day, day))
    return out


def _first_instant(day: dt.date, zone: ZoneInfo) -> dt.datetime:
    """The first midnight, or where a zone's clock skips midnight, the first instant after the gap."""
    # fold=0: the first of two midnights; and of a midnight in a gap, the instant when the clock was set forward. (A
    # gap that begins before midnight and ends after it: no zone has had one since 1970.)
    return dt.datetime.combine(day, dt.time(), tzinfo=zone).astimezone(dt.UTC)
