"""A score as a file, and what changed between two of them.

Belongs here: the JSON form and the comparison case by case. Not here: reading or writing files.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.scoring.score import ABSENT, RIGHT, SURPLUS, Case, Figures, Score, summed

FORM = 1
EXPECTED = "expected"  # stands beside a case's fields: a digest of what was expected of it
Verdicts = Mapping[str, Mapping[str, str]]  # message -> field -> verdict

_FINE = frozenset({RIGHT, ABSENT})
COUNTS = ("positives", "found", "exact", "negatives", "false_alarms")


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one message whose verdict differs; ``before`` and ``now`` are verdicts (see score)."""

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


def report_of(
    score: Score, *, senders: Mapping[str, str] | None = None, expected: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The score as JSON-ready data: figures first, then the verdicts of every message.

    ``senders`` and ``expected`` map a message to its sender's domain and to a digest of what is expected of it.
    """
    report = {
        "form": FORM,
        "messages": len(score.cases),
        "handled": score.count("handled"),
        "detect": {name: score.count(name) for name in COUNTS},
        "fields": {name: _figures(figures) for name, figures in score.fields.items()},
        "overall": _figures(score.overall),
    }
    if senders is not None:
        report["senders"] = {name: _sender(one) for name, one in by_sender(score, senders).items()}
    report["cases"] = {
        case.label.file: {
            **({EXPECTED: expected[case.label.file]} if expected is not None else {}),
            **_verdicts(case.verdicts, case.surplus),
        }
        for case in score.cases
    }
    return report


def by_sender(score: Score, senders: Mapping[str, str]) -> dict[str, Score]:
    """The same score for the messages of each sender, in the order of their names."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in score.cases:
        groups[senders.get(case.label.file, "")].append(case)
    return {name: summed(groups[name], score.fields) for name in sorted(groups)}


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


def compare(before: Verdicts, now: Verdicts) -> Comparison:
    """What changed, over the fields that both reports judge, sorted by message and field.

    A message of which something else is expected now is compared with nothing: the question is another.
    """
    fixed, broken = [], []
    for file in sorted(before.keys() & now.keys()):
        if before[file].get(EXPECTED) != now[file].get(EXPECTED):
            continue
        for field in sorted((before[file].keys() & now[file].keys()) - {EXPECTED}):
            change = Change(file, field, before[file][field], now[file][field])
            if change.before not in _FINE and change.now in _FINE:
                fixed.append(change)
            elif change.before in _FINE and change.now not in _FINE:
                broken.append(change)
    return Comparison(
        tuple(fixed),
        tuple(broken),
        tuple(sorted(now.keys() - before.keys())),
        tuple(sorted(before.keys() - now.keys())),
    )


def best_of(reports: Iterable[Verdicts]) -> dict[str, dict[str, str]]:
    """The verdicts of the last of several reports, and where an earlier one was better, that one's."""
    best: dict[str, dict[str, str]] = {}
    for report in reports:
        for file, verdicts in report.items():
            known = best.get(file, {})
            if known.get(EXPECTED) != verdicts.get(EXPECTED):
                known = {}
            best[file] = {**verdicts, **{f: v for f, v in known.items() if v in _FINE}}
    return best


def _verdicts(verdicts: Mapping[str, str], surplus: Mapping[str, int]) -> dict[str, str]:
    return {f: SURPLUS if f in surplus and verdict == RIGHT else verdict for f, verdict in verdicts.items()}


def _sender(score: Score) -> dict[str, float | int | None]:
    return {"messages": len(score.cases), "faulty": sum(bool(c.faults) for c in score.cases), **_figures(score.overall)}


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
