"""Usage logs under Dagster: the pair is there when a log is, its events and its cursor say what the ledger proves."""

from __future__ import annotations

from collections.abc import Iterator

import dagster as dg
import pytest

from orders_pipeline.defs import claims
from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.in_hand import in_hand
from orders_pipeline.defs.names import (
    DAILY_KEYS,
    RANGE_END_TAG,
    RANGE_START_TAG,
    RELIST_TAG,
    USAGE_CASES,
    USAGE_JOB,
    USAGE_KEYS,
    USAGE_ROWS,
)
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.defs.usage import CHECK, SENSOR
from orders_pipeline.progress import decode_cursor
from orders_pipeline.stages.work import utc_now
from orders_pipeline.store.folder import DataFolder
from orders_pipeline_tests.harness import Scene, last_closed_days
from orders_pipeline_tests.llm.stub_server import StubServer
from orders_pipeline_tests.usage.translator import asked_rows, configure, judging, log_row, log_rows, write_log

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.instance_for_test() as out:
        yield out


@pytest.fixture
def logged(scene: Scene, server: StubServer, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """Two closed days with six rows each, of which two fail."""
    days = last_closed_days(2)
    scene.start = days[0]
    configure(scene, server.url)
    write_log(scene.root / "calls.jsonl", [row for day in days for row in log_rows(6, 2, day)])
    for name, value in scene.environ.items():
        monkeypatch.setenv(name, value)
    return scene


def run(instance: dg.DagsterInstance, tags: dict[str, str]) -> dg.ExecuteInProcessResult:
    job = gather().resolve_job_def(USAGE_JOB)
    result = job.execute_in_process(instance=instance, tags=tags, run_config=QUIET, raise_on_error=False)
    claims.release_run(result.run_id)
    return result


def tick(instance: dg.DagsterInstance, cursor: str | None = None) -> dg.SensorExecutionData:
    defs = gather()
    context = dg.build_sensor_context(
        instance=instance, cursor=cursor, definitions=defs, resources={"pipeline": Pipeline()}
    )
    return defs.resolve_sensor_def(SENSOR).evaluate_tick(context)


def test_without_a_log_there_is_no_pair(logged: Scene) -> None:
    """Who mines no log must not be shown assets that can never be materialized."""
    assert USAGE_KEYS[0] in gather().resolve_asset_graph().get_all_asset_keys()
    logged.settings = ""
    logged.write_config()
    assert USAGE_KEYS[0] not in gather().resolve_asset_graph().get_all_asset_keys()


def test_the_sensor_asks_for_days_and_the_cursor_follows_what_is_proven(
    logged: Scene, server: StubServer, instance: dg.DagsterInstance
) -> None:
    """The cursor freezes before the day with a row in error, and goes on when that is judged."""
    first, second = last_closed_days(2)
    judging(server, sick=["translate-1"])
    (request,) = list(tick(instance).run_requests or ())
    result = run(instance, request.tags)
    assert not result.success
    assert instance.get_materialized_partitions(dg.AssetKey(USAGE_ROWS)) == {str(first), str(second)}
    assert instance.get_materialized_partitions(dg.AssetKey(USAGE_CASES)) == set()
    (check,) = result.get_asset_check_evaluations()
    assert (check.check_name, check.passed) == (CHECK, False)
    assert decode_cursor(tick(instance).cursor) is None
    before = len(server.asked)
    judging(server)
    for request in tick(instance).run_requests or ():
        run(instance, {**request.tags, "dagster/partition": request.partition_key or ""})
    left = tick(instance)
    for request in left.run_requests or ():
        run(instance, {**request.tags, "dagster/partition": request.partition_key or ""})
    assert decode_cursor(tick(instance).cursor) == second
    assert asked_rows(server)[before:] == ["translate-1", "translate-1"], "one of each day"
    assert tick(instance).run_requests in (None, [])


def test_reading_a_day_again_logs_nothing_unless_there_is_something_new(
    logged: Scene, server: StubServer, instance: dg.DagsterInstance
) -> None:
    """Recent days are read every hour: an event for each would bury those that say something."""
    first, second = last_closed_days(2)
    span = {RANGE_START_TAG: str(first), RANGE_END_TAG: str(second)}
    assert run(instance, span).success
    again = {**span, RELIST_TAG: "again"}
    assert run(instance, again).get_asset_materialization_events() == []
    late = [log_row(number, day=second) for number in (6, 7)]
    write_log(logged.root / "calls.jsonl", [*log_rows(6, 2, first), *log_rows(6, 2, second), *late])
    events = run(instance, again).get_asset_materialization_events()
    assert {event.partition for event in events} == {str(second)}
    assert sorted(asked_rows(server)[12:]) == ["translate-6", "translate-7"]


def test_runs_over_logs_do_not_hold_days_of_mail(logged: Scene, instance: dg.DagsterInstance) -> None:
    """A day whose logs are being judged for an hour is a day whose mail waits for an hour."""
    (first, _), folder = last_closed_days(2), DataFolder(logged.home).open()
    tags = {"dagster/partition": str(first)}
    job = gather().resolve_job_def(USAGE_JOB)
    instance.create_run_for_job(job, tags=tags, status=dg.DagsterRunStatus.NOT_STARTED)
    assert in_hand(instance, folder, utc_now()).days == set()
    assert in_hand(instance, folder, utc_now(), USAGE_KEYS).days == {first}
    instance.create_run_for_job(
        gather().resolve_job_def("order_days"), tags=tags, status=dg.DagsterRunStatus.NOT_STARTED,
        asset_selection=frozenset(DAILY_KEYS),
    )  # fmt: skip
    assert in_hand(instance, folder, utc_now()).days == {first}
