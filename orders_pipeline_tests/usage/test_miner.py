"""The lying watermark, through the miner of usage logs: 238 rows, 38 failing, one error of the judge in the middle."""

from __future__ import annotations

import datetime as dt

import pytest

from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.retry import retry, waive
from orders_pipeline.stages.usage_status import usage_status
from orders_pipeline.stages.usage_work import usage_cases
from orders_pipeline_tests.harness import DAY, Scene, select
from orders_pipeline_tests.llm.stub_server import StubServer, error
from orders_pipeline_tests.usage.translator import (
    FAILING,
    ROWS,
    SICK,
    asked_rows,
    configure,
    judging,
    log_row,
    log_rows,
    usage,
    write_log,
)


def proposals(scene: Scene) -> int:
    return select(usage(scene).store, "SELECT count(*) FROM proposed_eval_cases")[0][0]


def test_an_error_in_the_middle_costs_no_proposal_and_is_judged_next_time(scene: Scene, server: StubServer) -> None:
    """A mark that passes the row in error skips it for good; one that does not, pays for all of them again."""
    write_log(scene.root / "calls.jsonl", log_rows())
    judging(server, sick=[SICK])
    report = run_day(usage(scene), DAY)
    assert report.problem is not None
    assert "1 outcomes have no verdict yet" in report.problem
    assert (len(server.asked), proposals(scene)) == (ROWS, FAILING)
    found = usage_status(scene.work())
    assert found is not None
    assert (found.days_done, found.cursor, found.pending) == (0, None, 1)
    before = len(server.asked)
    judging(server)
    assert run_day(usage(scene), DAY).problem is None
    assert asked_rows(server)[before:] == [SICK]
    found = usage_status(scene.work())
    assert found is not None
    assert (found.rows, found.cases, found.pending) == (ROWS, FAILING, 0)
    assert found.cursor == DAY
    run_day(usage(scene), DAY)
    assert len(server.asked) == before + 1


def test_a_failing_row_in_error_is_proposed_once_it_is_judged(scene: Scene, server: StubServer) -> None:
    """The one proposal that was in error must not be the one that is lost."""
    write_log(scene.root / "calls.jsonl", log_rows(24, 4))
    judging(server, sick=["translate-6"])
    run_day(usage(scene), DAY)
    assert proposals(scene) == 3
    judging(server)
    run_day(usage(scene), DAY)
    assert proposals(scene) == 4
    assert len(server.asked) == 25


def test_a_case_holds_input_output_and_why(scene: Scene, server: StubServer) -> None:
    """A test case without its input is none."""
    write_log(scene.root / "calls.jsonl", log_rows(6, 2))
    run_day(usage(scene), DAY)
    cases = usage_cases(usage(scene))
    assert sorted((c["log"], c["id"], c["input"], c["output"]) for c in cases) == [
        ("translator", f"translate-{n}", f"translate-{n}", "BAD: left in English") for n in (0, 3)
    ]
    assert {r["code"] for c in cases for r in c["reasons"]} == {"fails_rubric"}
    assert cases[0]["reasons"][0]["detail"] == "the output is English"


def test_the_same_input_and_output_twice_is_one_case(scene: Scene, server: StubServer) -> None:
    """A user who presses a button five times makes one test case."""
    row = log_row(0, bad=True)
    write_log(scene.root / "calls.jsonl", [{**row, "call": f"c{n}"} for n in range(5)])
    assert run_day(usage(scene), DAY).problem is None
    assert len(usage_cases(usage(scene))) == 1


def test_a_log_that_is_missing_is_an_error_and_no_empty_day(scene: Scene, server: StubServer) -> None:
    """A rotated log reads as zero rows; zero rows pass for a quiet day."""
    report = run_day(usage(scene), DAY)
    assert report.problem is not None
    assert "translator" in report.problem
    write_log(scene.root / "calls.jsonl", log_rows(6, 2))
    assert run_day(usage(scene), DAY).problem is None


def test_a_log_that_lost_rows_takes_nothing_away(scene: Scene, server: StubServer) -> None:
    """Logs are rotated; what was saved and judged stays."""
    write_log(scene.root / "calls.jsonl", log_rows(12, 3))
    run_day(usage(scene), DAY)
    write_log(scene.root / "calls.jsonl", log_rows(12, 3)[:1])
    assert run_day(usage(scene), DAY).problem is None
    assert (proposals(scene), len(server.asked)) == (3, 12)


def test_late_rows_buy_verdicts_for_themselves_alone(scene: Scene, server: StubServer) -> None:
    """A row that is written a day late must neither be missed nor cost the day once more."""
    rows = log_rows(12, 3)
    write_log(scene.root / "calls.jsonl", rows[:10])
    run_day(usage(scene), DAY)
    write_log(scene.root / "calls.jsonl", rows)
    assert run_day(usage(scene), DAY).problem is None
    assert sorted(asked_rows(server)[10:]) == ["translate-10", "translate-11"]


def test_a_row_out_of_tries_holds_the_day_until_it_is_waived_or_retried(scene: Scene, server: StubServer) -> None:
    """A row that can never be judged must stay visible, and must not hold everything for ever."""
    configure(scene, server.url, model="concurrency = 1\n[review]\nmax_tries = 2")
    write_log(scene.root / "calls.jsonl", log_rows(6, 2))
    judging(server, sick=["translate-1"])
    for _ in range(3):
        run_day(usage(scene), DAY)
    found = usage_status(scene.work())
    assert found is not None
    assert (found.exhausted, found.days_done, len(server.asked)) == (1, 0, 7)
    (unit,) = select(usage(scene).store, "SELECT unit FROM units")
    waive(usage(scene), unit[0], stage="review", reason="no matter")
    assert run_day(usage(scene), DAY).problem is None
    judging(server)
    retry(usage(scene), names=unit)
    assert run_day(usage(scene), DAY).problem is None
    assert len(server.asked) == 8


def test_a_login_that_fails_uses_no_try(scene: Scene, server: StubServer) -> None:
    """A key that expired must not exhaust a day of rows."""
    write_log(scene.root / "calls.jsonl", log_rows(6, 2))
    server.say(error(401))
    run_day(usage(scene), DAY)
    assert select(usage(scene).store, "SELECT DISTINCT state, tries FROM units") == [("pending", 0)]
    assert len(server.asked) <= 4


def test_a_rubric_that_is_missing_blames_no_row(scene: Scene, server: StubServer) -> None:
    """A slip in a path must cost neither calls nor tries."""
    write_log(scene.root / "calls.jsonl", log_rows(6, 2))
    (scene.root / "rubric.md").unlink()
    report = run_day(usage(scene), DAY)
    assert report.problem is not None
    assert "rubric" in report.problem
    assert (server.asked, select(usage(scene).store, "SELECT * FROM units")) == ([], [])


def test_rebuilding_takes_the_verdicts_over_and_pays_for_nothing(scene: Scene, server: StubServer) -> None:
    """The archive holds what was paid for."""
    write_log(scene.root / "calls.jsonl", log_rows(12, 3))
    run_day(usage(scene), DAY)
    rebuild_store(usage(scene))
    assert (proposals(scene), len(server.asked)) == (3, 12)
    assert run_day(usage(scene), DAY).problem is None
    assert len(server.asked) == 12


def test_the_days_of_mail_know_nothing_of_the_days_of_logs(scene: Scene, server: StubServer) -> None:
    """A log in trouble must not hold the orders back."""
    write_log(scene.root / "calls.jsonl", log_rows(6, 2))
    scene.add_day()
    judging(server, sick=["translate-1"])
    run_day(usage(scene), DAY)
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None
    assert select(scene.work().store, "SELECT count(*) FROM units") == [(0,)]


def test_calls_for_logs_count_towards_the_limit_of_the_whole_store(scene: Scene, server: StubServer) -> None:
    """Two budgets are twice the money."""
    configure(scene, server.url, model="concurrency = 1")
    scene.settings = scene.settings.replace("calls_per_day = 100000", "calls_per_day = 4")
    scene.write_config()
    write_log(scene.root / "calls.jsonl", [*log_rows(3, 1), *log_rows(6, 2, DAY + dt.timedelta(days=1))])
    run_day(usage(scene), DAY)
    report = run_day(usage(scene), DAY + dt.timedelta(days=1))
    assert report.problem is not None
    assert "limit of 4 calls a day" in report.problem
    assert len(server.asked) == 4
    assert len(scene.work().store.archive.all_files("calls")) == 4


@pytest.mark.parametrize("redact", [True, False])
def test_personal_data_is_taken_out_unless_told_otherwise(scene: Scene, server: StubServer, redact: bool) -> None:
    """A log of what users typed is full of addresses."""
    configure(scene, server.url, f"redact = {str(redact).lower()}")
    write_log(scene.root / "calls.jsonl", [{**log_row(1), "reply": "Dear Ottoline,\nwrite to ottoline@wren.example"}])
    run_day(usage(scene), DAY)
    assert ("ottoline@wren.example" in server.asked[0].text) is not redact
