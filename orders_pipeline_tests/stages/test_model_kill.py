"""A model judge that is killed: what was paid for stays, what was in flight is asked again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from orders_pipeline.stages.day import run_day
from orders_pipeline_tests.harness import DAY, Scene, select
from orders_pipeline_tests.llm.stub_server import StubServer, stub_server
from orders_pipeline_tests.stages.killing import kill_at
from orders_pipeline_tests.stages.test_model_judge import configure

MAILS = 8
CHILD = ("-m", "orders_pipeline_tests.stages.child", DAY.isoformat())


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as found:
        yield found


@pytest.mark.parametrize(
    ("point", "saved"),
    [
        ("archive.verdicts.before:4", 2),  # the first is the rules' file
        ("archive.verdicts.renamed:5", 4),
        ("archive.calls.written:3", None),
        ("review.commit.inside", MAILS),
    ],
)
def test_a_kill_costs_at_most_the_calls_in_flight(
    scene: Scene, server: StubServer, point: str, saved: int | None
) -> None:
    """38 paid proposals were gone with the process; here each is a file as soon as it came."""
    concurrency = 2
    configure(scene, server, f"concurrency = {concurrency}", sections="[sensor]\nretry_first_seconds = 0")
    for _ in range(MAILS):
        scene.add_order()
    kill_at(point, CHILD, scene.process_environ(), scene.root)
    before = len(server.asked)
    paid = _models(scene)
    assert before - len(paid) <= concurrency + 1  # one more may have come and not been saved yet
    assert saved is None or len(paid) == saved
    assert run_day(scene.work(), DAY).problem is None
    again = len(server.asked) - before
    assert again == MAILS - len(paid)
    assert select(scene.work().store, "SELECT count(*) FROM verdicts WHERE judge = 'model'") == [(MAILS,)]
    assert scene.why_not_done() is None
    # Calls in flight when it died count against the day's limit all the same.
    journal = next((scene.home / "cache" / "model_calls").glob("*.jsonl")).read_text().splitlines()
    assert len({json.loads(line)["id"] for line in journal if line}) == len(server.asked)


def _models(scene: Scene) -> list[str]:
    archive = scene.work().store.archive
    rows = [r for path in archive.all_files("verdicts") for r in archive.read(path).to_pylist()]
    return [r["message_id"] for r in rows if r["judge"] == "model"]
