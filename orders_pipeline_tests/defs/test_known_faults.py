"""What went wrong for others in Dagster itself, tried on this pipeline (docs/bug-reports.md lists all of it)."""

from __future__ import annotations

import datetime as dt
import math
import time

import dagster as dg
import pytest

from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.names import CHECKS_JOB, DAILY_KEYS, FETCHED, PARSED, PROPOSED
from orders_pipeline.progress import EVENTS_A_TICK, decode_cursor
from orders_pipeline.quality.checks import CHECKS
from orders_pipeline.stages import work as work_module
from orders_pipeline.store.frames import insert
from orders_pipeline_tests.defs.pipeline import QUIET, DaggedScene
from orders_pipeline_tests.defs.test_sensor import asked
from orders_pipeline_tests.harness import different_tables

ONE = dt.timedelta(days=1)


def set_start(scene: DaggedScene, start: dt.date) -> None:
    scene.scene.start = start
    scene.scene.write_config()


def evaluations(scene: DaggedScene) -> dict[str, bool]:
    """The last evaluation of every check."""
    keys = [dg.AssetCheckKey(dg.AssetKey(check.asset), check.name) for check in CHECKS]
    records = scene.instance.event_log_storage.get_latest_asset_check_execution_by_key(keys)
    out = {}
    for key, record in records.items():
        assert record.event is not None
        assert record.event.dagster_event is not None
        out[key.name] = record.event.dagster_event.asset_check_evaluation_data.passed
    return out


def test_a_tick_over_a_long_backlog_is_short_bounded_and_asks_no_mailbox(
    fresh: DaggedScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick that listed 400 days itself was cut off at its deadline every time, and a mailbox that hung stopped it."""

    def hangs(*settings: object) -> None:
        raise AssertionError("a tick must not open a mailbox")

    monkeypatch.setattr(work_module, "open_mailbox", hangs)
    last = fresh.days[-1]
    set_start(fresh, last - 399 * ONE)
    began = time.monotonic()
    ranges = asked(fresh.tick())
    assert time.monotonic() - began < 10
    start = fresh.scene.start
    assert ranges == [(str(start), str(start + 29 * ONE)), (str(start + 30 * ONE), str(start + 59 * ONE))]


def test_days_that_dagster_does_not_show_come_back_a_bounded_number_a_tick(fresh: DaggedScene) -> None:
    """After a purge of years of events a tick must not try to report them all, nor to read them one by one."""
    count = EVENTS_A_TICK * 2 + 10
    set_start(fresh, fresh.days[-1] - (count - 1) * ONE)
    now = dt.datetime.now(dt.UTC)
    days = [fresh.scene.start + n * ONE for n in range(count)]
    with fresh.scene.work().store.state.transaction() as con:
        listed = {"mailbox": "inbox", "listed_at": now, "messages": 0, "listing_digest": "", "missing": 0}
        listed |= {"tried_at": now, "failed_at": None, "error": None}
        insert(con, "listings", [{"day": day, **listed} for day in days])
        mark = {"row_count": 0, "version": "1", "first_done_at": now, "committed_at": now, "run_id": None}
        mark |= {"input_digest": "x", "output_digest": "x"}
        insert(con, "stage_days", [{"stage": s, "day": d, **mark} for s in ("fetch", "parse", "review") for d in days])
    cursor, shown = None, []
    for _ in range(math.ceil(count / EVENTS_A_TICK)):
        tick = fresh.tick(cursor)
        cursor = tick.cursor
        assert asked(tick) == []
        shown.append(len(fresh.shown(PROPOSED)))
    assert shown == [EVENTS_A_TICK, 2 * EVENTS_A_TICK, count]
    began = time.monotonic()
    assert decode_cursor(fresh.tick(cursor).cursor) == days[-1]
    assert time.monotonic() - began < 10


def test_a_backfill_takes_many_days_a_run_and_each_has_its_own_event(fresh: DaggedScene) -> None:
    """One result for a run of many partitions marks them all, or none; one process a day makes a year take hours."""
    graph = gather().resolve_asset_graph()
    assert {graph.get(key).backfill_policy for key in DAILY_KEYS} == {
        dg.BackfillPolicy.multi_run(max_partitions_per_run=30)
    }
    result = fresh.run(*fresh.days)
    for asset in (FETCHED, PARSED, PROPOSED):
        for day in fresh.days:
            (event,) = fresh.events(asset, day)
            assert event.partition == str(day)
    logged = fresh.instance.all_logs(result.run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
    assert len(logged) == 3 * len(fresh.days)


def test_an_event_without_data_is_no_day(fresh: DaggedScene) -> None:
    """Dagster shows what it was told; the cursor and the checks look at the data."""
    for key in DAILY_KEYS:
        for day in fresh.days:
            fresh.instance.report_runless_asset_event(dg.AssetMaterialization(key, partition=str(day)))
    tick = fresh.tick()
    assert decode_cursor(tick.cursor) is None
    assert asked(tick) == [(str(fresh.days[0]), str(fresh.days[-1]))]
    assert fresh.run(job=CHECKS_JOB).success
    assert not evaluations(fresh)["missing_days"]


def test_a_day_without_mail_is_materialized_and_claimed(fresh: DaggedScene) -> None:
    """A day on which nothing came kept a backfill waiting, and a cursor that waits for an event waits for ever."""
    for path in (fresh.scene.root / "inbox" / "cur").iterdir():
        path.unlink()
    assert fresh.run(*fresh.days).success
    for asset in (FETCHED, PARSED, PROPOSED):
        (event,) = fresh.events(asset, fresh.days[1])
        assert event.metadata["dagster/row_count"].value == 0
    assert decode_cursor(fresh.tick().cursor) == fresh.days[-1]
    assert all(evaluations(fresh)[name] for name in ("missing_days", "stages_out_of_step", "counts_add_up"))


def test_a_failed_re_run_hides_nothing(fresh: DaggedScene) -> None:
    """A re-run by mistake, on a day when the mailbox is down, must not take a done day back."""
    assert fresh.run(*fresh.days).success
    before = fresh.scene.dump()
    inbox = fresh.scene.root / "inbox"
    inbox.rename(fresh.scene.root / "away")
    assert not fresh.run(fresh.days[1]).success
    tick = fresh.tick()
    assert decode_cursor(tick.cursor) == fresh.days[-1]
    assert asked(tick) == []
    assert set(different_tables(before, fresh.scene.dump())) <= {"day_tries", "listings"}
    (fresh.scene.root / "away").rename(inbox)
    assert fresh.run(fresh.days[1]).success
    assert different_tables(before, fresh.scene.dump()) == {}


def test_checks_can_be_evaluated_alone(done: DaggedScene) -> None:
    """ "Execute" beside a check in the UI must look at the data of all days without materializing one."""
    job = gather().resolve_implicit_global_asset_job_def()
    keys = {dg.AssetCheckKey(dg.AssetKey(c.asset), c.name) for c in CHECKS if c.asset == FETCHED}
    alone = job.get_subset(asset_selection=set(), asset_check_selection=keys)
    assert alone.execute_in_process(instance=done.instance, run_config=QUIET).success
    assert all(evaluations(done).values())
    assert evaluations(done).keys() == {key.name for key in keys}
    assert done.shown(FETCHED) == set()
