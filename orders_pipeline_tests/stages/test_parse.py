"""A message may raise, hang or kill: it costs its own outcome only. The input may change underneath."""

from __future__ import annotations

import json

import pytest

from orders_pipeline.errors import StaleInput
from orders_pipeline.extract import parser
from orders_pipeline.extract.extractor import ANYTHING, Reading
from orders_pipeline.extract.view import View
from orders_pipeline.stages import parse as parse_stage
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.fetch import fetch_day
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.store import ledger
from orders_pipeline_tests.harness import DAY, Scene, different_tables, select
from orders_pipeline_tests.stages.child import AT_ONCE, DEADLY
from orders_pipeline_tests.stages.killing import KILLED, kill_at

KILLED_PARSER = "SELECT count(*) FROM parse_outcomes WHERE outcome = 'failed' AND reason = 'killed the parser'"
CHILD = ("-m", "orders_pipeline_tests.stages.child", DAY.isoformat())


class Raising:
    """Raises for the messages with a word in their subject."""

    name = "raising"
    most = ANYTHING

    def __init__(self, word: str, error: Exception) -> None:
        self.word, self.error = word, error

    def matches(self, view: View) -> bool:
        return self.word in view.email.subject

    def extract(self, view: View) -> list[Reading]:
        raise self.error


def outcomes(scene: Scene) -> dict[str, tuple[str, str]]:
    found = select(scene.work().store, "SELECT subject, outcome, reason FROM parse_outcomes")
    return {subject: (outcome, reason) for subject, outcome, reason in found}


@pytest.mark.parametrize(
    "error", [ValueError("no\x1b[31mpe\nat all"), RecursionError("deep"), MemoryError(), UnicodeError("\udcff")]
)
def test_a_parser_that_raises_costs_that_message_alone(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """One odd mail must not fail the day; its reason is fit to print."""
    scene.add_order(subject="Your order is confirmed")
    scene.add_order(subject="Your odd order is confirmed")
    monkeypatch.setattr(parser, "EXTRACTORS", (Raising("odd", error), *parser.EXTRACTORS))
    report = run_day(scene.work(), DAY)
    assert report.problem is None
    assert report.reports[1].counts["failed"] == 1
    outcome, reason = outcomes(scene)["Your odd order is confirmed"]
    assert outcome == "failed"
    assert reason.startswith(type(error).__name__)
    assert reason.isprintable()
    assert outcomes(scene)["Your order is confirmed"][0] == "parsed"
    assert scene.why_not_done() is None


def test_a_failed_parse_becomes_a_case(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the parser broke on is what a person should see first."""
    scene.add_order(subject="odd")
    monkeypatch.setattr(parser, "EXTRACTORS", (Raising("odd", ValueError("x")),))
    run_day(scene.work(), DAY)
    assert select(scene.work().store, "SELECT outcome FROM proposed_eval_cases") == [("failed",)]


def test_messages_that_kill_their_process_fail_and_the_rest_is_fine(scene: Scene) -> None:
    """Three deadly mails cost four tries, not eight; the day ends done, and no innocent mail is blamed."""
    for subject in ("first deadly", "innocent", "second deadly", "quiet", "third deadly"):
        scene.add_order(subject=f"Order {subject}")
    codes = [scene.run(*CHILD, environ={DEADLY: "deadly"}).returncode for _ in range(4)]
    assert codes == [KILLED, KILLED, KILLED, 0]
    assert select(scene.work().store, KILLED_PARSER) == [(3,)]
    found = outcomes(scene)
    assert found["Order innocent"][0] == found["Order quiet"][0] == "parsed"
    assert scene.why_not_done() is None
    assert list(scene.work().store.folder.in_flight.iterdir()) == []


def test_messages_that_kill_one_of_several_processes_fail_at_once(scene: Scene) -> None:
    """Whoever waits behind a deadly mail in its process, or is in work beside it, is read all the same."""
    for subject in ("first deadly", "innocent", "second deadly", "quiet", "third deadly"):
        scene.add_order(subject=f"Order {subject}")
    scene.settings = "[parse]\nprocesses = 2\n"
    scene.write_config()
    assert scene.run(*CHILD, environ={DEADLY: "deadly", AT_ONCE: "1"}).returncode == 0
    assert select(scene.work().store, KILLED_PARSER) == [(3,)]
    assert outcomes(scene)["Order innocent"][0] == outcomes(scene)["Order quiet"][0] == "parsed"


def test_several_in_work_are_found_by_the_next_run_when_all_processes_were_killed(scene: Scene) -> None:
    """Which of them took the machine down is not known: each is read by itself, and one process reads as two do."""
    scene.settings = "[parse]\nprocesses = 2\n"
    scene.write_config()
    scene.add_day()
    environ = scene.process_environ(**{AT_ONCE: "1"})
    kill_at("parse.message.before:3", CHILD, environ, scene.root)
    (record,) = scene.work().store.folder.in_flight.iterdir()
    assert len(record.read_text().split()) == 3
    assert scene.run(*CHILD, environ={AT_ONCE: "1"}).returncode == 0
    assert list(scene.work().store.folder.in_flight.iterdir()) == []
    two = scene.dump()
    parse_day(scene.work(), DAY, again=True)
    assert different_tables(two, scene.dump()) == {}
    assert sorted(outcome for outcome, _ in outcomes(scene).values()) == ["not_order", "parsed", "parsed", "parsed"]


def test_no_message_is_blamed_when_the_process_was_killed_from_outside(scene: Scene) -> None:
    """A watchdog that kills a run is not the fault of the mail which was read at that moment."""
    scene.add_day()
    for _ in range(2):
        kill_at("parse.message.before:2", CHILD, scene.process_environ(), scene.root)
        assert len(list(scene.work().store.folder.in_flight.iterdir())) == 1
    result = scene.run(*CHILD)
    assert json.loads(result.stdout) == {DAY.isoformat(): None}
    assert sorted(outcome for outcome, _ in outcomes(scene).values()) == ["not_order", "parsed", "parsed", "parsed"]


def test_an_input_that_changes_while_it_is_parsed_is_read_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mail that another run commits in the meantime is part of the result, not overwritten by it."""
    scene.add_order()
    fetch_day(scene.work(), DAY)
    real = parse_stage._parse
    calls: list[int] = []

    def slow(*args: object, **kwargs: object) -> object:
        out = real(*args, **kwargs)  # type: ignore[arg-type]
        if not calls:
            scene.add_order()
            fetch_day(scene.work(), DAY)
        calls.append(len(out))
        return out

    monkeypatch.setattr(parse_stage, "_parse", slow)
    report = parse_day(scene.work(), DAY)
    assert calls == [1, 2]
    assert report.counts["messages"] == 2
    assert report.ledger is not None
    fetched = select(scene.work().store, "SELECT output_digest FROM stage_days WHERE stage = ?", [ledger.FETCH])
    assert [(report.ledger.input_digest,)] == fetched


def test_an_input_that_never_stands_still_writes_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few reads the stage gives up with an error, and the old rows stay."""
    scene.add_order()
    run_day(scene.work(), DAY)
    before = select(scene.work().store, "SELECT * FROM parse_outcomes")
    real = parse_stage._parse

    def slow(*args: object, **kwargs: object) -> object:
        scene.add_order()
        fetch_day(scene.work(), DAY)
        return real(*args, **kwargs)  # type: ignore[arg-type]

    scene.add_order()
    fetch_day(scene.work(), DAY)
    monkeypatch.setattr(parse_stage, "_parse", slow)
    with pytest.raises(StaleInput):
        parse_day(scene.work(), DAY)
    assert select(scene.work().store, "SELECT * FROM parse_outcomes") == before
    monkeypatch.undo()
    assert run_day(scene.work(), DAY).problem is None


def test_reparse_replaces_what_reads_differently_and_judges_only_that(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A better parser changes its rows; a verdict on an unchanged parse stands."""
    scene.add_order(subject="Your order is confirmed")
    scene.add_order(subject="Your odd order is confirmed")
    run_day(scene.work(), DAY)
    monkeypatch.setattr(parser, "EXTRACTORS", (Raising("odd", ValueError("x")), *parser.EXTRACTORS))
    parse_day(scene.work(), DAY, again=True)
    assert scene.why_not_done() == "its parses changed since they were reviewed"
    report = run_day(scene.work(), DAY)
    assert report.reports[2].counts["newly_judged"] == 1
    assert outcomes(scene)["Your odd order is confirmed"][0] == "failed"
