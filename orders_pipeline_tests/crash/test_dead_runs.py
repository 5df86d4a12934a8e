"""Runs whose processes are gone: a worker killed alone, and a whole tree killed, after which Dagster knows of nothing.

Real daemon, code server and workers. The wait between tries of a day is 10 s here and 60 s by default, with which both
end within two minutes as well.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import dagster as dg
import pytest

from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.kills import fast_folder, half_written
from orders_pipeline_tests.crash.tally import Tally
from orders_pipeline_tests.crash.tree import prepare, tree
from orders_pipeline_tests.crash.tree_soak import TWO_MINUTES, runs_of, slots_of, wait_for, watch_recovery
from orders_pipeline_tests.harness import Scene, last_closed_days

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
_STARTED = dg.DagsterRunStatus.STARTED
_SETTINGS = "[sensor]\nmax_days_per_run = 4\nretry_first_seconds = 10\n"
_LATENCY = {paying.FETCH_SECONDS: "0.2", paying.JUDGE_SECONDS: "0.3"}


@pytest.fixture
def scene() -> Iterator[Scene]:
    """Eight days of mail, four days a run."""
    with fast_folder() as folder:
        days = last_closed_days(8)
        made = Scene(folder / "scene", start=days[0], settings=_SETTINGS)
        for day in days:
            made.add_day(day)
        prepare(made)
        yield made


def test_a_worker_killed_alone_is_failed_and_its_days_are_taken_up(scene: Scene) -> None:
    """The out-of-memory killer takes the worker only: the daemon lives on and must not wait for the dead."""
    with tree(scene, **_LATENCY) as running:
        assert wait_for(lambda: at_work(scene) is not None, 120.0), running.log()
        dead, worker = at_work(scene) or pytest.fail("no worker")
        os.kill(worker, signal.SIGKILL)
        tally = Tally(print)
        watch_recovery(scene, [dead], time.monotonic(), tally, running)
        assert tally.findings == []
        assert dead.run_id not in slots_of(scene)


def test_a_tree_killed_whole_is_taken_up_within_two_minutes(scene: Scene) -> None:
    """Dagster shows the run as started for good, and a pipeline that believes it waits for the dead for ever."""
    with tree(scene, **_LATENCY) as first:
        assert wait_for(lambda: at_work(scene) is not None, 120.0), first.log()
        dead = runs_of(scene, _STARTED, dg.DagsterRunStatus.STARTING)
        first.kill()
        assert [p for p in first.pids() if p != first.process.pid] == []
    assert half_written(scene) == []
    assert {r.run_id for r in dead} <= {r.run_id for r in runs_of(scene, _STARTED, dg.DagsterRunStatus.STARTING)}
    with tree(scene, **_LATENCY) as second:
        tally = Tally(print)
        watch_recovery(scene, dead, time.monotonic(), tally, second)
        assert tally.findings == []
        assert tally.slowest < TWO_MINUTES


def at_work(scene: Scene) -> tuple[dg.DagsterRun, int] | None:
    """A started run whose worker has fetched something, and the worker's process id; None when there is none."""
    started = runs_of(scene, _STARTED)
    units = paying.paid(scene.root / "paid.log")
    if not started or not units:
        return None
    for run in started:
        lock = scene.home / "locks" / f"run-{run.run_id}.lock"
        signature = lock.read_text(encoding="utf-8").split(" ", 1)[0] if lock.exists() else ""
        if signature.isdigit() and any(unit.pid == int(signature) for unit in units):
            return run, int(signature)
    return None
