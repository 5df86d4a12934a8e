"""The golden set of a store, scored; and the history of its scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from orders_pipeline.extract import labels
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.parser import PARSER_VERSION
from orders_pipeline.models import Decision
from orders_pipeline.stages import golden_score
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline.stages.golden_score import refresh_scores, score_golden
from orders_pipeline.stages.parser_code import parser_fingerprint
from orders_pipeline_tests.harness import Scene, select


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A day of which two cases are proposed: both with a sum that is wrong."""
    scene = Scene(tmp_path)
    for total in ("31.00", "35.00"):
        scene.add_order(total=total)
    assert run_day(scene.work(), scene.start).problem is None
    return scene


def cases(scene: Scene) -> list[str]:
    """The proposed cases' ids, sorted."""
    return [row[0] for row in select(scene.work().store, "SELECT case_id FROM eval_cases ORDER BY 1")]


def produced(scene: Scene, case: str) -> dict[str, Any]:
    """What the parser made of a case."""
    sql = "SELECT produced FROM eval_cases WHERE case_id = ?"
    return json.loads(select(scene.work().store, sql, [case])[0][0])


def edit(scene: Scene, case: str, **changes: object) -> None:
    """A person says that the first order is another."""
    expected = produced(scene, case)
    expected["orders"][0] |= changes
    decide(scene.work(), case, Decision.EDITED, expected=expected)


@pytest.fixture
def break_rule(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Break the rule that reads totals behind their labels, as an edit of the parser would."""
    real = labels.read_money

    def no_totals(label: Label, *rest: Any) -> Iterator[Reading]:
        return iter(()) if label.field == "total" else real(label, *rest)

    def break_it() -> None:
        monkeypatch.setattr(labels, "read_money", no_totals)
        monkeypatch.setattr(golden_score, "parser_fingerprint", lambda: "1-broken")

    return break_it


def test_an_accepted_parse_scores_as_right_and_an_edited_one_as_edited(scene: Scene) -> None:
    """A golden set that takes the parse for right where a person said otherwise measures nothing."""
    first, second = cases(scene)
    decide(scene.work(), first, Decision.ACCEPTED)
    edit(scene, second, total="24.50", carrier="DHL", order_number=None)
    found = score_golden(scene.work()).score
    assert (found.count("positives"), found.count("exact")) == (2, 1)
    assert {(f.file, f.field) for f in found.faults} == {
        (second, "total"),
        (second, "carrier"),
        (second, "order_number"),
    }
    figures = found.fields
    assert (figures["total"].wrong, figures["carrier"].missed, figures["order_number"].surplus) == (1, 1, 1)


def test_a_rejected_case_is_not_asked(scene: Scene) -> None:
    """There is nothing to learn from it: that is what rejecting means."""
    decide(scene.work(), cases(scene)[0], Decision.REJECTED)
    assert score_golden(scene.work()).score.cases == ()


def test_a_case_without_an_expectation_is_named_and_not_counted(scene: Scene) -> None:
    """A parse that failed is accepted by slip: no result can be right by it."""
    first, second = cases(scene)
    decide(scene.work(), first, Decision.ACCEPTED, expected={"outcome": "failed", "orders": []})
    decide(scene.work(), second, Decision.ACCEPTED)
    found = score_golden(scene.work())
    assert [c.case_id for c in found.unusable] == [first]
    assert "edit" in str(found.unusable[0].problem)
    assert len(found.score.cases) == 1


def test_a_regression_stays_one_until_it_is_mended(
    scene: Scene, break_rule: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Held against the run just before, the second look at a broken parser would find nothing broken."""
    for case in cases(scene):
        decide(scene.work(), case, Decision.ACCEPTED)
    assert refresh_scores(scene.work()).row["broken"] == 0
    with monkeypatch.context():
        break_rule()
        once = refresh_scores(scene.work())
        assert sorted({(c.file, c.field, c.now) for c in once.comparison.broken}) == [
            (case, "total", "missed") for case in cases(scene)
        ]
        monkeypatch.setattr(golden_score, "parser_fingerprint", lambda: "1-broken-still")
        again = refresh_scores(scene.work())
        assert again.row["broken"] == once.row["broken"] == len(once.comparison.broken)
        assert [row["broken"] for row in again.history] == [0, again.row["broken"], again.row["broken"]]
        monkeypatch.undo()
    assert refresh_scores(scene.work()).row["broken"] == 0


def test_saying_that_something_else_is_right_ends_a_regression(scene: Scene, break_rule: Callable[[], None]) -> None:
    """Else a check stays red over an expectation that nobody holds any more."""
    first = cases(scene)[0]
    decide(scene.work(), first, Decision.ACCEPTED)
    refresh_scores(scene.work())
    break_rule()
    assert refresh_scores(scene.work()).row["broken"] > 0
    edit(scene, first, total=None)
    assert refresh_scores(scene.work()).comparison.broken == ()


def test_the_history_grows_only_when_something_changed(scene: Scene) -> None:
    """A line a day over a year in which nothing happened hides the one day on which it did."""
    first, second = cases(scene)
    decide(scene.work(), first, Decision.ACCEPTED)
    assert len(refresh_scores(scene.work()).history) == 1
    assert len(refresh_scores(scene.work()).history) == 1
    decide(scene.work(), second, Decision.ACCEPTED)
    assert len(refresh_scores(scene.work()).history) == 2


def test_scores_are_behind_when_the_set_or_the_parser_changes(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of another parser look like those of this one."""
    work = scene.work()

    def behind() -> bool:
        with work.store.state.reading() as con:
            return golden_score.behind(con, work.config)

    assert not behind()
    decide(work, cases(scene)[0], Decision.ACCEPTED)
    assert behind()
    refresh_scores(work)
    assert not behind()
    monkeypatch.setattr(golden_score, "parser_fingerprint", lambda: "2-other")
    assert behind()


def test_the_fingerprint_is_that_of_the_source() -> None:
    """A word list changes without a new version number, and so does what it reads."""
    assert parser_fingerprint() == parser_fingerprint()
    assert parser_fingerprint().startswith(f"{PARSER_VERSION}-")
