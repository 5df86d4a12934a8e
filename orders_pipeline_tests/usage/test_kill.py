"""The miner killed at every step of its night: what was paid for stays, and the row in error is the only one left."""

from __future__ import annotations

import subprocess
import sys

import pytest

from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.usage_status import usage_status
from orders_pipeline_tests.harness import DAY, Scene, select
from orders_pipeline_tests.llm.stub_server import StubServer
from orders_pipeline_tests.stages.killing import kill_at
from orders_pipeline_tests.usage.translator import (
    FAILING,
    ROWS,
    SICK,
    asked_rows,
    configure,
    judging,
    log_rows,
    usage,
    write_log,
)

CHILD = ("-m", "orders_pipeline_tests.usage.child", DAY.isoformat())
CONCURRENCY = 2


@pytest.fixture
def night(scene: Scene, server: StubServer) -> Scene:
    """238 rows, 38 failing, and a judge that errors for one in the middle."""
    configure(scene, server.url, model=f"concurrency = {CONCURRENCY}")
    write_log(scene.root / "calls.jsonl", log_rows())
    judging(server, sick=[SICK])
    return scene


@pytest.mark.parametrize(
    "point",
    [
        "archive.mail.renamed",
        "fetch.commit.inside",
        "archive.verdicts.written:100",
        "archive.verdicts.renamed:200",
        "review.commit.inside",
        "review.commit.after",
    ],
)
def test_a_kill_loses_nothing_that_was_paid_for(night: Scene, server: StubServer, point: str) -> None:
    """38 paid proposals were gone with the process, and 238 rows never seen again."""
    kill_at(point, CHILD, night.process_environ(), night.root)
    saved = len(usage(night).store.archive.all_files("verdicts"))
    before = len(server.asked)
    # In flight at the kill: what was not answered, one answer on its way to a file, and the sick row's call.
    assert before - saved <= CONCURRENCY + 2
    run_day(usage(night), DAY)
    assert select(usage(night).store, "SELECT count(*) FROM proposed_eval_cases") == [(FAILING,)]
    assert len(server.asked) - before == ROWS - saved
    found = usage_status(night.work())
    assert found is not None
    assert (found.cursor, found.pending, found.rows) == (None, 1, ROWS)
    before = len(server.asked)
    judging(server)
    assert run_day(usage(night), DAY).problem is None
    assert asked_rows(server)[before:] == [SICK]
    found = usage_status(night.work())
    assert found is not None
    assert (found.cursor, found.pending) == (DAY, 0)


def test_a_crash_in_the_count_at_the_end_costs_nothing(night: Scene, server: StubServer) -> None:
    """The crash that started it all came after the work, in a line that only told of it."""
    command = [sys.executable, *CHILD]
    done = subprocess.run(
        command, cwd=night.root, env=night.process_environ(), capture_output=True, text=True, check=False, timeout=120
    )
    assert "not JSON serializable" in done.stderr
    assert select(usage(night).store, "SELECT count(*) FROM proposed_eval_cases") == [(FAILING,)]
    before = len(server.asked)
    judging(server)
    assert run_day(usage(night), DAY).problem is None
    assert asked_rows(server)[before:] == [SICK]
