"""Local days and moments in them.

Belongs here: turning a local day and a place in it into an instant, with the zone's real offsets. Not here: choosing.
"""

from __future__ import annotations

import datetime as dt
import zoneinfo

# Moments just inside a day: thirty seconds after its start, thirty before its end.
BORDER = dt.timedelta(seconds=30)


def day_span(day: dt.date, zone: zoneinfo.ZoneInfo) -> tuple[dt.datetime, dt.datetime]:
    """First instant of a local day and of the next one, in UTC: 23, 24 or 25 hours apart where clocks change."""
    midnights = (dt.datetime.combine(d, dt.time.min, zone) for d in (day, day + dt.timedelta(days=1)))
    start, end = (midnight.astimezone(dt.UTC) for midnight in midnights)
    return start, end


def moment(day: dt.date, zone: zoneinfo.ZoneInfo, seconds: int) -> dt.datetime:
    """The instant so many seconds into a local day, in the zone; never outside of the day."""
    start, end = day_span(day, zone)
    latest = max(start, end - BORDER)
    return min(start + dt.timedelta(seconds=seconds), latest).astimezone(zone)


def first_moment(day: dt.date, zone: zoneinfo.ZoneInfo) -> dt.datetime:
    """Thirty seconds into the day: 00:00:30, where the day starts at midnight."""
    return moment(day, zone, int(BORDER.total_seconds()))


def last_moment(day: dt.date, zone: zoneinfo.ZoneInfo) -> dt.datetime:
    """Thirty seconds before the day ends: 23:59:30."""
    return moment(day, zone, 2 * 86_400)
