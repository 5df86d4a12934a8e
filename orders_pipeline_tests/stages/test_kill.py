"""Kill -9 at every point of a day, then run it again: the tables are those of an undisturbed day."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from orders_pipeline.crash_points import POINTS
from orders_pipeline.stages.day import run_day
from orders_pipeline.store import ledger
from orders_pipeline_tests.harness import DAY, Dump, Scene, different_tables, ledger_row, select
from orders_pipeline_tests.stages.killing import kill_at, start

NEXT = DAY + dt.timedelta(days=1)
CHILD = ("-m", "orders_pipeline_tests.stages.child", DAY.isoformat(), NEXT.isoformat())
OF_A_DAY = tuple(
    p
    for p in POINTS
    if p.startswith(("day.", "fetch.", "parse.", "review.", "archive.")) and not p.startswith("archive.acts")
)


def make(folder: Path) -> Scene:
    folder.mkdir(parents=True, exist_ok=True)
    scene = Scene(folder, settings="[fetch]\nbatch_messages = 3\n")
    for day in (DAY, NEXT):
        scene.add_day(day)
    return scene


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Dump:
    """The tables after two days that nobody disturbed."""
    scene = make(tmp_path_factory.mktemp("undisturbed"))
    for day in (DAY, NEXT):
        assert run_day(scene.work(), day).problem is None
    return scene.dump()


@pytest.mark.slow
@pytest.mark.parametrize("point", OF_A_DAY)
def test_a_day_killed_anywhere_ends_as_an_undisturbed_one(point: str, tmp_path: Path, undisturbed: Dump) -> None:
    """A kill costs at most the units in flight: nothing is lost, doubled or judged twice, whatever the moment."""
    scene = make(tmp_path)
    kill_at(point, CHILD, scene.process_environ(), scene.root)
    judged = set(scene.verdict_files())
    for day in (DAY, NEXT):
        assert run_day(scene.work(), day).problem is None
    assert different_tables(undisturbed, scene.dump()) == {}
    assert judged <= set(scene.verdict_files())
    assert len(scene.verdict_files()) == 2
    assert select(scene.work().store, "SELECT * FROM day_tries") == []
    assert not list(scene.home.rglob("*.parquet.*.tmp")) or point.startswith("archive.")


def test_a_kill_between_the_rows_and_the_commit_leaves_the_old_ones(tmp_path: Path) -> None:
    """A day's rows are all old or all new: late mail whose parse was killed shows nothing half-done."""
    scene = make(tmp_path)
    for day in (DAY, NEXT):
        run_day(scene.work(), day)
    before = select(scene.work().store, "SELECT * FROM parse_outcomes ORDER BY message_id")
    scene.add_order(DAY)
    kill_at("parse.commit.inside", CHILD, scene.process_environ(), scene.root)
    assert select(scene.work().store, "SELECT * FROM parse_outcomes ORDER BY message_id") == before
    assert scene.why_not_done() == "its mail changed since it was parsed"
    assert scene.why_not_done(NEXT) is None


def test_two_processes_with_the_same_days_give_the_same_as_one(tmp_path: Path, undisturbed: Dump) -> None:
    """Two backfills and a schedule may take one day at once: it is done once, and no verdict is paid for twice."""
    scene = make(tmp_path)
    children = [start(CHILD, scene.process_environ(), scene.root) for _ in range(2)]
    assert [child.wait(timeout=120) for child in children] == [0, 0]
    fine = {DAY.isoformat(): None, NEXT.isoformat(): None}
    assert [json.loads(line) for line in (scene.root / "child.log").read_text().splitlines()] == [fine, fine]
    assert different_tables(undisturbed, scene.dump()) == {}
    assert len(scene.verdict_files()) == 2
    assert len(scene.work().store.archive.all_files("mail")) == 4
    assert ledger_row(scene.work().store, ledger.REVIEW) is not None
