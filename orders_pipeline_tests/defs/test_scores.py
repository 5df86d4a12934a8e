"""The asset parser_scores and its check, in real Dagster runs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from orders_pipeline.defs import score_shown
from orders_pipeline.defs.names import CURRENT_JOB, SCORES
from orders_pipeline.defs.score_plot import svg
from orders_pipeline.defs.scores import REGRESSION
from orders_pipeline.extract import labels
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_index import Label
from orders_pipeline.scoring.report import Change, Comparison
from orders_pipeline.stages import golden_score
from orders_pipeline_tests.defs.pipeline import DaggedScene
from orders_pipeline_tests.stages.golden_scene import accept, case_ids


def score(scene: DaggedScene) -> tuple[dg.AssetMaterialization, dg.AssetCheckEvaluation]:
    """Materialize the scores alone; their materialization and the check."""
    result = scene.run(job=CURRENT_JOB, assets=[SCORES])
    assert result.success
    (event,) = result.asset_materializations_for_node(SCORES)
    (check,) = result.get_asset_check_evaluations()
    assert isinstance(event, dg.AssetMaterialization)
    return event, check


@pytest.fixture
def scored(done: DaggedScene, tmp_path: Path) -> DaggedScene:
    """Three days, of each one case, all accepted."""
    assert len(case_ids(done.scene)) == 3
    accept(done.scene, *case_ids(done.scene))
    return done


def test_a_broken_rule_turns_the_check_red_and_names_the_cases(
    scored: DaggedScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of the parser that costs an order elsewhere is seen before it is shipped, or never."""
    event, check = score(scored)
    assert check.passed
    assert event.metadata["cases"].value == 3
    real = labels.read_money

    def no_totals(label: Label, *rest: Any) -> Iterator[Reading]:
        return iter(()) if label.field == "total" else real(label, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(labels, "read_money", no_totals)
        patch.setattr(golden_score, "parser_fingerprint", lambda: "1-broken")
        event, check = score(scored)
        assert not check.passed
        assert check.check_name == REGRESSION
        assert all(case in str(check.description) for case in case_ids(scored.scene))
        assert "| broken |" in str(event.metadata["difference"].value)
    event, check = score(scored)
    assert check.passed
    assert event.metadata["broken"].value == 0


def test_without_a_golden_set_the_asset_is_fine(done: DaggedScene) -> None:
    """A fresh pipeline has no accepted case, and nothing is wrong with it."""
    event, check = score(done)
    assert check.passed
    assert event.metadata["cases"].value == 0


def test_the_sensor_asks_for_scores_when_the_set_changed(done: DaggedScene) -> None:
    """Scores that nobody asks for are those of last month's parser."""
    done.tick()
    assert done.run(job=CURRENT_JOB).success
    assert CURRENT_JOB not in {r.job_name for r in done.tick().run_requests or []}
    accept(done.scene, case_ids(done.scene)[0])
    assert CURRENT_JOB in {r.job_name for r in done.tick().run_requests or []}
    assert done.run(job=CURRENT_JOB).success
    assert CURRENT_JOB not in {r.job_name for r in done.tick().run_requests or []}


def test_what_cannot_be_shown_fails_no_run(scored: DaggedScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores that are saved and then lost over a plot: a pipeline has died of such things."""

    def broken(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(score_shown, "plot", broken)
    event, check = score(scored)
    assert check.passed
    assert set(event.metadata) >= {"cases"}


def test_a_case_cannot_write_markup_into_the_table() -> None:
    """A sender's name with a bar in it makes a column, one with a tag an element."""
    change = Change("a|<img src=x>`", "total", "right", "wrong")
    table = score_shown.difference_table(Comparison((), (change,), (), ()))
    assert "<img" not in table
    assert table.splitlines()[2].count("|") == 6


@pytest.mark.parametrize("runs", [0, 1, 2, 60])
def test_the_plot_is_whole_with_any_number_of_runs(runs: int) -> None:
    """The first run has one point, and no line to draw."""
    at = dt.datetime(2026, 5, 11, tzinfo=dt.UTC)
    row = {"scored_at": at, "f1": None, "exact": 0, "orders": 0, "broken": 1, "cases": 0, "fixed": 0, "parser": "1"}
    picture = svg([{**row, "f1": 0.5, "orders": 2} if n else row for n in range(runs)])
    assert picture.startswith("<svg")
    assert picture.endswith("</svg>")
    assert "nan" not in picture
