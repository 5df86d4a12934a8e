"""The labelled corpus beside the project, read in place: what extraction must reach."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from orders_pipeline.config import ParseSettings
from orders_pipeline.encoding import order_to_dict
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.mail.mime import parse_email
from orders_pipeline_tests.support import require_corpus


def _scorer(corpus: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("corpus_score", corpus / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    corpus = require_corpus()
    labels = [json.loads(line) for line in (corpus / "dev" / "labels.jsonl").read_text("utf-8").splitlines() if line]
    predictions = {}
    for label in labels:
        email = parse_email((corpus / "dev" / label["file"]).read_bytes(), message_id="0" * 64)
        parsed = parse_message(email, ParseSettings())
        predictions[label["file"]] = {
            "outcome": parsed.outcome.value,
            "orders": [order_to_dict(o) for o in parsed.orders],
        }
    return _scorer(corpus).score(labels, predictions)[0]


def test_every_message_of_the_corpus_is_handled(result: dict[str, Any]) -> None:
    """A message that raises has no outcome."""
    assert result["handled"] == result["messages"]


def test_false_alarms_stay_rare(result: dict[str, Any]) -> None:
    """Flags that are wrong often enough are no longer read."""
    assert result["detect"]["false_alarms"] <= 5
    assert result["detect"]["found"] >= 0.95 * result["detect"]["positives"]


@pytest.mark.parametrize(
    ("field", "precision", "recall"),
    [
        ("order_number", 0.97, 0.95), ("total", 0.95, 0.95), ("currency", 0.97, 0.95), ("status", 0.96, 0.93),
        ("merchant", 0.93, 0.90), ("tracking_number", 0.95, 0.91), ("carrier", 0.95, 0.91),
    ],
)  # fmt: skip
def test_each_field_keeps_its_precision_and_recall(
    result: dict[str, Any], field: str, precision: float, recall: float
) -> None:
    """An improvement for one sender costs another, and nobody sees it."""
    assert result["fields"][field]["precision"] >= precision
    assert result["fields"][field]["recall"] >= recall
