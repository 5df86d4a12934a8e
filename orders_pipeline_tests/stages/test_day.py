"""One day through all stages: done once, done twice, reopened by late mail, damaged by nothing that fails."""

from __future__ import annotations

import datetime as dt

import pytest

from orders_pipeline.errors import StoreError
from orders_pipeline.stages import day as day_stage
from orders_pipeline.stages import fetch as fetch_stage
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store import ledger
from orders_pipeline_tests.harness import DAY, Scene, different_tables, select


def test_a_day_is_fetched_parsed_and_reviewed(scene: Scene) -> None:
    """The three stages agree on the day: every mail has an outcome, every outcome to review a verdict."""
    scene.add_day()
    report = run_day(scene.work(), DAY)
    assert report.problem is None
    assert [r.stage for r in report.proven()] == list(ledger.STAGES)
    fetch, parse, review = (r.counts for r in report.reports)
    assert (fetch["messages"], fetch["new_messages"], fetch["unfetched"]) == (4, 4, 0)
    assert (parse["parsed"], parse["not_order"], parse["orders"], parse["newly_parsed"]) == (3, 1, 3, 4)
    assert (review["reviewed"], review["suspect"], review["proposed_cases"]) == (3, 1, 1)
    assert scene.why_not_done() is None


def test_a_second_run_changes_nothing_and_judges_nothing_twice(scene: Scene) -> None:
    """A repeated backfill costs no second verdict and no row."""
    scene.add_day()
    run_day(scene.work(), DAY)
    before, verdicts = scene.dump(), scene.verdict_files()
    assert len(verdicts) == 1
    report = run_day(scene.work(), DAY)
    assert report.problem is None
    assert [r.counts.get("new_messages") for r in report.reports[:1]] == [0]
    assert report.reports[1].counts["newly_parsed"] == 0
    assert report.reports[2].counts["newly_judged"] == 0
    assert different_tables(before, scene.dump()) == {}
    assert scene.verdict_files() == verdicts


def test_an_empty_day_is_done(scene: Scene) -> None:
    """A day without mail is proven empty by its listing and holds nothing up."""
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None
    assert scene.verdict_files() == []


def test_mail_that_a_killed_run_left_saved_reopens_the_day_for_whatever_stage_comes_next(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that takes up saved mail and is not asked to fetch would leave it without outcome in a day that is done."""
    scene.add_day()
    run_day(scene.work(), DAY)
    scene.add_order(total="99.00")

    def die(point: str) -> None:
        if point == "fetch.commit.before":
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(fetch_stage, "reach", die)
        with pytest.raises(KeyboardInterrupt):
            run_day(scene.work(), DAY)
    run_day(scene.work(), DAY, [ledger.REVIEW])
    assert scene.why_not_done() == "its mail changed since it was parsed"
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None


def test_late_mail_reopens_the_day_and_only_it_is_parsed_and_judged(scene: Scene) -> None:
    """Mail that arrives for an old day is found, and the old mail is not paid for again."""
    scene.add_day()
    run_day(scene.work(), DAY)
    scene.add_order(total="99.00")
    report = run_day(scene.work(), DAY, [ledger.FETCH])
    assert report.problem is None
    assert scene.why_not_done() == "its mail changed since it was parsed"
    report = run_day(scene.work(), DAY)
    assert report.reports[1].counts["newly_parsed"] == 1
    assert report.reports[2].counts["newly_judged"] == 1
    assert scene.why_not_done() is None
    store = scene.work().store
    assert select(store, "SELECT max(n) FROM (SELECT count(*) AS n FROM verdicts GROUP BY message_id)") == [(1,)]


def test_stages_without_their_input_say_what_to_do_first(scene: Scene) -> None:
    """Materializing parsed_orders alone on a fresh day is refused in words, not done on nothing."""
    scene.add_day()
    report = run_day(scene.work(), DAY, [ledger.PARSE])
    assert report.problem is not None
    assert "fetched_emails" in report.problem
    assert report.proven() == ()
    report = run_day(scene.work(), DAY, [ledger.REVIEW])
    assert report.problem is not None
    assert "parsed_orders" in report.problem


def test_stages_run_one_at_a_time_as_well(scene: Scene) -> None:
    """A subset of the assets gives the same tables as all of them at once."""
    scene.add_day()
    for stage in ledger.STAGES:
        report = run_day(scene.work(), DAY, [stage])
        assert [r.stage for r in report.proven()] == [stage]
    apart = scene.dump()
    run_day(scene.work(), DAY)
    assert different_tables(apart, scene.dump()) == {}


def test_a_fault_of_ours_ends_its_own_day_with_one_line(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected error in one day neither escapes nor hides: it is a spaced try with the error beside it."""
    scene.add_day()

    def break_down(work: Work, day: dt.date, *, closes: bool) -> StageReport:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr(day_stage, "review_day", break_down)
    for tries in (1, 2):
        report = run_day(scene.work(), DAY)
        assert report.problem == "review: RuntimeError: first line second line"
        assert [r.stage for r in report.proven()] == ["fetch", "parse"]
        assert select(scene.work().store, "SELECT tries, stage FROM day_tries") == [(tries, "review")]
    assert any("RuntimeError" in line for line in scene.warnings)
    monkeypatch.undo()
    assert run_day(scene.work(), DAY).problem is None
    assert select(scene.work().store, "SELECT * FROM day_tries") == []


def test_a_try_is_on_record_before_the_work(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed in the work has used a try up, and the day waits before the next."""
    scene.add_day()

    def die(work: Work, day: dt.date, *, closes: bool) -> StageReport:
        raise KeyboardInterrupt

    monkeypatch.setattr(day_stage, "fetch_day", die)
    with pytest.raises(KeyboardInterrupt):
        run_day(scene.work(), DAY)
    found = select(scene.work().store, "SELECT tries, error, next_try_at > started_at FROM day_tries")
    assert found == [(1, "the process ended before the day was done", True)]


def test_a_store_that_fails_is_told_in_one_line(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is a problem of the day with its own words, not a traceback."""
    scene.add_day()
    work = scene.work()

    def full(*args: object) -> str:
        raise StoreError("cannot save to the archive: No space left on device")

    monkeypatch.setattr(work.store.archive, "save", full)
    report = run_day(work, DAY)
    assert report.problem == "fetch: cannot save to the archive: No space left on device"
    monkeypatch.undo()
    assert run_day(scene.work(), DAY).problem is None
