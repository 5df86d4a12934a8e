"""Calls are counted before they are made, over all processes, whatever dies or is lost."""

from __future__ import annotations

import datetime as dt
import multiprocessing
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from orders_pipeline.store.call_budget import CallBudget, Entry, Full, Limits

ZONE = ZoneInfo("Europe/Berlin")
NOW = dt.datetime(2026, 5, 11, 12, 0, tzinfo=ZONE)
MIDNIGHT = dt.datetime(2026, 5, 12, tzinfo=ZONE)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., CallBudget]:
    def make(
        *, minute: int = 1000, day: int = 1000, cost: str | None = None, recorded: tuple[Entry, ...] = ()
    ) -> CallBudget:
        limits = Limits(calls_per_minute=minute, calls_per_day=day, cost_per_day=Decimal(cost) if cost else None)
        return CallBudget(tmp_path / "calls", limits, ZONE, recorded=lambda day: recorded)

    return make


def test_the_limit_of_a_day_holds_until_local_midnight(make: Callable[..., CallBudget]) -> None:
    """By UTC the new day would begin at two in the morning here."""
    budget = make(day=2)
    assert [budget.enter(name, None, NOW) for name in "ab"] == [0.0, 0.0]
    full = budget.enter("c", None, NOW)
    assert isinstance(full, Full)
    assert full.until == MIDNIGHT
    assert budget.enter("c", None, MIDNIGHT - dt.timedelta(seconds=1)) == full
    assert budget.enter("c", None, MIDNIGHT) == 0.0


def test_a_call_in_flight_counts_with_what_it_may_cost(make: Callable[..., CallBudget]) -> None:
    """Four calls at once would each find room for one."""
    budget = make(cost="1.00")
    assert budget.enter("a", Decimal("0.60"), NOW) == 0.0
    assert isinstance(budget.enter("b", Decimal("0.60"), NOW), Full)
    budget.settle("a", Decimal("0.10"), NOW)
    assert budget.enter("b", Decimal("0.60"), NOW) == 0.0
    assert budget.spent(NOW) == (2, Decimal("0.70"))


def test_a_minute_has_room_for_so_many_calls(make: Callable[..., CallBudget]) -> None:
    """The wait is told, and is over when it is over."""
    budget = make(minute=2)
    assert budget.enter("a", None, NOW) == 0.0
    assert budget.enter("b", None, NOW + dt.timedelta(seconds=20)) == 0.0
    wait = budget.enter("c", None, NOW + dt.timedelta(seconds=30))
    assert wait == pytest.approx(30)
    assert budget.enter("c", None, NOW + dt.timedelta(seconds=60)) == 0.0
    assert budget.enter("d", None, NOW + dt.timedelta(seconds=61)) == pytest.approx(19)


def test_a_clock_set_back_stops_nothing(make: Callable[..., CallBudget]) -> None:
    """Calls of the future must not fill the minute for an hour."""
    budget = make(minute=1)
    budget.enter("a", None, NOW + dt.timedelta(hours=1))
    assert budget.enter("b", None, NOW) == 0.0


def test_a_lost_journal_begins_again_with_what_is_on_record(make: Callable[..., CallBudget], tmp_path: Path) -> None:
    """The cache may be emptied; the day's spending is not undone by it."""
    on_record = (("a", NOW, Decimal("0.90")), ("b", NOW, None))
    budget = make(day=3, recorded=on_record)
    assert budget.spent(NOW) == (2, Decimal("0.90"))
    (tmp_path / "calls" / "2026-05-11.jsonl").unlink()
    assert budget.enter("c", None, NOW) == 0.0
    assert isinstance(budget.enter("d", None, NOW), Full)


def test_a_torn_or_damaged_line_costs_no_other(make: Callable[..., CallBudget], tmp_path: Path) -> None:
    """A process may die in the middle of a write, and a disk be full."""
    make().enter("a", Decimal("0.1"), NOW)
    path = tmp_path / "calls" / "2026-05-11.jsonl"
    with path.open("ab") as file:
        file.write(
            b'{"id": "x", "at": 7}\n[]\n\xff\xfe\n{"id": "b", "at": "2026-05-11T12:00:00+02:00", "cost": "0.2"}\n'
        )
    assert make().spent(NOW) == (2, Decimal("0.3"))
    assert path.stat().st_mode & 0o777 == 0o600


def _spend(folder: str, name: str) -> None:
    limits = Limits(calls_per_minute=10_000, calls_per_day=50, cost_per_day=None)
    budget = CallBudget(Path(folder), limits, ZONE, recorded=lambda day: ())
    for number in range(40):
        budget.enter(f"{name}{number}", None, NOW)


def test_processes_share_one_limit(make: Callable[..., CallBudget], tmp_path: Path) -> None:
    """Two runs and a command at once must not each spend the day's money."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_spend, args=(str(tmp_path / "calls"), name)) for name in "xyz"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert make(day=50).spent(NOW)[0] == 50


def test_a_line_that_was_torn_off_costs_the_next_call_nothing(make: Callable[..., CallBudget], tmp_path: Path) -> None:
    """Glued to half a line the next call was not counted, and the limit was passed by one."""
    budget = make(day=2)
    assert budget.enter("a", None, NOW) == 0.0
    (journal,) = (tmp_path / "calls").iterdir()
    with journal.open("ab") as file:
        file.write(b'{"id": "torn", "at"')
    assert budget.enter("b", None, NOW) == 0.0
    assert isinstance(budget.enter("c", None, NOW), Full)
    assert make(day=2).spent(NOW)[0] == 2
