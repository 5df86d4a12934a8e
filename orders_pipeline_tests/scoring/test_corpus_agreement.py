"""Our scorer and the one that comes with the corpus, on the same labels and predictions."""

from __future__ import annotations

import importlib.util
import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from orders_pipeline.scoring.labels import FIELDS, label_from_dict, said_from_dict
from orders_pipeline.scoring.report import COUNTS, report_of
from orders_pipeline.scoring.score import score
from orders_pipeline_tests.support import require_corpus


def _scorer(corpus: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("corpus_score", corpus / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _guess(label: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A prediction that is right, wrong, silent or too talkative, by chance."""
    values = {field: label.get(field) for field in FIELDS}
    orders = []
    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        order = {f: chance.choice((v, v, v, None, "17.25", f"{v} x")) for f, v in values.items()}
        order["tracking_numbers"] = [v for v in (order.pop("tracking_number"), chance.choice((None, "1Z9"))) if v]
        orders.append(order)
    return {"outcome": chance.choice(("parsed", "parsed", "parsed", "not_order")), "orders": orders}


@pytest.mark.parametrize("seed", range(5))
def test_both_scorers_count_the_same(seed: int) -> None:
    """Two figures of one name that differ make every comparison with others worthless."""
    corpus = require_corpus()
    labels = [json.loads(line) for line in (corpus / "dev" / "labels.jsonl").read_text("utf-8").splitlines() if line]
    chance = random.Random(seed)
    guesses = {label["file"]: _guess(label, chance) for label in labels if chance.random() < 0.97}
    theirs = _scorer(corpus).score(labels, guesses)[0]
    ours = report_of(
        score(map(label_from_dict, labels), {file: said_from_dict(guess) for file, guess in guesses.items()})
    )
    assert (ours["messages"], ours["handled"]) == (theirs["messages"], theirs["handled"])
    assert {name: ours["detect"][name] for name in COUNTS} == theirs["detect"]
    for field, figures in theirs["fields"].items():
        assert {name: ours["fields"][field][name] for name in figures} == figures
    assert ours["overall"]["f1"] == pytest.approx(theirs["micro"]["f1"], abs=1e-4)
