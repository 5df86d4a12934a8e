"""Sections as Markdown, and the machine in one line.

Belongs here: words and tables. Not here: the picture (plot).
"""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import os
import platform
from collections.abc import Iterator, Sequence

from bench.figures import Figure, Section, Table

_VERSIONS = ("dagster", "duckdb", "pandas", "pyarrow", "selectolax")


def markdown(sections: Sequence[Section], *, summary: bool = False) -> str:
    """All sections; with ``summary`` one table of every figure that has a goal comes first."""
    blocks: list[str] = []
    goals = [f for s in sections for f in s.figures if f.reach is not None]
    if summary and goals:
        met = sum(f.reached is True for f in goals)
        blocks += [f"{met} of {len(goals)} goals are reached.", "![ratios beside their goals](results.svg)"]
        blocks.append(_figures(goals))
    for section in sections:
        blocks += [f"## {section.title}", section.how]
        if section.figures:
            blocks.append(_figures(section.figures))
        blocks += [block for table in section.tables for block in _table(table)]
    return "\n\n".join(blocks) + "\n"


def machine() -> str:
    """What the figures depend on, without a name of the machine."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in _VERSIONS)
    return (
        f"Measured on {dt.datetime.now(dt.UTC).date()}: {os.cpu_count()} cores ({platform.machine()}),"
        f" {platform.system()}, Python {platform.python_version()}, {versions}. Ratios hold elsewhere, seconds do not."
    )


def number(value: float) -> str:
    """Three significant figures, plainly."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"


def _figures(figures: Sequence[Figure]) -> str:
    rows = [
        (
            f.what, f.ours, f"{f.theirs} ({f.against})" if f.theirs else f.against, number(f.ratio) + f.unit,
            f"{f.sense.value} {f.reach:g}{f.unit}" if f.reach is not None else "", _verdict(f),
        )
        for f in figures
    ]  # fmt: skip
    return _rows(("figure", "ours", "beside", "ratio", "goal", ""), rows)


def _verdict(figure: Figure) -> str:
    if figure.part is None:
        return ""
    return "reached" if figure.reached else f"**short: {figure.part:.0%} of it**"


def _table(table: Table) -> Iterator[str]:
    yield f"### {table.title}"
    yield _rows(table.columns, table.rows)
    if table.note:
        yield table.note


def _rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
