"""Real Dagster runs and ticks from the command line, without a daemon.

Belongs here: preparing DAGSTER_HOME, running days in this process, one tick of the sensor.
"""

from __future__ import annotations

import datetime as dt
import logging
import os
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

import dagster as dg

from orders_pipeline.defs import claims
from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.in_hand import in_hand
from orders_pipeline.defs.names import CURRENT_JOB, DAYS_JOB, POOL, RANGE_END_TAG, RANGE_START_TAG
from orders_pipeline.defs.partitions import key_of
from orders_pipeline.defs.tick import shown_days
from orders_pipeline.store.folder import DataFolder

_POOL_SLOTS = 2
_NOISY = ("dagster._core.definitions.sensor_definition", "click.core")


def project_root() -> Path:
    """The folder with workspace.yaml and dagster.yaml."""
    return Path(__file__).resolve().parents[2]


def prepare_instance(folder: DataFolder) -> dg.DagsterInstance:
    """Make DAGSTER_HOME ready inside the data folder and open its instance. An edited dagster.yaml is left alone."""
    home = folder.dagster_home
    settings = home / "dagster.yaml"
    if not settings.exists():
        shutil.copyfile(project_root() / "dagster.yaml", settings)
    os.environ["DAGSTER_HOME"] = str(home)
    _hush()
    instance = dg.DagsterInstance.get()
    # On a fresh home a pool's default limit lets the first runs through; a limit that is set holds. One that somebody
    # has set in the UI stays.
    if not any(pool.name == POOL for pool in instance.event_log_storage.get_pool_limits() if not pool.from_default):
        instance.event_log_storage.set_concurrency_slots(POOL, _POOL_SLOTS)
    return instance


def _hush() -> None:
    """Dagster warns of beta parameters of its own decorators, and of its own command; here and in its processes."""
    for module in _NOISY:
        warnings.filterwarnings("ignore", module=module.replace(".", r"\."))
    os.environ.setdefault("PYTHONWARNINGS", ",".join(f"ignore:::{module}" for module in _NOISY))


def fail_dead_runs(instance: dg.DagsterInstance, folder: DataFolder) -> int:
    """Mark started runs whose process is gone as failed; returns how many."""
    dead = in_hand(instance, folder, dt.datetime.now(dt.UTC)).dead
    for run in dead:
        instance.report_run_failed(run, "the process of this run is gone; its days are taken up again")
    return len(dead)


def run_days(instance: dg.DagsterInstance, first: dt.date, last: dt.date) -> bool:
    """Run a range of days as one Dagster run in this process; whether it succeeded."""
    tags = {RANGE_START_TAG: key_of(first), RANGE_END_TAG: key_of(last)}
    return _run(instance, DAYS_JOB, tags)


def run_current(instance: dg.DagsterInstance) -> bool:
    """Run orders, alerts and the queue as one Dagster run in this process; whether it succeeded."""
    return _run(instance, CURRENT_JOB, {})


def days_shown(instance: dg.DagsterInstance) -> Callable[[], int]:
    """A function that counts the days which Dagster shows as materialized."""
    return lambda: len(shown_days(instance))


def _run(instance: dg.DagsterInstance, job_name: str, tags: dict[str, str]) -> bool:
    job = gather().resolve_job_def(job_name)
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    result = job.execute_in_process(instance=instance, tags=tags, run_config=quiet, raise_on_error=False)
    claims.release_run(result.run_id)
    return result.success


def tick_sensor(instance: dg.DagsterInstance) -> None:
    """One tick of the sensor by the daemon's own code: it stores the cursor, and may ask for runs.

    Dagster has no public call for this; the daemon's loop body is used with the pinned version.
    """
    from dagster._core.workspace.context import WorkspaceProcessContext
    from dagster._core.workspace.load_target import WorkspaceFileTarget
    from dagster._daemon.sensor import execute_sensor_iteration

    target = WorkspaceFileTarget([str(project_root() / "workspace.yaml")])
    with WorkspaceProcessContext(instance, target, code_server_log_level="critical") as workspace:
        for _ in execute_sensor_iteration(workspace, logging.getLogger("orders_pipeline.tick"), None, None):
            pass
