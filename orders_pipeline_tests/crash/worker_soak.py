"""Random kills of workers: real Dagster runs in a child process, killed at random times and random points.

Belongs here: rounds of kills over one scene after the other. Not here: the tree (tree_soak.py).
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from orders_pipeline.crash_points import POINTS
from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.child import DAEMON_POINTS, live_under_dagster
from orders_pipeline_tests.crash.kills import BATCH, copy_scene, kill_at, kill_between, live_on, scene_at
from orders_pipeline_tests.crash.tally import Tally, Watched
from orders_pipeline_tests.harness import Scene, last_closed_days

_DAYS = 6
_LONGEST = 8.0
_PATIENCE = 600.0
_POINTS = tuple(p for p in POINTS if not p.startswith("archive.acts")) + DAEMON_POINTS  # nobody decides in here
_LATENCY = {paying.FETCH_SECONDS: "0.05", paying.JUDGE_SECONDS: "0.15"}
_MOST_IN_FLIGHT = BATCH  # one process: a batch of mails, or of verdicts


def kill_workers(root: Path, count: int, tally: Tally, dice: random.Random) -> None:
    """Kill ``count`` workers; a scene is used until its work is done, compared, and replaced by a fresh one."""
    days = last_closed_days(_DAYS)
    fresh = scene_at(root / "fresh", days[0])
    for day in days:
        fresh.add_day(day)
    undisturbed = copy_scene(fresh, root / "undisturbed")
    live_on(live_under_dagster, undisturbed)
    tables = undisturbed.dump()
    number = 0
    while tally.workers < count and not tally.stop.is_set():
        number += 1
        scene = copy_scene(fresh, root / f"round-{number}")
        watched = Watched(scene, tally, most_in_flight=_MOST_IN_FLIGHT)
        while tally.workers < count and not tally.stop.is_set() and _one_kill(scene, tally, dice):
            watched.after_kill()
            tally.workers += 1
            if tally.workers % 10 == 0:
                tally.say(f"{tally.workers} workers killed, {number} mailboxes, {len(tally.points)} points")
        live_on(live_under_dagster, scene, _PATIENCE)
        watched.at_the_end(tables)
        if tally.fine:
            shutil.rmtree(scene.root)


def _one_kill(scene: Scene, tally: Tally, dice: random.Random) -> bool:
    if dice.random() < 0.5:
        return kill_between(live_under_dagster, scene, dice.uniform(0.3, _LONGEST), **_LATENCY)
    point, nth = dice.choice(_POINTS), dice.choice((1, 1, 2, 3))
    killed = kill_at(live_under_dagster, scene, f"{point}:{nth}", **_LATENCY)
    if killed:
        tally.points.add(point)
    return killed
