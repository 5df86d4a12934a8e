"""A score on the terminal: figures, senders, differences, faults.

Belongs here: lines and tables made from a score. Not here: scoring, files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from orders_pipeline.cli.output import print_table, say
from orders_pipeline.scoring.report import Change, Comparison, by_sender
from orders_pipeline.scoring.score import Fault, Figures, Score

SHOWN = 20  # changes of each kind and senders that are printed; the report file has all


def print_score(result: Score, difference: Comparison | None, senders: Mapping[str, str] | None = None) -> None:
    """Figures by field and, when senders are known, by sender; then what changed since an earlier report."""
    count = result.count
    say(f"{len(result.cases)} messages, {count('handled')} handled")
    say(
        f"{count('found')} of {count('positives')} orders found, {count('exact')} exact,"
        f" {count('false_alarms')} false alarms in {count('negatives')}"
    )
    columns = ("field", "labelled", "right", "wrong", "missed", "surplus", "precision", "recall", "f1")
    rows = [_row(name, figures) for name, figures in result.fields.items()]
    print_table(columns, [*rows, _row("all", result.overall)], right=columns[1:])
    if senders:
        _print_senders(by_sender(result, senders))
    if difference is None:
        return
    say(f"against the earlier report: {len(difference.fixed)} fixed, {len(difference.broken)} broken")
    for word, changes in (("fixed", difference.fixed), ("broken", difference.broken)):
        for line in _change_lines(word, changes):
            say(line)
    for word, files in (("new", difference.added), ("gone", difference.removed)):
        if files:
            say(f"  {word}: {len(files)} messages")


def fault_line(fault: Fault) -> str:
    """One fault as a line."""
    return f"{fault.field}  {fault.file}  right: {', '.join(fault.expected)}  got: {', '.join(fault.got) or 'nothing'}"


def plain_difference(difference: Comparison) -> dict[str, object]:
    """A comparison as JSON-ready data."""
    return {
        "fixed": [[c.file, c.field, c.before, c.now] for c in difference.fixed],
        "broken": [[c.file, c.field, c.before, c.now] for c in difference.broken],
        "added": list(difference.added),
        "removed": list(difference.removed),
    }


def _print_senders(scores: Mapping[str, Score]) -> None:
    """The senders with the most faulty messages first."""
    faulty = {name: sum(bool(case.faults) for case in one.cases) for name, one in scores.items()}
    names = sorted(scores, key=lambda name: (-faulty[name], -len(scores[name].cases), name))
    columns = ("sender", "messages", "faulty", "precision", "recall", "f1")
    rows = [(name or "?", len(scores[name].cases), faulty[name], *_ratios(scores[name].overall)) for name in names]
    print_table(columns, rows[:SHOWN], right=columns[1:])
    if len(rows) > SHOWN:
        say(f"{len(rows) - SHOWN} more senders")


def _change_lines(word: str, changes: tuple[Change, ...]) -> Iterable[str]:
    yield from (f"  {word}: {c.file} {c.field} ({c.before} → {c.now})" for c in changes[:SHOWN])
    if len(changes) > SHOWN:
        yield f"  {word}: {len(changes) - SHOWN} more"


def _row(name: str, figures: Figures) -> tuple[object, ...]:
    counts = (figures.labelled, figures.right, figures.wrong, figures.missed, figures.surplus)
    return (name, *counts, *_ratios(figures))


def _ratios(figures: Figures) -> tuple[str, str, str]:
    first, second, third = ("-" if r is None else f"{r:.3f}" for r in (figures.precision, figures.recall, figures.f1))
    return first, second, third
