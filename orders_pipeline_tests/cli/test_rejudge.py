"""``rejudge``: the price is said first, and nothing is asked without a yes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

import pytest

from orders_pipeline.stages.day import run_day
from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import Scene
from orders_pipeline_tests.llm.stub_server import StubServer, error, stub_server
from orders_pipeline_tests.stages.test_model_judge import configure


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as found:
        yield found


@pytest.fixture
def judged(scene: Scene, server: StubServer) -> Scene:
    """One day with three orders, judged by rules and model."""
    configure(scene, server, "input_price = 1", "output_price = 2")
    for _ in range(3):
        scene.add_order(scene.start)
    assert run_day(scene.work(), scene.start).problem is None
    server.asked.clear()
    return scene


def test_the_price_is_said_and_nothing_asked_without_a_yes(call: Command, judged: Scene, server: StubServer) -> None:
    """A slip of the pen in a range must not buy a year of verdicts."""
    answer = call("rejudge", str(judged.start))
    assert answer.status == 2
    assert "this takes 3 calls of the model judge-1, at most 0." in answer.out
    assert "add --yes" in answer.err
    assert server.asked == []


class Keyboard(io.StringIO):
    """A person at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "calls"), [("n\n", 0), ("y\n", 3)])
def test_a_person_at_a_terminal_is_asked(
    call: Command, judged: Scene, server: StubServer, monkeypatch: pytest.MonkeyPatch, typed: str, calls: int
) -> None:
    """The answer decides."""
    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    answer = call("rejudge", str(judged.start))
    assert (answer.status, len(server.asked)) == (0 if calls else 2, calls)


def test_with_yes_each_parse_is_judged_anew(call: Command, judged: Scene, server: StubServer) -> None:
    """In a script there is nobody to ask."""
    answer = call("rejudge", str(judged.start), "--yes")
    assert answer.status == 0, answer.err
    assert "1 days judged again, 6 verdicts" in answer.out
    assert len(server.asked) == 3
    server.say(error(401, "bad key"))
    answer = call("rejudge", str(judged.start), "--yes")
    assert answer.status == 1
    assert "the old ones stand" in answer.out


def test_the_rules_are_free_and_ask_nobody(call: Command, done: Scene) -> None:
    """After a change of the rules."""
    answer = call("rejudge", f"{done.start}..{done.start}")
    assert answer.status == 0, answer.err
    assert "1 days judged again" in answer.out
    assert "calls" not in answer.out


def test_status_shows_the_model_where_there_is_one(call: Command, judged: Scene) -> None:
    """What is spent today is found where everything else is."""
    assert "model     judge-1: 3 calls today" in call("status").out
    assert call("status", "--json").data["model"]["calls_today"] == 3
