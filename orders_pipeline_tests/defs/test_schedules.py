"""The schedules: yesterday in the zone's own days, unless it is done or in hand."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.names import DAILY_KEYS, DAYS_JOB
from orders_pipeline_tests.defs.pipeline import DaggedScene
from orders_pipeline_tests.defs.test_sensor import asked
from orders_pipeline_tests.harness import ZONE


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    """A schedule opens its instance by reference: one in memory has none."""
    home = tmp_path / "dagster_home"
    home.mkdir()
    with dg.DagsterInstance.local_temp(str(home)) as instance:
        yield instance


def just_after_midnight(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(0, 10), tzinfo=ZONE)


def test_it_takes_the_zones_yesterday(fresh: DaggedScene) -> None:
    """At ten past midnight in Berlin it is still the day before in UTC: the day that is over is meant."""
    at = just_after_midnight(fresh.days[2])
    tick = fresh.ask("yesterday", at.astimezone(dt.UTC))
    (request,) = tick.run_requests or []
    assert (request.job_name, request.partition_key) == (DAYS_JOB, str(fresh.days[1]))
    assert request.run_key is None


def test_it_skips_a_day_that_is_done(done: DaggedScene) -> None:
    """The sensor was faster: the day is not run again."""
    tick = done.ask("yesterday", just_after_midnight(done.days[2]))
    assert not tick.run_requests
    assert tick.skip_message == f"{done.days[1]} is done"


def test_it_skips_a_day_in_hand(fresh: DaggedScene) -> None:
    """A queued run has the day: a second one would only wait for it."""
    fresh.pretend(fresh.days[1], status=dg.DagsterRunStatus.NOT_STARTED)
    fresh.pretend(*fresh.days, status=dg.DagsterRunStatus.QUEUED)
    tick = fresh.ask("yesterday", just_after_midnight(fresh.days[2]))
    assert tick.skip_message == f"{fresh.days[1]} is in hand"


def test_it_skips_days_before_the_start(fresh: DaggedScene) -> None:
    """On the first day there is no yesterday to take: asking for a partition that is none would fail the tick."""
    tick = fresh.ask("yesterday", just_after_midnight(fresh.days[0]))
    assert not tick.run_requests
    assert "lies before the start date" in (tick.skip_message or "")


def test_without_a_configuration_it_says_so(fresh: DaggedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh clone shows a reason, not a failed tick."""
    monkeypatch.setenv("ORDERS_PIPELINE_CONFIG", str(fresh.scene.root / "none.toml"))
    tick = fresh.ask("yesterday", just_after_midnight(fresh.days[2]))
    assert "no configuration at" in (tick.skip_message or "")


def test_every_schedule_follows_the_configured_zone(fresh: DaggedScene) -> None:
    """Midnight is the household's own."""
    schedules = gather().schedules
    assert schedules
    for schedule in schedules:
        assert isinstance(schedule, dg.ScheduleDefinition)
        assert schedule.execution_timezone == ZONE.key
        assert schedule.default_status is dg.DefaultScheduleStatus.RUNNING


@pytest.mark.parametrize("name", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_the_machines_zone_moves_no_partition(fresh: DaggedScene, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on UTC and one at home must agree on which days are over, and on which one was yesterday."""
    at = just_after_midnight(fresh.days[-1] + dt.timedelta(days=1))

    def told() -> tuple[object, ...]:
        partitions = gather().resolve_asset_graph().get(DAILY_KEYS[0]).partitions_def
        assert partitions is not None
        (request,) = fresh.ask("yesterday", at).run_requests or []
        return tuple(partitions.get_partition_keys()), request.partition_key, asked(fresh.tick())

    here = told()
    monkeypatch.setenv("TZ", name)
    time.tzset()
    try:
        there = told()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert here == there
    assert here[1] == str(fresh.days[-1])
