"""What a child process does until it is killed: the pipeline's life, once with the stages alone, once under Dagster.

Belongs here: two loops that end when nothing is left to do. Each may be killed anywhere and is then started again.
"""

from __future__ import annotations

import datetime as dt
import faulthandler
import logging
import os
import sys
from pathlib import Path

import dagster as dg
from dagster._core.definitions.job_base import InMemoryJob
from dagster._core.execution.api import execute_run
from dagster._core.remote_origin import InProcessCodeLocationOrigin
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._core.workspace.load_target import InProcessWorkspaceLoadTarget
from dagster._daemon import sensor as sensor_daemon

from orders_pipeline.config import home, load_config
from orders_pipeline.crash_points import reach
from orders_pipeline.days import closed_days
from orders_pipeline.defs import claims, launch
from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.tick import done_days
from orders_pipeline.models import Decision
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline.stages.work import Work
from orders_pipeline.store import facts
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.frames import rows
from orders_pipeline.store.publish import publish
from orders_pipeline.store.store import open_store
from orders_pipeline_tests.crash import paying

# Between the daemon's own durable steps; names of Dagster's, which it calls so that its own tests can crash there.
DAEMON_POINTS = (
    "daemon.tick_created",
    "daemon.tick_held",
    "daemon.run_ids_reserved",
    "daemon.run_created",
    "daemon.run_launched",
)
_MAX_ROUNDS = 60


def live_in_stages(folder: str, environ: dict[str, str]) -> None:
    """Days that are not done, current state, a decision, current state again: by the stages, without Dagster."""
    begin(folder, environ)
    config = load_config()
    work = Work(store=open_store(home(), config), config=config)
    for day in missing(work):
        report = run_day(work, day)
        assert report.problem is None, report.problem
    publish(work.store)
    refresh_current(work)
    decide_first(work)
    refresh_current(work)
    publish(work.store)


def live_under_dagster(folder: str, environ: dict[str, str]) -> None:
    """Ticks of the sensor by the daemon's own code, and the runs that they ask for, until nothing is asked for."""
    begin(folder, environ)
    sensor_daemon.is_under_min_interval = lambda *_: False  # the next tick comes when this round is over
    setattr(sensor_daemon, "check_for_debug_crash", lambda _, key: reach(f"daemon.{key.lower()}"))  # noqa: B010
    with launch.prepare_instance(DataFolder(home()).open()) as instance:
        fail_unclaimed(instance)
        for _ in range(_MAX_ROUNDS):
            tick(instance)
            if not run_queued(instance):
                return
    raise AssertionError(f"not done after {_MAX_ROUNDS} ticks")


def missing(work: Work) -> list[dt.date]:
    """The closed days that the ledger does not prove, oldest first."""
    with work.store.state.reading() as con:
        done = done_days(work.config, facts.read_ledger(con))
    return [d for d in closed_days(work.config.start_date, work.now(), work.config.tz) if d not in done]


def decide_first(work: Work) -> None:
    """A person accepts the first case, unless a decision of before is known."""
    with work.store.state.reading() as con:
        decided = rows(con, "SELECT case_id FROM case_decisions LIMIT 1")
        cases = rows(con, "SELECT case_id FROM eval_cases WHERE state = 'proposed' ORDER BY case_id LIMIT 1")
    if not decided:
        decide(work, cases[0]["case_id"], Decision.ACCEPTED)


def tick(instance: dg.DagsterInstance) -> None:
    """One tick by the daemon's own code: evaluate, store the cursor, create and queue the runs."""
    origin = LoadableTargetOrigin(
        executable_path=sys.executable, module_name="orders_pipeline.definitions", attribute="defs"
    )
    target = InProcessWorkspaceLoadTarget(InProcessCodeLocationOrigin(origin, location_name="orders_pipeline"))
    logger = logging.getLogger("orders_pipeline.tick")
    with WorkspaceProcessContext(instance, target) as workspace:
        for _ in sensor_daemon.execute_sensor_iteration(workspace, logger, None, None):
            pass


def fail_unclaimed(instance: dg.DagsterInstance) -> None:
    """Fail runs whose process died before it could claim: with nobody else at work, there is no need to wait."""
    launched = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED]
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=launched)):
        if claims.is_alive(DataFolder(home()), run.run_id) is None:
            instance.report_run_failed(run, "killed before it claimed")


def run_queued(instance: dg.DagsterInstance) -> int:
    """Run what is queued, one after the other, as a launched process does; returns how many."""
    queued = instance.get_runs(filters=dg.RunsFilter(statuses=[dg.DagsterRunStatus.QUEUED]))
    definitions = gather()
    for run in reversed(queued):
        starting = dg.DagsterEvent(dg.DagsterEventType.PIPELINE_STARTING.value, run.job_name)
        instance.report_dagster_event(starting, run.run_id)
        launched = instance.get_run_by_id(run.run_id)
        assert launched is not None
        execute_run(InMemoryJob(definitions.resolve_job_def(run.job_name)), launched, instance)
        claims.release_run(run.run_id)
    return len(queued)


def begin(folder: str, environ: dict[str, str]) -> None:
    """What every child does first: its output to a file, its environment, the mailbox and the judge that are paid."""
    handle = os.open(Path(folder) / "child.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    os.close(handle)
    faulthandler.enable()
    os.environ.update(environ)
    os.chdir(folder)
    paying.install()
