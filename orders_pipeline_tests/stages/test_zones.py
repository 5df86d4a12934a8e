"""Days are those of the configured zone: in the store itself, whatever clock the machine keeps, and never today's."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from orders_pipeline.days import day_of, day_window
from orders_pipeline.quality.checks import run_checks
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.gaps import read_facts
from orders_pipeline.stages.relist import relist_days
from orders_pipeline_tests.harness import Dump, Scene, different_tables, dump_tables, noon, plain_mail, select
from orders_pipeline_tests.stages import zones
from orders_pipeline_tests.support import PROJECT

HALF_HOUR = dt.timedelta(minutes=30)
ONE = dt.timedelta(days=1)
# (zone, the day in the middle, mails of that day): set forward, set back, and zones far from any machine's
MIDDLES = [
    ("Europe/Berlin", dt.date(2026, 3, 29), 46),
    ("Europe/Berlin", dt.date(2026, 10, 25), 50),
    ("Asia/Kolkata", dt.date(2026, 5, 11), 48),
    ("Pacific/Kiritimati", dt.date(2026, 5, 11), 48),
    ("America/Los_Angeles", dt.date(2026, 3, 8), 46),
]


@pytest.mark.parametrize(("zone", "middle", "mails"), MIDDLES)
def test_mail_of_every_half_hour_is_fetched_on_exactly_one_day(
    zone: str, middle: dt.date, mails: int, tmp_path: Path
) -> None:
    """An hour that a zone's clock skips or repeats must not be listed by no day, or by two."""
    tz = ZoneInfo(zone)
    days = [middle - ONE, middle, middle + ONE]
    folder = zones.write_config(tmp_path, zone, days[0])
    first, last = day_window(days[0], tz).start, day_window(days[-1], tz).end
    expected: Counter[dt.date] = Counter()
    # From three hours before the first day to three hours after the last: those belong to none of the days.
    for number in range(int((last - first) / HALF_HOUR) + 12):
        at = first + (number - 6) * HALF_HOUR
        offset = dt.timezone(dt.timedelta(minutes=30 * (number % 25 - 12)))
        (folder / f"{number:03d}.eml").write_bytes(plain_mail(f"every {number}", at.astimezone(offset)))
        expected[day_of(at, tz)] += 1
    work = zones.open_work(tmp_path, last + HALF_HOUR * 10)
    for day in days:
        assert run_day(work, day, ["fetch"]).problem is None
    found = select(work.store, "SELECT day, count(*), count(DISTINCT message_id) FROM messages GROUP BY 1 ORDER BY 1")
    assert found == [(d, expected[d], expected[d]) for d in days]
    assert expected[middle] == mails
    assert select(work.store, "SELECT count(*) FROM messages") == [(sum(expected[d] for d in days),)]
    # A re-listing goes by the day of an instant and fetching by windows: they must agree on all of it.
    assert relist_days(work, days).reopened == {}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dump]:
    """The tables of one mailbox as processes under three clocks make them."""
    middle = dt.datetime(2026, 10, 25, tzinfo=ZoneInfo("Europe/Berlin"))
    days = [str(middle.date() + n * ONE) for n in range(-2, 3)]
    out = {}
    for name in ("UTC", "America/Los_Angeles", "Asia/Tokyo"):
        root = tmp_path_factory.mktemp("clock")
        zones.write_tempting_mail(zones.write_config(root, "Europe/Berlin", middle.date() - 2 * ONE), middle)
        child = subprocess.run(
            [sys.executable, "-m", "orders_pipeline_tests.stages.zones", *days],
            env={
                **os.environ, "TZ": name, "PYTHONPATH": str(PROJECT), "ORDERS_PIPELINE_HOME": str(root / "home"),
                "ORDERS_PIPELINE_CONFIG": str(root / "orders_pipeline.toml"),
            },
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert child.stdout == "done\n", child.stderr
        with zones.open_work(root).store.state.reading() as con:
            out[name] = dump_tables(con)
    return out


@pytest.mark.parametrize("name", ["America/Los_Angeles", "Asia/Tokyo"])
def test_the_machines_zone_changes_no_table(elsewhere: dict[str, Dump], name: str) -> None:
    """The same mailbox gave other partitions on another machine: dates without a zone were read as its own."""
    assert len(elsewhere["UTC"]["messages"]) == 34
    assert len(elsewhere["UTC"]["orders"]) > 5
    assert different_tables(elsewhere["UTC"], elsewhere[name]) == {}


def test_today_is_never_red(tmp_path: Path) -> None:
    """A check that turns red every night until the day is taken is soon ignored: neither the day that is not over nor
    the one that just ended is a gap, and two hours later it is."""
    day = dt.date(2026, 3, 29)  # its night is an hour short
    scene = Scene(tmp_path, start=day - ONE)
    scene.add_order(day - ONE)
    scene.add_order(day)
    assert run_day(scene.work(now=lambda: noon(day)), day - ONE).problem is None

    def red(at: dt.datetime) -> dict[str, tuple[str, ...]]:
        return {f.check: f.sample for f in run_checks(read_facts(scene.work(now=lambda: at), day - ONE)) if not f.ok}

    evening = dt.datetime.combine(day, dt.time(23, 30), tzinfo=noon(day).tzinfo)
    assert red(evening) == {}
    assert red(evening - ONE + dt.timedelta(hours=1)) == {}
    assert red(evening + dt.timedelta(hours=1)) == {}
    assert red(evening + dt.timedelta(hours=3)) == {"missing_days": (str(day),)}
