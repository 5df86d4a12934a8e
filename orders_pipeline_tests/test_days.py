"""Every instant lies in the window of exactly one day, whatever a zone's clock does."""

from __future__ import annotations

import datetime as dt
import itertools
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.days import closed_days, day_of, day_window, days_between, ranges

ZONES = [
    "Europe/Berlin", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati", "America/Havana",
    "Asia/Beirut", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Cairo", "UTC",
]  # fmt: skip
HALF_HOUR = dt.timedelta(minutes=30)
# (zone, day, hours): set forward, set back, midnight skipped or there twice, a whole day skipped
LENGTHS = [
    ("Europe/Berlin", "2026-03-29", 23), ("Europe/Berlin", "2026-10-25", 25), ("Europe/Berlin", "2026-05-11", 24),
    ("America/New_York", "2026-03-08", 23), ("America/New_York", "2026-11-01", 25),
    ("America/Havana", "2026-03-08", 23), ("America/Havana", "2026-11-01", 25),
    ("Asia/Beirut", "2026-03-29", 23), ("Asia/Beirut", "2026-10-24", 25),
    ("Australia/Lord_Howe", "2026-10-04", 23.5), ("America/St_Johns", "2010-11-07", 25),
    ("Pacific/Apia", "2011-12-30", 0.0),
    ("Asia/Kolkata", "2026-03-29", 24), ("Pacific/Kiritimati", "2026-03-29", 24),
]  # fmt: skip


@pytest.mark.parametrize(("zone", "day", "hours"), LENGTHS)
def test_a_day_is_as_long_as_its_clock_makes_it(zone: str, day: str, hours: float) -> None:
    """A day taken for 24 hours loses or doubles an hour of mail twice a year."""
    window = day_window(dt.date.fromisoformat(day), ZoneInfo(zone))
    assert (window.end - window.start).total_seconds() / 3600 == hours


@pytest.mark.parametrize("year", [2010, 2011, 2026])
@pytest.mark.parametrize("zone", ZONES)
def test_a_message_every_half_hour_lands_in_exactly_one_window(zone: str, year: int) -> None:
    """A gap between two windows is mail that nobody ever lists; an overlap is mail on two days."""
    tz = ZoneInfo(zone)
    windows = {d: day_window(d, tz) for d in days_between(dt.date(year, 1, 1), dt.date(year, 12, 31))}
    days = list(windows)
    for before, after in itertools.pairwise(days):
        assert windows[before].end == windows[after].start
    instant, last = windows[days[0]].start, windows[days[-1]].end
    near = 0
    while instant < last:
        while instant not in windows[days[near]]:
            near += 1
        assert day_of(instant, tz) == days[near]
        assert sum(instant in windows[d] for d in days[max(0, near - 2) : near + 3]) == 1
        instant += HALF_HOUR


@given(
    st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2037, 12, 31), timezones=st.just(dt.UTC)),
    st.sampled_from(ZONES),
)
def test_day_of_agrees_with_day_window(instant: dt.datetime, zone: str) -> None:
    """Fetching goes by windows and re-listing by days: where they differ, a day reopens for ever."""
    tz = ZoneInfo(zone)
    assert instant in day_window(day_of(instant, tz), tz)


def test_today_is_no_closed_day() -> None:
    """A day taken before it is over is done without the mail of its evening."""
    tz, start = ZoneInfo("Asia/Kolkata"), dt.date(2026, 5, 1)
    midnight = day_window(dt.date(2026, 5, 4), tz).start
    assert closed_days(start, midnight, tz)[-1] == dt.date(2026, 5, 3)
    assert closed_days(start, midnight - dt.timedelta(microseconds=1), tz)[-1] == dt.date(2026, 5, 2)
    assert closed_days(dt.date(2026, 5, 4), midnight, tz) == []


@given(st.lists(st.dates(dt.date(2026, 1, 1), dt.date(2026, 4, 1)), max_size=60), st.integers(1, 12))
def test_ranges_hold_the_days_and_nothing_else(days: list[dt.date], longest: int) -> None:
    """A range that bridges a gap runs a day that is done; one that is too long is the growing batch again."""
    found = ranges(days, longest)
    assert [d for first, last in found for d in days_between(first, last)] == sorted(set(days))
    assert all((last - first).days < longest for first, last in found)
    assert found == sorted(found)
