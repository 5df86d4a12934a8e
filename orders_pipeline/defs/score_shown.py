"""Scores as Dagster's UI shows them: tables in markdown, a plot, numbers.

Belongs here: text made from a score run. Not here: scoring, the plot (score_plot), or the asset.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dagster as dg

from orders_pipeline.defs.score_plot import svg
from orders_pipeline.scoring.report import Change, Comparison
from orders_pipeline.stages.golden_score import ScoreRun

_SHOWN = 50


def score_metadata(run: ScoreRun) -> dict[str, Any]:
    """The metadata of the asset's materialization; the numbers are plotted over time by Dagster itself."""
    row = run.row
    out: dict[str, Any] = {
        "cases": row["cases"],
        "exact orders": f"{row['exact']} of {row['orders']}",
        "false alarms": row["false_alarms"],
        "fixed": row["fixed"],
        "broken": row["broken"],
        "parser": row["parser"],
        "fields": dg.MetadataValue.md(fields_table(run.report)),
        "senders": dg.MetadataValue.md(senders_table(run.report)),
        "difference": dg.MetadataValue.md(difference_table(run.comparison)),
        "history": dg.MetadataValue.md(plot(run.history)),
    }
    out |= {name: float(row[name]) for name in ("precision", "recall", "f1") if row[name] is not None}
    if run.unusable:
        lines = [f"- {_code(c.case_id)}: {c.problem}" for c in run.unusable[:_SHOWN]]
        out["not asked"] = dg.MetadataValue.md("\n".join(lines))
    return out


def fields_table(report: Mapping[str, Any]) -> str:
    """The figures of each field as a markdown table."""
    names = ("right", "wrong", "missed", "surplus", "precision", "recall", "f1")
    figures = [*report["fields"].items(), ("all", report["overall"])]
    return _table(("field", *names), ((name, *(_number(row[n]) for n in names)) for name, row in figures))


def senders_table(report: Mapping[str, Any]) -> str:
    """The senders with the most faulty cases first."""
    senders = sorted(report.get("senders", {}).items(), key=lambda item: (-item[1]["faulty"], item[0]))
    names = ("messages", "faulty", "precision", "recall", "f1")
    rows = ((_code(name), *(_number(row[n]) for n in names)) for name, row in senders[:_SHOWN])
    return _table(("sender", "cases", *names[1:]), rows)


def difference_table(comparison: Comparison) -> str:
    """What broke and what was fixed, case by case."""
    changes = [("broken", c) for c in comparison.broken] + [("fixed", c) for c in comparison.fixed]
    if not changes:
        return "nothing changed"
    table = _table(("", "case", "field", "before", "now"), (_change(word, c) for word, c in changes[:_SHOWN]))
    more = len(changes) - _SHOWN
    return table + (f"\n\nand {more} more" if more > 0 else "")


def plot(history: Sequence[Mapping[str, Any]]) -> str:
    """The history as a line of F1 and one of exact orders, an SVG in the text itself; and as a table to read."""
    shown = history[-_SHOWN:]
    rows = (
        (f"{row['scored_at']:%Y-%m-%d %H:%M}", row["cases"], f"{row['exact']} of {row['orders']}", _number(row["f1"]),
         row["fixed"], row["broken"], _code(row["parser"]))
        for row in reversed(shown[-10:])
    )  # fmt: skip
    table = _table(("scored at", "cases", "exact", "f1", "fixed", "broken", "parser"), rows)
    image = base64.b64encode(svg(shown).encode()).decode("ascii")
    return f"![F1 and exact orders over time](data:image/svg+xml;base64,{image})\n\n{table}"


def _change(word: str, change: Change) -> tuple[str, ...]:
    return word, _code(change.file), change.field, change.before, change.now


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def _number(value: float | int | None) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _code(text: str) -> str:
    """Text that came from a mail, shown as it is: no markup of its own, no further column."""
    return "`" + "".join(c for c in text if c.isalnum() or c in ".-_@ ")[:100] + "`"
