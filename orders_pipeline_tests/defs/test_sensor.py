"""The sensor: oldest first, nothing twice, and a cursor that never claims more than ledger and events agree on."""

from __future__ import annotations

import datetime as dt
import json
import time

import dagster as dg
import pytest
from dagster._core.execution.backfill import BulkActionStatus, PartitionBackfill

from orders_pipeline.defs import resources
from orders_pipeline.defs.claims import clean
from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.in_hand import in_hand
from orders_pipeline.defs.names import CURRENT_JOB, DAILY_KEYS, PROPOSED, RANGE_END_TAG, RANGE_START_TAG, RELIST_JOB
from orders_pipeline.progress import decode_cursor
from orders_pipeline_tests.defs.pipeline import DaggedScene, held
from orders_pipeline_tests.harness import different_tables

QUEUED, STARTED = dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTED
GARBAGE = ("", "null", "{", "[]", '"2026-05-11"', '{"version": 99, "day": "2026-05-11"}', "\x00\u202e" * 50, "[" * 5000)


def asked(tick: dg.SensorExecutionData) -> list[tuple[str, str]]:
    """The ranges of days that a tick asks for."""
    out = []
    for request in tick.run_requests or []:
        if request.job_name in (CURRENT_JOB, RELIST_JOB):
            continue
        key = request.partition_key
        assert request.run_key is None
        out.append((request.tags.get(RANGE_START_TAG) or key or "", request.tags.get(RANGE_END_TAG) or key or ""))
    return out


def later(**span: float) -> dt.datetime:
    return dt.datetime.now(dt.UTC) + dt.timedelta(**span)


def test_it_asks_for_what_is_missing_as_one_range(fresh: DaggedScene) -> None:
    """A fresh store is filled oldest first, in one run, with no cursor claimed."""
    tick = fresh.tick()
    assert asked(tick) == [(str(fresh.days[0]), str(fresh.days[-1]))]
    assert decode_cursor(tick.cursor) is None


def test_what_it_asks_for_can_be_run(fresh: DaggedScene) -> None:
    """A request that Dagster cannot turn into a run would fail the whole tick, for ever."""
    assert asked(fresh.tick())
    assert fresh.run(*fresh.days).success
    tick = fresh.tick()
    assert decode_cursor(tick.cursor) == fresh.days[-1]
    assert asked(tick) == []
    assert [r.job_name for r in tick.run_requests or []] == [CURRENT_JOB]
    assert fresh.run(job=CURRENT_JOB).success
    tick = fresh.tick(tick.cursor)
    assert not tick.run_requests
    assert "none missing" in (tick.skip_message or "")


def test_a_hole_freezes_the_cursor_and_is_asked_for_alone(done: DaggedScene) -> None:
    """Late mail of an old day moves the cursor back; the days behind it stay done."""
    done.tick()
    assert decode_cursor(done.tick().cursor) == done.days[-1]
    done.scene.add_order(done.days[1])
    done.run(done.days[1], assets=["fetched_emails"])
    tick = done.tick()
    assert decode_cursor(tick.cursor) == done.days[0]
    assert asked(tick) == [(str(done.days[1]), str(done.days[1]))]


def test_the_cursor_waits_until_the_events_show_what_the_ledger_proves(done: DaggedScene) -> None:
    """After a kill between commit and event the tick reports the events, and only the next one claims the days."""
    first = done.tick()
    assert decode_cursor(first.cursor) is None
    assert asked(first) == []
    assert done.shown(PROPOSED) == {str(d) for d in done.days}
    second = done.tick(first.cursor)
    assert decode_cursor(second.cursor) == done.days[-1]
    (event,) = done.events(PROPOSED, done.days[0])
    assert "reported from the ledger" in str(event.metadata["note"].value)


def test_events_that_were_purged_come_back(done: DaggedScene) -> None:
    """Deleting runs or wiping assets in the UI costs a tick, not a re-run of the days."""
    result = done.run(*done.days)
    before = done.scene.dump()
    assert decode_cursor(done.tick().cursor) == done.days[-1]
    done.instance.delete_run(result.run_id)
    assert done.shown(PROPOSED) == set()
    tick = done.tick()
    assert decode_cursor(tick.cursor) is None
    assert asked(tick) == []
    assert decode_cursor(done.tick(tick.cursor).cursor) == done.days[-1]
    done.instance.wipe_assets(list(DAILY_KEYS))
    done.tick()
    assert decode_cursor(done.tick().cursor) == done.days[-1]
    assert different_tables(before, done.scene.dump()) == {}


@pytest.mark.parametrize("cursor", GARBAGE)
def test_a_cursor_that_is_garbage_costs_nothing(done: DaggedScene, cursor: str) -> None:
    """A cursor set by hand in the UI, lost, or of another version: the ledger knows better."""
    done.tick()
    tick = done.tick(cursor)
    assert decode_cursor(tick.cursor) == done.days[-1]
    assert json.loads(tick.cursor or "")["version"] == 1


def test_days_of_a_queued_run_are_not_asked_for_twice(fresh: DaggedScene) -> None:
    """Two ticks in a row, or a backfill in the queue, must not double the work."""
    fresh.pretend(*fresh.days, status=QUEUED)
    assert asked(fresh.tick()) == []
    assert asked(fresh.tick()) == []


def test_a_day_that_a_queued_run_does_not_take_is_asked_for(fresh: DaggedScene) -> None:
    """Only what is in hand is left out."""
    fresh.pretend(*fresh.days[:2], status=QUEUED)
    assert asked(fresh.tick()) == [(str(fresh.days[2]), str(fresh.days[2]))]


def test_days_of_an_active_backfill_are_not_asked_for(fresh: DaggedScene) -> None:
    """A backfill that was started in the UI has its days in hand before its runs exist."""
    keys = [str(d) for d in fresh.days[:2]]
    backfill = PartitionBackfill.from_asset_partitions(
        backfill_id="wish",
        asset_graph=gather().resolve_asset_graph(),
        partition_names=keys,
        asset_selection=list(DAILY_KEYS),
        backfill_timestamp=time.time(),
        tags={},
        dynamic_partitions_store=fresh.instance,
        all_partitions=False,
        title=None,
        description=None,
        run_config=None,
    )
    fresh.instance.add_backfill(backfill)
    assert asked(fresh.tick()) == [(str(fresh.days[2]), str(fresh.days[2]))]
    fresh.instance.update_backfill(backfill.with_status(BulkActionStatus.CANCELED))
    assert asked(fresh.tick()) == [(str(fresh.days[0]), str(fresh.days[2]))]


def test_a_run_whose_process_is_gone_is_failed_and_its_days_are_asked_for_again(fresh: DaggedScene) -> None:
    """A killed tree leaves Dagster's STARTED behind for good; the claim dies with its process."""
    run_id = fresh.pretend(*fresh.days, status=STARTED)
    (fresh.folder.locks / f"run-{run_id}.lock").touch()
    tick = fresh.tick()
    run = fresh.instance.get_run_by_id(run_id)
    assert run is not None
    assert run.status is dg.DagsterRunStatus.FAILURE
    assert asked(tick) == [(str(fresh.days[0]), str(fresh.days[-1]))]


def test_a_run_whose_process_lives_is_in_hand(fresh: DaggedScene) -> None:
    """A long run is not taken for dead while it holds its claim, and is at once when it is killed."""
    run_id = fresh.pretend(*fresh.days, status=STARTED)
    with fresh.living(run_id):
        assert asked(fresh.tick()) == []
        assert in_hand(fresh.instance, fresh.folder, later(days=2)).dead == []
        clean(fresh.folder)
    assert asked(fresh.tick()) == [(str(fresh.days[0]), str(fresh.days[-1]))]


def test_a_run_that_has_not_claimed_yet_has_a_while(fresh: DaggedScene) -> None:
    """Between Dagster's STARTED and the claim lie seconds of importing; after minutes nobody will claim any more."""
    run_id = fresh.pretend(*fresh.days, status=STARTED)
    assert in_hand(fresh.instance, fresh.folder, later()).days == set(fresh.days)
    found = in_hand(fresh.instance, fresh.folder, later(minutes=5))
    assert found.days == set()
    assert [r.run_id for r in found.dead] == [run_id]


def test_a_run_that_waits_too_long_is_no_longer_in_hand(fresh: DaggedScene) -> None:
    """A run that was queued and forgotten must not hold its days for ever."""
    fresh.pretend(*fresh.days, status=QUEUED)
    assert in_hand(fresh.instance, fresh.folder, later(hours=23)).days == set(fresh.days)
    assert in_hand(fresh.instance, fresh.folder, later(hours=25)).days == set()


def test_a_locked_store_skips_the_tick_and_keeps_the_cursor(done: DaggedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody has the file open in another program: the tick says who, soon, whatever the store's own patience."""
    done.tick()
    cursor = done.tick().cursor
    done.scene.settings = ""
    done.scene.write_config()
    monkeypatch.setattr(resources, "SENSOR_PATIENCE", 0.3)
    began = time.monotonic()
    with done.open_elsewhere():
        tick = done.tick(cursor)
    assert time.monotonic() - began < 20
    assert "is open in process" in (tick.skip_message or "")
    assert "\n" not in (tick.skip_message or "")
    assert tick.cursor in (None, cursor)
    assert not tick.run_requests


def test_a_store_that_a_command_holds_skips_the_tick(done: DaggedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long rebuild holds the store's lock: the tick names the process and comes again."""
    monkeypatch.setattr(resources, "SENSOR_PATIENCE", 0.3)
    code = (
        "import sys; from pathlib import Path; from orders_pipeline.store import locks\n"
        f"locks.acquire(Path({str(done.folder.locks / 'state.lock')!r}), timeout=5, what='x')\n"
        "print('held', flush=True); sys.stdin.read()\n"
    )
    with held(code, done.scene):
        tick = done.tick()
    assert "is locked by process" in (tick.skip_message or "")


@pytest.mark.parametrize("text", [None, "zone = 'Nowhere/City'\n", "not toml at all ["])
def test_without_a_usable_configuration_the_tick_says_so(
    done: DaggedScene, text: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fresh clone shows a reason in the UI, not a failed tick."""
    defs = gather()
    path = done.scene.root / "other.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("ORDERS_PIPELINE_CONFIG", str(path))
    context = dg.build_sensor_context(
        instance=done.instance, definitions=defs, resources={"pipeline": resources.Pipeline()}
    )
    tick = defs.resolve_sensor_def("order_days_sensor").evaluate_tick(context)
    assert "other.toml" in (tick.skip_message or "")
    assert not tick.run_requests


def listed_long_ago(done: DaggedScene) -> None:
    span = "INTERVAL 2 HOUR"
    with done.scene.work().store.state.transaction() as con:
        con.execute(f"UPDATE listings SET listed_at = listed_at - {span}, tried_at = tried_at - {span}")


def test_re_listing_is_asked_for_when_it_is_due_and_not_while_it_runs(done: DaggedScene) -> None:
    """Late mail is looked for; a second request while one is under way would double the work."""
    with done.scene.work().store.state.transaction() as con:
        con.execute(
            "UPDATE listings SET listed_at = listed_at - INTERVAL 2 HOUR, tried_at = tried_at - INTERVAL 2 HOUR"
        )
    done.tick()
    tick = done.tick()
    (request,) = [r for r in tick.run_requests or [] if r.job_name == RELIST_JOB]
    assert request.run_config == {
        "ops": {"relist_days": {"config": {"first": str(done.days[0]), "last": str(done.days[-1])}}}
    }
    assert done.run(job=RELIST_JOB, config=request.run_config).success
    assert [r for r in done.tick().run_requests or [] if r.job_name == RELIST_JOB] == []


def test_a_re_listing_that_fails_is_not_asked_for_at_every_tick(done: DaggedScene) -> None:
    """A mailbox that is down for a day costs a run an hour, not one every thirty seconds."""
    with done.scene.work().store.state.transaction() as con:
        con.execute(
            "UPDATE listings SET listed_at = listed_at - INTERVAL 2 HOUR, tried_at = tried_at - INTERVAL 2 HOUR"
        )
    done.tick()
    (request,) = [r for r in done.tick().run_requests or [] if r.job_name == RELIST_JOB]
    (done.scene.root / "inbox").rename(done.scene.root / "away")
    assert not done.run(job=RELIST_JOB, config=request.run_config).success
    assert [r for r in done.tick().run_requests or [] if r.job_name == RELIST_JOB] == []


def test_a_refresh_that_fails_each_time_is_not_asked_for_at_every_tick(done: DaggedScene) -> None:
    """Orders that cannot be computed would otherwise cost a failed run every thirty seconds for as long as they do."""
    done.tick()
    asked = []
    for _ in range(4):
        requests = [r for r in done.tick().run_requests or [] if r.job_name == CURRENT_JOB]
        asked.append(len(requests))
        done.pretend(status=dg.DagsterRunStatus.FAILURE, job=CURRENT_JOB)
    assert asked == [1, 1, 1, 0]
    done.pretend(status=dg.DagsterRunStatus.SUCCESS, job=CURRENT_JOB)
    assert [r.job_name for r in done.tick().run_requests or []] == [CURRENT_JOB]
