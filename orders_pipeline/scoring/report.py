"""A score as a file, and what changed between two of them.

Belongs here: the JSON form and the comparison case by case. Not here: reading or writing files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.scoring.score import RIGHT, SURPLUS, Figures, Score

FORM = 1
COUNTS = ("positives", "found", "exact", "negatives", "false_alarms")


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one message whose verdict differs: ``before`` and ``now`` are right, wrong, missed or surplus."""

    file: str
    field: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became right, what is right no longer, and the messages that only one of the reports knows."""

    fixed: tuple[Change, ...]
    broken: tuple[Change, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def regressed(self) -> bool:
        return bool(self.broken)


def report_of(score: Score) -> dict[str, Any]:
    """The score as JSON-ready data: figures first, then the verdicts of every message."""
    return {
        "form": FORM,
        "messages": len(score.cases),
        "handled": score.count("handled"),
        "detect": {name: score.count(name) for name in COUNTS},
        "fields": {name: _figures(figures) for name, figures in score.fields.items()},
        "overall": _figures(score.overall),
        "cases": {case.label.file: _verdicts(case.verdicts, case.surplus) for case in score.cases},
    }


def read_report(text: str, source: str) -> dict[str, dict[str, str]]:
    """The verdicts of an earlier report. Raises ``OrdersPipelineError`` when it is none, naming ``source``."""
    try:
        data = json.loads(text)
        cases = data["cases"]
        if data["form"] != FORM or not isinstance(cases, dict):
            raise ValueError
        return {str(file): {str(f): str(v) for f, v in verdicts.items()} for file, verdicts in cases.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise OrdersPipelineError(
            f"{source} is no report of this version; make one with `orders-pipeline score ... --save FILE`"
        ) from None


def compare(before: Mapping[str, Mapping[str, str]], now: Mapping[str, Mapping[str, str]]) -> Comparison:
    """What changed, over the fields that both reports judge, sorted by message and field."""
    fixed, broken = [], []
    for file in sorted(before.keys() & now.keys()):
        for field in sorted(before[file].keys() & now[file].keys()):
            change = Change(file, field, before[file][field], now[file][field])
            if change.before != RIGHT and change.now == RIGHT:
                fixed.append(change)
            elif change.before == RIGHT and change.now != RIGHT:
                broken.append(change)
    return Comparison(
        tuple(fixed),
        tuple(broken),
        tuple(sorted(now.keys() - before.keys())),
        tuple(sorted(before.keys() - now.keys())),
    )


def _verdicts(verdicts: Mapping[str, str], surplus: Mapping[str, int]) -> dict[str, str]:
    return {field: SURPLUS if field in surplus else verdict for field, verdict in verdicts.items()}


def _figures(figures: Figures) -> dict[str, float | int | None]:
    ratios = {"precision": figures.precision, "recall": figures.recall, "f1": figures.f1}
    return {
        "labelled": figures.labelled,
        "right": figures.right,
        "wrong": figures.wrong,
        "missed": figures.missed,
        "surplus": figures.surplus,
        **{name: None if value is None else round(value, 4) for name, value in ratios.items()},
    }
