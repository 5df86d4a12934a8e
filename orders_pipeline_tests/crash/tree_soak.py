"""Kills of the whole tree: daemon, code server and workers die together and are started again.

Belongs here: the moments of the kills, and the watch on what the next tree makes of the dead runs: failed, their
days taken up, their pool slots free, all within two minutes of the restart and without a person.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import dagster as dg

from orders_pipeline.defs.in_hand import _UNFINISHED, days_of_run
from orders_pipeline.defs.names import POOL
from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.child import live_under_dagster
from orders_pipeline_tests.crash.kills import BATCH, live_on
from orders_pipeline_tests.crash.tally import Tally, Watched
from orders_pipeline_tests.crash.tree import Tree, prepare
from orders_pipeline_tests.harness import Scene, last_closed_days

TWO_MINUTES = 120.0
_DAYS = 36
_KILLS_A_SCENE = 6
_PATIENCE = 600.0
_RUNS = 2
_LATENCY = {paying.FETCH_SECONDS: "0.1", paying.JUDGE_SECONDS: "0.3"}
_SETTINGS = f"[fetch]\nbatch_messages = {BATCH}\n\n[sensor]\nmax_days_per_run = 5\nretry_first_seconds = 5\n"
_RUNNING = (dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED)


def kill_trees(root: Path, count: int, tally: Tally, dice: random.Random) -> None:
    """Kill ``count`` trees; a scene serves for some of them, is then finished, compared, and replaced."""
    days = last_closed_days(_DAYS)
    fresh = Scene(root / "fresh", start=days[0], settings=_SETTINGS)
    for day in days:
        fresh.add_day(day)
    undisturbed = _copy(fresh, root / "undisturbed")
    live_on(live_under_dagster, undisturbed, _PATIENCE)
    tables = undisturbed.dump()
    while tally.trees < count and not tally.stop.is_set():
        scene = _copy(fresh, root / f"after-{tally.trees}")
        watched = Watched(scene, tally, most_in_flight=_RUNS * BATCH)
        prepare(scene)
        _kill_some(scene, watched, min(_KILLS_A_SCENE, count - tally.trees), tally, dice)
        live_on(live_under_dagster, scene, _PATIENCE)
        watched.at_the_end(tables)
        if tally.fine:
            shutil.rmtree(scene.root)


def _kill_some(scene: Scene, watched: Watched, count: int, tally: Tally, dice: random.Random) -> None:
    dead: list[dg.DagsterRun] = []
    for _ in range(count):
        if tally.stop.is_set():
            return
        tree = Tree(scene, **_LATENCY)
        began = time.monotonic()
        try:
            if dead:
                watch_recovery(scene, dead, began, tally, tree)
            # At work, while a run starts, or while the tree itself does.
            moment = dice.choices([(dg.DagsterRunStatus.STARTED,), _RUNNING, ()], [6, 2, 2])[0]
            wait_for(lambda moment=moment: not moment or bool(runs_of(scene, *moment)), 90.0)
            time.sleep(dice.uniform(0.0, 8.0))
        finally:
            tree.kill()
        tally.trees += 1
        watched.after_kill()
        dead = runs_of(scene, *_RUNNING)
        tally.say(f"{tally.trees} trees killed, {len(scene.days_done())} of {_DAYS} days of this mailbox done")


def _copy(scene: Scene, root: Path) -> Scene:
    shutil.copytree(scene.root, root)
    return Scene(root, start=scene.start, settings=_SETTINGS)


def watch_recovery(scene: Scene, dead: list[dg.DagsterRun], began: float, tally: Tally, tree: Tree) -> None:
    """Wait until a restarted tree has failed the dead runs and taken up their days; note what takes too long."""
    ids = {run.run_id for run in dead}
    owed = {day for run in dead for day in days_of_run(run.tags)} - scene.days_done()

    def recovered() -> bool:
        found = _runs(scene)
        if any(run.status in _UNFINISHED for run in found if run.run_id in ids):
            return False
        taken = {day for r in found if r.run_id not in ids and r.status in _UNFINISHED for day in days_of_run(r.tags)}
        return owed <= taken or owed <= taken | scene.days_done()

    if wait_for(recovered, TWO_MINUTES - (time.monotonic() - began)):
        tally.slowest = max(tally.slowest, time.monotonic() - began)
    else:
        open_days = ", ".join(map(str, sorted(owed - scene.days_done())))
        tally.note("late", [f"{len(ids)} dead runs, days {open_days}; now {[r.status.value for r in _runs(scene)]}"])
        tally.say(tree.log())
    stuck = slots_of(scene) & ids
    tally.note("late", [f"the run {run_id} is dead and keeps a pool slot" for run_id in stuck])


def runs_of(scene: Scene, *statuses: dg.DagsterRunStatus) -> list[dg.DagsterRun]:
    """The runs in one of these states."""
    return [run for run in _runs(scene) if run.status in statuses]


def slots_of(scene: Scene) -> set[str]:
    """The runs that hold a slot of the pool, or that Dagster counts against it."""
    with dg.DagsterInstance.from_config(str(scene.home / "dagster")) as instance:
        info = instance.event_log_storage.get_concurrency_info(POOL)
        return {slot.run_id for slot in info.claimed_slots}


def wait_for(happened: Callable[[], bool], seconds: float) -> bool:
    """Look twice a second; whether it happened in time."""
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.5)
    return True


def _runs(scene: Scene) -> list[dg.DagsterRun]:
    with dg.DagsterInstance.from_config(str(scene.home / "dagster")) as instance:
        return list(instance.get_runs(limit=200))
