"""Runs and ticks over a test's own pipeline and instance.

Belongs here: asking the real definitions for runs, ticks and events. Not here: fixtures (conftest.py).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import subprocess
import sys
from collections.abc import Iterator, Sequence

import dagster as dg
import pytest
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin

from orders_pipeline.defs import claims
from orders_pipeline.defs.cursor import SENSOR
from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.names import DAYS_JOB, RANGE_END_TAG, RANGE_START_TAG
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.store.folder import DataFolder
from orders_pipeline_tests.harness import Scene

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class DaggedScene:
    """A scene with its definitions and an instance; the environment names it."""

    def __init__(self, scene: Scene, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scene, self.instance = scene, instance
        for name, value in scene.environ.items():
            monkeypatch.setenv(name, value)

    @property
    def days(self) -> list[dt.date]:
        """The closed days."""
        return [self.scene.start + dt.timedelta(days=n) for n in range(3)]

    @property
    def folder(self) -> DataFolder:
        return DataFolder(self.scene.home).open()

    def run(
        self, *days: dt.date, assets: Sequence[str] | None = None, job: str = DAYS_JOB, config: object = None
    ) -> dg.ExecuteInProcessResult:
        """Run a job over no day, one day, or the range of the first to the last, in this process."""
        tags = {RANGE_START_TAG: str(days[0]), RANGE_END_TAG: str(days[-1])} if len(days) > 1 else {}
        result = (
            gather()
            .resolve_job_def(job)
            .execute_in_process(
                instance=self.instance,
                tags=tags,
                partition_key=str(days[0]) if len(days) == 1 else None,
                asset_selection=[dg.AssetKey(name) for name in assets] if assets else None,
                run_config={**QUIET, **(config if isinstance(config, dict) else {})},
                raise_on_error=False,
            )
        )
        claims.release_run(result.run_id)
        return result

    def tick(self, cursor: str | None = None) -> dg.SensorExecutionData:
        """Evaluate the sensor once."""
        defs = gather()
        context = dg.build_sensor_context(
            instance=self.instance, cursor=cursor, definitions=defs, resources={"pipeline": Pipeline()}
        )
        return defs.resolve_sensor_def(SENSOR).evaluate_tick(context)

    def ask(self, name: str, at: dt.datetime) -> dg.ScheduleExecutionData:
        """Evaluate a schedule for an instant."""
        defs = gather()
        context = dg.build_schedule_context(
            instance=self.instance,
            scheduled_execution_time=at,
            resources={"pipeline": Pipeline()},
            repository_def=defs.get_repository_def(),
        )
        return defs.resolve_schedule_def(name).evaluate_tick(context)

    def pretend(self, *days: dt.date, status: dg.DagsterRunStatus, job: str = DAYS_JOB) -> str:
        """Record a run that some other process queued or started over a range of days; returns its id."""
        tags = {RANGE_START_TAG: str(days[0]), RANGE_END_TAG: str(days[-1])} if days else {}
        job_def = gather().resolve_job_def(job)
        place = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("orders_pipeline"), "__repository__")
        run = self.instance.create_run_for_job(
            job_def, status=status, tags=tags, remote_job_origin=RemoteJobOrigin(place, job)
        )
        return run.run_id

    def shown(self, asset: str) -> set[str]:
        """The partitions that Dagster shows as materialized."""
        return self.instance.get_materialized_partitions(dg.AssetKey(asset))

    def events(self, asset: str, day: dt.date) -> list[dg.AssetMaterialization]:
        """The materializations of one day, the latest first."""
        found = self.instance.fetch_materializations(
            dg.AssetRecordsFilter(asset_key=dg.AssetKey(asset), asset_partitions=[str(day)]), limit=50
        )
        return [m for r in found.records if (m := r.asset_materialization)]

    @contextlib.contextmanager
    def living(self, run_id: str) -> Iterator[None]:
        """Another process holds the claim of a run."""
        code = (
            "import sys; from pathlib import Path\n"
            "from orders_pipeline.defs import claims; from orders_pipeline.store.folder import DataFolder\n"
            f"claims.claim_run(DataFolder(Path({str(self.scene.home)!r})).open(), {run_id!r})\n"
            "print('held', flush=True); sys.stdin.read()\n"
        )
        with held(code, self.scene):
            yield

    @contextlib.contextmanager
    def open_elsewhere(self) -> Iterator[None]:
        """Another program has the state file open."""
        code = (
            f"import duckdb, sys; con = duckdb.connect({str(self.folder.state)!r})\n"
            "print('held', flush=True); sys.stdin.read()\n"
        )
        with held(code, self.scene):
            yield


@contextlib.contextmanager
def held(code: str, scene: Scene) -> Iterator[None]:
    """Run Python code in a process of its own until it prints a line; it ends when its input does."""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=scene.process_environ(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "held\n"
            yield
        finally:
            child.stdin.close()
            child.wait(timeout=30)
