"""The daily assets in real runs: what is logged is what is committed, a day at a time."""

from __future__ import annotations

import datetime as dt
from typing import Any

import dagster as dg
import pytest

from orders_pipeline.defs import checks as checks_module
from orders_pipeline.defs import claims
from orders_pipeline.defs.gather import gather
from orders_pipeline.defs.names import CHECKS_JOB, CURRENT_JOB, DAILY_KEYS, FETCHED, PARSED, PROPOSED, RELIST_JOB
from orders_pipeline.errors import StoreError
from orders_pipeline.quality.checks import CHECKS
from orders_pipeline.stages import day as day_stage
from orders_pipeline.stages import work as work_module
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store import ledger
from orders_pipeline.store.reader import published
from orders_pipeline_tests.defs.pipeline import QUIET, DaggedScene
from orders_pipeline_tests.harness import different_tables, ledger_row

DAILY = (FETCHED, PARSED, PROPOSED)


def poison(monkeypatch: pytest.MonkeyPatch, bad: dt.date) -> None:
    """Our own code fails on one day."""
    real = day_stage.review_day

    def review(work: Work, day: dt.date, **kwargs: Any) -> StageReport:
        if day == bad:
            raise RuntimeError("odd day")
        return real(work, day, **kwargs)

    monkeypatch.setattr(day_stage, "review_day", review)


def test_a_range_with_a_bad_day_materializes_all_others(fresh: DaggedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """One poisoned day fails its run, and costs no other day its work or its event."""
    first, bad, last = fresh.days
    poison(monkeypatch, bad)
    result = fresh.run(*fresh.days)
    assert not result.success
    good = {str(first), str(last)}
    assert fresh.shown(PROPOSED) == good
    assert fresh.shown(FETCHED) == fresh.shown(PARSED) == good | {str(bad)}
    failure = next(e for e in result.all_events if e.event_type == dg.DagsterEventType.STEP_FAILURE)
    assert "1 of 3 days are not done" in str(failure.event_specific_data)
    assert "odd day" in str(failure.event_specific_data)
    assert fresh.scene.days_done() == {first, last}


def test_a_day_has_its_event_with_metadata_and_data_version(fresh: DaggedScene) -> None:
    """The catalog tells of each day what it holds, and whether it changed."""
    assert fresh.run(*fresh.days).success
    store = fresh.scene.work().store
    for asset, stage, rows in ((FETCHED, ledger.FETCH, 4), (PARSED, ledger.PARSE, 4), (PROPOSED, ledger.REVIEW, 1)):
        for day in fresh.days:
            (event,) = fresh.events(asset, day)
            row = ledger_row(store, stage, day)
            assert row is not None
            assert event.metadata["dagster/row_count"].value == rows
            assert event.tags is not None
            assert event.tags["dagster/data_version"] == row.output_digest
    (parsed,) = fresh.events(PARSED, fresh.days[0])
    assert {k: parsed.metadata[k].value for k in ("parsed", "not_order", "orders")} == {
        "parsed": 3,
        "not_order": 1,
        "orders": 3,
    }


def test_an_unchanged_run_logs_its_events_and_doubles_nothing(fresh: DaggedScene) -> None:
    """A repeated backfill shows as done, once a run, and changes no table."""
    assert fresh.run(*fresh.days).success
    before = fresh.scene.dump()
    assert fresh.run(*fresh.days).success
    assert different_tables(before, fresh.scene.dump()) == {}
    for asset in DAILY:
        events = fresh.events(asset, fresh.days[1])
        assert len(events) == 2
        assert len({(e.tags or {})["dagster/data_version"] for e in events}) == 1
    assert len(fresh.scene.verdict_files()) == 3


def test_a_subset_of_the_assets_works(done: DaggedScene) -> None:
    """Materializing parsed_orders alone in the UI takes that stage alone, and logs that asset alone."""
    day = done.days[0]
    assert done.run(day, assets=[PARSED]).success
    assert done.shown(PARSED) == {str(day)}
    assert done.shown(FETCHED) == done.shown(PROPOSED) == set()


def test_a_subset_without_its_input_fails_in_words(fresh: DaggedScene) -> None:
    """A person who starts in the middle is told where to start."""
    result = fresh.run(fresh.days[0], assets=[PARSED])
    assert not result.success
    assert fresh.shown(PARSED) == set()
    assert any("materialize fetched_emails" in str(e.event_specific_data) for e in result.all_events)


def test_every_declared_check_has_a_result(done: DaggedScene) -> None:
    """A check that is planned and never evaluated would stay grey and look fine."""
    result = done.run(done.days[0])
    assert result.success
    found = {(e.asset_key.to_user_string(), e.check_name) for e in result.get_asset_check_evaluations()}
    assert found == {(c.asset, c.name) for c in CHECKS}


def test_a_run_that_planned_no_check_says_what_has_changed(done: DaggedScene) -> None:
    """Three events for each of fifteen checks, all as before, took longer than a day's mail; a change must show."""
    assert done.run(done.days[0]).get_asset_check_evaluations()
    assert done.run(done.days[1]).get_asset_check_evaluations() == []
    for path in (done.scene.home / "archive" / "mail").rglob("*.parquet"):
        path.unlink()
    changed = {(e.check_name, e.passed) for e in done.run(done.days[0]).get_asset_check_evaluations()}
    assert ("archive_files_missing", False) in changed
    assert len(changed) < len(CHECKS)


def test_a_run_from_the_ui_evaluates_every_check_that_it_planned(done: DaggedScene) -> None:
    """The UI shows a check that was planned and has no result as one that did not finish."""
    for _ in range(2):
        job = gather().resolve_implicit_global_asset_job_def().get_subset(asset_selection=set(DAILY_KEYS))
        result = job.execute_in_process(instance=done.instance, partition_key=str(done.days[0]), run_config=QUIET)
        claims.release_run(result.run_id)
        planned = done.instance.all_logs(result.run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION_PLANNED)
        assert len(planned) == len(result.get_asset_check_evaluations()) == len(CHECKS)


def test_checks_that_cannot_be_evaluated_fail_no_run(done: DaggedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cosmetic count once threw away 38 paid proposals: what comes after the commit may not fail the run."""

    def broken(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(checks_module, "read_facts", broken)
    result = done.run(done.days[0])
    assert result.success
    evaluations = result.get_asset_check_evaluations()
    assert len(evaluations) == len(CHECKS)
    assert not any(e.passed for e in evaluations)
    assert done.shown(PROPOSED) == {str(done.days[0])}


@pytest.mark.parametrize("error", [StoreError("disk full"), RuntimeError("odd")])
def test_a_copy_that_cannot_be_published_fails_no_run(
    done: DaggedScene, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """What is found is saved and committed; readers see the copy of before."""

    def broken(*args: object) -> None:
        raise error

    monkeypatch.setattr(work_module, "publish", broken)
    assert done.run(done.days[0]).success
    assert done.run(job=CURRENT_JOB).success
    config = {"ops": {"relist_days": {"config": {"first": str(done.days[0]), "last": str(done.days[0])}}}}
    assert done.run(job=RELIST_JOB, config=config).success


def test_a_run_publishes_what_it_did(fresh: DaggedScene) -> None:
    """Notebooks see a finished run at once."""
    assert fresh.run(*fresh.days).success
    with published(fresh.scene.home) as con:
        assert con.execute("SELECT count(*) FROM parse_outcomes").fetchall() == [(12,)]


def test_a_run_without_a_configuration_fails_in_one_line(fresh: DaggedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The definitions load without one; a run says what is missing."""
    monkeypatch.setenv("ORDERS_PIPELINE_CONFIG", str(fresh.scene.root / "none.toml"))
    result = fresh.run(fresh.days[0])
    assert not result.success
    assert any("no configuration at" in str(e.event_specific_data) for e in result.all_events)


def test_the_current_state_is_computed_from_all_days(done: DaggedScene) -> None:
    """Orders, alerts and the queue follow the days in a job of their own."""
    assert done.run(job=CURRENT_JOB).success
    with published(done.scene.home) as con:
        assert con.execute("SELECT count(*) FROM orders").fetchall() == [(9,)]
        assert con.execute("SELECT count(*) FROM case_queue").fetchall() != [(0,)]


def test_the_check_job_reports_every_check_without_a_run_of_days(done: DaggedScene) -> None:
    """Checks turn red when no run does: their own job reports them on the assets."""
    assert done.run(job=CHECKS_JOB).success
    for check in CHECKS:
        key = dg.AssetCheckKey(dg.AssetKey(check.asset), check.name)
        (record,) = done.instance.event_log_storage.get_asset_check_execution_history(key, limit=5)
        assert record.status.value == "SUCCEEDED", check.name


def test_a_check_job_that_cannot_look_is_a_failed_run(done: DaggedScene) -> None:
    """Checks that were not evaluated must not look as if nothing was found."""
    done.scene.settings = "[store]\nlock_timeout_seconds = 0.3\n"
    done.scene.write_config()
    with done.open_elsewhere():
        assert not done.run(job=CHECKS_JOB).success


def test_re_listing_reopens_days_and_a_failing_mailbox_fails_its_run(done: DaggedScene) -> None:
    """The job compares and reopens; a mailbox that cannot be read shows as a failed run, in one line."""
    config = {"ops": {"relist_days": {"config": {"first": str(done.days[0]), "last": str(done.days[-1])}}}}
    assert done.run(job=RELIST_JOB, config=config).success
    assert done.scene.days_done() == set(done.days)
    done.scene.add_order(done.days[1])
    assert done.run(job=RELIST_JOB, config=config).success
    assert done.scene.days_done() == {done.days[0], done.days[2]}
    (done.scene.root / "inbox").rename(done.scene.root / "away")
    result = done.run(job=RELIST_JOB, config=config)
    assert not result.success
    assert any("mailbox inbox" in str(e.event_specific_data) for e in result.all_events)
