"""A process is killed at every named point, before and after each durable step; another goes on from what is saved.

The tables must equal those of a life without a kill, and nobody pays twice for what was saved before the kill.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import dagster as dg
import pytest

from orders_pipeline.crash_points import POINTS
from orders_pipeline.defs.cursor import stored_cursor
from orders_pipeline.defs.in_hand import _UNFINISHED
from orders_pipeline.defs.names import POOL
from orders_pipeline.defs.tick import shown_days
from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.child import DAEMON_POINTS, live_in_stages, live_under_dagster
from orders_pipeline_tests.crash.kills import (
    BATCH,
    DAYS,
    Life,
    copy_scene,
    damaged_copy,
    doubled_in_archive,
    fast_folder,
    half_written,
    kill_at,
    leftovers,
    live_on,
    log_of,
    saved_units,
    scene_at,
)
from orders_pipeline_tests.harness import Dump, Scene, different_tables, last_closed_days
from orders_pipeline_tests.support import PROJECT

OF_DAGSTER = tuple(p for p in POINTS if p.startswith(("event.", "tick.", "run."))) + DAEMON_POINTS
OF_THE_STAGES = tuple(p for p in POINTS if p not in OF_DAGSTER)
LATER = (
    "day.begin.after:3",
    "archive.mail.before:4",
    "archive.mail.renamed:3",
    "fetch.commit.inside:2",
    "parse.message.before:7",
    "archive.verdicts.renamed:4",
    "review.commit.after:3",
    "publish.copied:2",
    "current.commit.before:2",
)
# A person's acts have their own id and instant each time.
OF_A_PERSON = ("acts.act_id", "acts.acted_at")


class Prepared(NamedTuple):
    """A scene in which nothing has run yet, and the tables of an undisturbed life in a copy of it."""

    scene: Scene
    tables: Dump


def _prepared(root: Path, life: Life) -> Prepared:
    days = last_closed_days(DAYS)
    scene = scene_at(root / "fresh", days[0])
    for day in days:
        scene.add_day(day)
    undisturbed = copy_scene(scene, root / "undisturbed")
    live_on(life, undisturbed)
    assert undisturbed.days_done() == set(days)
    return Prepared(scene, undisturbed.dump(ignore=OF_A_PERSON))


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with fast_folder() as path:
        yield path


@pytest.fixture(scope="module")
def in_stages(folder: Path) -> Prepared:
    return _prepared(folder / "stages", live_in_stages)


@pytest.fixture(scope="module")
def under_dagster(folder: Path) -> Prepared:
    return _prepared(folder / "dagster", live_under_dagster)


def _kill_and_go_on(prepared: Prepared, life: Life, *points: str) -> Scene:
    """Kill one life after the other at the points, let the next end, and look at everything on the way."""
    scene = copy_scene(prepared.scene, prepared.scene.root.parent / re.sub(r"\W", "-", " ".join(points)))
    lost_in_flight = 0
    for point in points:
        before, paid_before = saved_units(scene), len(paying.paid(log_of(scene)))
        assert kill_at(life, scene, point), f"{point} was never reached"
        assert half_written(scene) == damaged_copy(scene) == []
        saved, paid = saved_units(scene), paying.paid(log_of(scene))[paid_before:]
        assert [u for u in paid if (u.kind, u.unit) in before] == [], "paid again for what was saved"
        in_flight = [u for u in paid if (u.kind, u.unit) not in saved]
        assert len(in_flight) <= BATCH, "more was in flight than one batch"
        lost_in_flight += len(in_flight)
    before, paid_before = saved_units(scene), len(paying.paid(log_of(scene)))
    live_on(life, scene)
    paid = paying.paid(log_of(scene))
    assert [u for u in paid[paid_before:] if (u.kind, u.unit) in before] == [], "paid again for what was saved"
    assert len(paid) - len(saved_units(scene)) == lost_in_flight
    assert doubled_in_archive(scene) == []
    assert different_tables(prepared.tables, scene.dump(ignore=OF_A_PERSON)) == {}
    assert half_written(scene) == []
    return scene


@pytest.mark.xdist_group("crash-stages")
@pytest.mark.parametrize("point", OF_THE_STAGES + LATER)
def test_stages_converge_after_a_kill(in_stages: Prepared, point: str) -> None:
    """What a kill at this point loses, doubles or leaves half written would stay so for good."""
    scene = _kill_and_go_on(in_stages, live_in_stages, point)
    assert leftovers(scene) == []


@pytest.mark.xdist_group("crash-stages")
def test_a_message_in_work_at_two_kills_is_not_blamed_for_them(in_stages: Prepared) -> None:
    """Two kills from outside at one message would make it ``failed: killed the parser``, though it is innocent."""
    _kill_and_go_on(in_stages, live_in_stages, "parse.message.before:2", "parse.message.before:1")


@pytest.mark.xdist_group("crash-stages")
def test_stages_converge_after_many_kills(in_stages: Prepared) -> None:
    """Kills in a row add up to no more than one batch each."""
    _kill_and_go_on(
        in_stages, live_in_stages, "archive.mail.written", "archive.mail.before:2", "fetch.commit.inside",
        "archive.verdicts.written", "archive.verdicts.before:2", "review.commit.inside", "day.begin.after",
    )  # fmt: skip


@pytest.mark.xdist_group("crash-dagster")
@pytest.mark.parametrize("point", OF_DAGSTER)
def test_runs_and_ticks_converge_after_a_kill(
    under_dagster: Prepared, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill between ledger, event, cursor and launch leaves a cursor that lies, or a run that holds days for good."""
    scene = _kill_and_go_on(under_dagster, live_under_dagster, point)
    monkeypatch.setenv("DAGSTER_HOME", str(scene.home / "dagster"))
    with dg.DagsterInstance.get() as instance:
        assert instance.get_runs(filters=dg.RunsFilter(statuses=_UNFINISHED)) == []
        assert stored_cursor(instance) == last_closed_days(1)[0]
        assert shown_days(instance) == set(last_closed_days(DAYS))
        assert instance.event_log_storage.get_concurrency_info(POOL).claimed_slots == []
        # A day that a killed run had committed is brought into line from the ledger, and taken by no second run.
        runs = instance.get_runs(filters=dg.RunsFilter(job_name="order_days"))
        assert len(runs) <= 2


def test_every_point_in_the_source_is_on_the_list() -> None:
    """A point that is missing from the list is one at which nobody ever kills."""
    named = set()
    for path in (PROJECT / "orders_pipeline").rglob("*.py"):
        named |= set(re.findall(r'\breach\(f?"([^"]+)"\)', path.read_text(encoding="utf-8")))
    kinds = ("mail", "listings", "verdicts", "acts")
    spelled = {name.replace("{kind}", kind) for name in named for kind in kinds}
    assert spelled == set(POINTS)


def test_there_are_days_enough_to_be_killed_in() -> None:
    """The days of the scenes are over; today's mail would not be taken."""
    assert last_closed_days(DAYS)[-1] < dt.datetime.now(dt.UTC).date() + dt.timedelta(days=1)
