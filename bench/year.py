"""A year of mail from nothing, beside the same pipeline as the documentation teaches it.

Belongs here: the two processes and what is told of them. They are ``backfill`` and ``documented``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.documented import PACKAGES
from bench.environment import python_of
from bench.figures import Figure, Scale, Section, Sense, Table
from bench.measuring import Spent, last_json, run, run_module
from bench.workloads import ZONE, Workload, write_workload

_PARTS = ("start", "fetch", "parse", "review", "copy for readers", "current state")


def measure(scale: Scale) -> Section:
    """See the package: figures for time and memory, the split by stage, what both found."""
    days, documented_days = scale.pick(6, 365), scale.pick(3, 12)
    python = python_of("documented", PACKAGES)
    with tempfile.TemporaryDirectory(prefix="orders-bench-year-") as name:
        folder = Path(name)
        workload = write_workload(folder / "mail", days=days, per_day=50)
        before = _documented(python, folder / "documented-1", workload, documented_days)
        ours = _ours(folder, workload)
        after = _documented(python, folder / "documented-2", workload, documented_days)
    theirs = min(before, after, key=lambda spent: spent.seconds)
    told, parts = last_json(theirs), last_json(ours)
    return Section(
        title=f"{days} days of 50 mails, from nothing",
        how=(
            f"A Maildir of {workload.messages:,} messages, {workload.megabytes:,.0f} MB. Ours: all days as range runs"
            " of 30 days, then orders, alerts and the case queue; whole process, from its start to its end. Beside it"
            " what the documentation teaches (bench/documented): a run a day, DuckDBPandasIOManager, the standard"
            " library's policy.default, BeautifulSoup, dateparser without languages. Both work in one process with a"
            " SQLite instance; a process a run, as Dagster's daemon has it, would be kinder to ours."
            f" {documented_days} days of theirs are measured, once before ours and once after it; the better of both"
            " counts, and its mean day stands for those that were not measured. That flatters it: a day costs more the"
            " more rows its tables hold. Memory is that of all processes together."
        ),
        figures=_figures(days, documented_days, ours, theirs, parts, told),
        tables=[_split(workload, ours, parts), _both(days, documented_days, ours, theirs, told)],
    )


def _ours(folder: Path, workload: Workload) -> Spent:
    config, home = folder / "config.toml", folder / "home"
    workload.write_config(config)
    return run_module("bench.backfill", str(home), str(config), workload.last_day.isoformat())


def _documented(python: Path, home: Path, workload: Workload, days: int) -> Spent:
    home.mkdir()
    start = workload.first_day.isoformat()
    return run([python, "-m", "bench.documented", workload.folder, ZONE, start, str(days), home])


def _figures(
    days: int,
    documented_days: int,
    ours: Spent,
    theirs: Spent,
    parts: Mapping[str, float],
    told: Mapping[str, float],
) -> list[Figure]:
    more = days - documented_days
    whole = theirs.seconds + more * told["day_seconds"]
    cpu = theirs.cpu_seconds + more * told["day_cpu_seconds"]
    return [
        Figure(
            what=f"{days} days of 50 mails, whole process", against="as documented", ours=f"{ours.seconds:,.0f} s",
            theirs=f"{whole:,.0f} s, from {documented_days} days", ratio=whole / ours.seconds, sense=Sense.AT_LEAST,
            reach=10,
        ),
        Figure(
            what="the same in processor time", against="as documented", ours=f"{ours.cpu_seconds:,.0f} s",
            theirs=f"{cpu:,.0f} s, from {documented_days} days", ratio=cpu / ours.cpu_seconds, sense=Sense.AT_LEAST,
        ),
        Figure(
            what=f"peak memory, {days} days", against="all processes together", ours=f"{parts['peak_mb']:,.0f} MB",
            theirs="", ratio=parts["peak_mb"], sense=Sense.AT_MOST, reach=500, unit=" MB",
        ),
    ]  # fmt: skip


def _split(workload: Workload, ours: Spent, parts: Mapping[str, float]) -> Table:
    named = {part: parts.get(part, 0.0) for part in _PARTS}
    rest = ours.seconds - sum(named.values())
    rows = [
        (part, f"{seconds:,.1f}", f"{seconds / workload.messages * 1e3:.2f}", f"{seconds / ours.seconds:.0%}")
        for part, seconds in [*named.items(), ("Dagster, checks, starts and ends of days", rest)]
    ]
    return Table(
        title="Where ours spends its time",
        columns=("part", "seconds", "ms a message", "share"),
        rows=rows,
        note=(
            f"{workload.messages / ours.seconds:,.0f} messages/s, {workload.megabytes / ours.seconds:,.1f} MB/s;"
            f" {ours.cpu_seconds:,.0f} s of processor time. Of the peak of {parts['peak_mb']:,.0f} MB the run's own"
            f" process had {parts['own_mb']:,.0f} MB, the processes that parse had the rest."
        ),
    )


def _both(days: int, documented_days: int, ours: Spent, theirs: Spent, told: Mapping[str, float]) -> Table:
    messages = told["messages"]
    return Table(
        title="What the documented way takes and finds",
        columns=("what", "value"),
        rows=[
            ("a day, on the clock", f"{told['day_seconds']:.2f} s (ours {ours.seconds / days:.2f} s)"),
            ("a day, processor time", f"{told['day_cpu_seconds']:.2f} s (ours {ours.cpu_seconds / days:.2f} s)"),
            ("peak memory", f"{theirs.peak_mb:,.0f} MB"),
            (f"messages of {documented_days} days", f"{messages:,.0f}"),
            ("with an order number", f"{told['order_numbers'] / messages:.0%}"),
            ("with a total", f"{told['totals'] / messages:.0%}"),
            ("with a date of delivery or order", f"{told['dates'] / messages:.0%}"),
        ],
    )
