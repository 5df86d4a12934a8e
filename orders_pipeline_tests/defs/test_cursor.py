"""The stored cursor is what people see, never what is believed: whatever happens to it, the next tick tells the truth.

The ticks are evaluated by the daemon's own code over an instance that stores the cursor.
"""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.scheduler.instigation import SensorInstigatorData
from dagster._daemon import sensor as sensor_daemon

from orders_pipeline.defs.cursor import SENSOR, stored_cursor
from orders_pipeline.defs.names import CHECKS_JOB, CURRENT_JOB, DAILY_KEYS, FETCHED, PROPOSED
from orders_pipeline.progress import encode_cursor
from orders_pipeline.stages import gaps
from orders_pipeline_tests.crash import child
from orders_pipeline_tests.crash.kills import fast_folder
from orders_pipeline_tests.defs.pipeline import DaggedScene
from orders_pipeline_tests.harness import Scene, different_tables

QUEUE = {"module": "dagster._core.run_coordinator.queued_run_coordinator", "class": "QueuedRunCoordinator"}
ONE = dt.timedelta(days=1)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory: Dagster's many small commits take most of the time elsewhere."""
    with fast_folder() as folder:
        yield folder


@pytest.fixture
def instance(folder: Path) -> Iterator[dg.DagsterInstance]:
    """An instance that keeps cursors, and whose queue nobody empties."""
    (folder / "dagster").mkdir()
    with dg.DagsterInstance.local_temp(str(folder / "dagster"), overrides={"run_coordinator": QUEUE}) as instance:
        yield instance


@pytest.fixture
def settled(made: Scene, instance: dg.DagsterInstance, folder: Path, monkeypatch: pytest.MonkeyPatch) -> DaggedScene:
    """Three days done, shown, refreshed and claimed by the stored cursor."""
    settled = DaggedScene(made.copy_to(folder / "scene"), instance, monkeypatch)
    monkeypatch.setattr(sensor_daemon, "is_under_min_interval", lambda *_: False)
    assert settled.run(job=CURRENT_JOB).success
    for _ in range(2):
        child.tick(instance)
    assert stored_cursor(instance) == settled.days[-1]
    assert queued(settled) == []
    return settled


def store_cursor(scene: DaggedScene, text: str | None) -> None:
    """What a person sets by hand in the UI."""
    (state,) = [s for s in scene.instance.all_instigator_state() if s.origin.instigator_name == SENSOR]
    assert isinstance(state.instigator_data, SensorInstigatorData)
    scene.instance.update_instigator_state(
        state.with_data(SensorInstigatorData(sensor_type=state.instigator_data.sensor_type, cursor=text))
    )


def queued(scene: DaggedScene) -> list[dg.DagsterRun]:
    return list(scene.instance.get_runs(filters=dg.RunsFilter(statuses=[dg.DagsterRunStatus.QUEUED])))


def check_is_green(scene: DaggedScene, asset: str, name: str) -> bool:
    """What the check's last evaluation said, after the job that looks at all days."""
    assert scene.run(job=CHECKS_JOB).success
    key = dg.AssetCheckKey(dg.AssetKey(asset), name)
    record = scene.instance.event_log_storage.get_latest_asset_check_execution_by_key([key])[key]
    assert record.event is not None
    assert record.event.dagster_event is not None
    return record.event.dagster_event.asset_check_evaluation_data.passed


def test_a_cursor_set_by_hand_costs_a_tick_and_runs_nothing(settled: DaggedScene) -> None:
    """Deleted, set back, garbage, of an older version: the next tick has the truth again, and relaunches nothing."""
    before = settled.scene.dump()
    older = json.dumps({"version": 0, "day": str(settled.days[0]), "seen": ["FM-70001"]})
    for text in (None, encode_cursor(settled.days[0] - 400 * ONE), "2026-13-45", older):
        store_cursor(settled, text)
        child.tick(settled.instance)
        assert stored_cursor(settled.instance) == settled.days[-1], text
    assert queued(settled) == []
    assert different_tables(before, settled.scene.dump()) == {}


def test_a_cursor_set_forward_is_red_until_the_next_tick(settled: DaggedScene) -> None:
    """A claim without proof must not be believed for a moment, and must be seen."""
    settled.scene.add_order(settled.days[1])
    assert settled.run(settled.days[1], assets=[FETCHED]).success  # the day is open: proven is the first day alone
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == settled.days[0]
    assert check_is_green(settled, PROPOSED, "cursor_ahead_of_proof")
    store_cursor(settled, encode_cursor(settled.days[-1] + 30 * ONE))
    assert not check_is_green(settled, PROPOSED, "cursor_ahead_of_proof")
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == settled.days[0]
    assert check_is_green(settled, PROPOSED, "cursor_ahead_of_proof")


def test_purged_runs_come_back_as_events_without_a_run(settled: DaggedScene) -> None:
    """Cleaning up old runs loses Dagster's partitions: the ledger reports them anew and nothing is run again."""
    assert settled.run(*settled.days).success
    child.tick(settled.instance)
    before = settled.scene.dump()
    for run in settled.instance.get_runs():
        settled.instance.delete_run(run.run_id)
    settled.instance.wipe_assets(list(DAILY_KEYS))
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) is None  # not claimed before both agree
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == settled.days[-1]
    for day in settled.days:
        assert [e.metadata.keys() for e in settled.events(PROPOSED, day)] == [{"note"}]
    assert queued(settled) == []
    assert different_tables(before, settled.scene.dump()) == {}


def test_yesterdays_state_moves_the_cursor_back_and_pays_for_nothing_again(
    settled: DaggedScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state file restored from a copy knows less than the archive: what it lacks is adopted, not bought again."""
    monkeypatch.setattr(gaps, "_GRACE", dt.timedelta(0))  # the checks leave a day alone that ended an hour ago
    state, last = settled.folder.state, settled.days[-1]
    settled.scene.add_order(last, total="77.00")
    copy = state.with_name("copy")
    shutil.copyfile(state, copy)
    assert settled.run(last).success
    assert settled.run(job=CURRENT_JOB).success
    before, verdicts = settled.scene.dump(), settled.scene.verdict_files()
    child.tick(settled.instance)
    copy.rename(state)
    # As of the copy the day was done, and the new mail is in the archive: the check's reconciling reopens it.
    assert not check_is_green(settled, PROPOSED, "stages_out_of_step")
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == settled.days[-2]
    (run,) = queued(settled)
    assert run.tags["dagster/partition"] == str(last)
    settled.instance.delete_run(run.run_id)
    assert settled.run(last).success
    assert settled.run(job=CURRENT_JOB).success
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == last
    assert settled.scene.verdict_files() == verdicts
    assert different_tables(before, settled.scene.dump()) == {}


def test_a_missing_archive_file_takes_its_day_out_of_the_claim(settled: DaggedScene) -> None:
    """A done day whose mail is lost is no longer proven: red by name, and no run is asked for that could do nothing."""
    day = settled.days[1]
    (path,) = (settled.scene.home / "archive" / "mail" / f"day={day}").glob("*.parquet")
    away = settled.scene.root / path.name
    path.rename(away)
    assert not check_is_green(settled, FETCHED, "archive_files_missing")
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == settled.days[0]
    assert queued(settled) == []
    away.rename(path)
    assert check_is_green(settled, FETCHED, "archive_files_missing")
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == settled.days[-1]
    assert queued(settled) == []


def test_a_start_date_moved_back_runs_exactly_the_new_days(settled: DaggedScene) -> None:
    """Three days more at the front are three days of work; moved forward again, nothing is lost or run."""
    first = settled.days[0]
    settled.scene.start = first - 3 * ONE
    settled.scene.write_config()
    child.tick(settled.instance)
    (run,) = queued(settled)
    assert (run.tags["dagster/asset_partition_range_start"], run.tags["dagster/asset_partition_range_end"]) == (
        str(first - 3 * ONE),
        str(first - ONE),
    )
    assert stored_cursor(settled.instance) is None
    settled.instance.delete_run(run.run_id)
    assert settled.run(*settled.days).success  # the three new ones
    assert settled.run(job=CURRENT_JOB).success
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == first + 2 * ONE
    settled.scene.start = first
    settled.scene.write_config()
    child.tick(settled.instance)
    assert stored_cursor(settled.instance) == first + 2 * ONE
    assert queued(settled) == []
