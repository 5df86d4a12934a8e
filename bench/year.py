"""A year of mail from nothing, beside the same pipeline as the documentation teaches it.

Belongs here: the two processes and what is told of them. They are ``backfill`` and ``documented``.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.backfill import CURRENT
from bench.documented import PACKAGES
from bench.environment import python_of
from bench.figures import Figure, Scale, Section, Sense, Table
from bench.measuring import Spent, last_json, run, run_module
from bench.workloads import ZONE, Workload, write_workload
from orders_pipeline.days import ranges

_PARTS = ("start", "fetch", "parse", "review", "copy for readers", "current state")
_RUN_DAYS = 30


def measure(scale: Scale) -> Section:
    """See the package: figures for time and memory, the split by stage, what both found."""
    days, documented_days = scale.pick(6, 365), scale.pick(3, 8)
    python = python_of("documented", PACKAGES)
    with tempfile.TemporaryDirectory(prefix="orders-bench-year-") as name:
        folder = Path(name)
        workload = write_workload(folder / "mail", days=days, per_day=50)
        alone = [_documented(python, folder / "documented", workload, documented_days)]
        ours = _ours(folder, workload)
        alone.append(_documented(python, folder / "documented-2", workload, documented_days))
        warm = _documented_in_one(python, folder / "documented-3", workload, documented_days)
    return _section(workload, documented_days, ours, min(alone, key=lambda runs: runs.seconds), warm)


def _section(workload: Workload, documented_days: int, ours: _Runs, theirs: _Runs, warm: Spent) -> Section:
    days = workload.days
    return Section(
        title=f"{days} days of 50 mails, from nothing",
        how=(
            f"A Maildir of {workload.messages:,} messages, {workload.megabytes:,.0f} MB. Ours: all days as range runs"
            f" of {_RUN_DAYS} days, then orders, alerts and the case queue. Beside it what the documentation teaches"
            " (bench/documented): a run a day, DuckDBPandasIOManager, the standard library's policy.default,"
            " BeautifulSoup, dateparser without languages. Each run is a process of its own, from its start to its end,"
            " as Dagster's daemon has it, one after the other, with an instance on SQLite; what the daemon itself takes"
            f" to start one is left out for both. {documented_days} days of theirs are measured, once before ours and"
            " once after it; the better of both counts, and its mean day stands for those that were not measured. That"
            " flatters it: a day costs more the more rows its tables hold. Memory is that of all processes that live at"
            " one time."
        ),
        figures=_figures(days, documented_days, ours, theirs, last_json(warm)),
        tables=[_split(workload, ours), _both(days, documented_days, ours, theirs, warm)],
    )


@dataclass(slots=True)
class _Runs:
    """Some runs, each a process: their sums, and the most memory of one with its children."""

    runs: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0
    own_mb: float = 0.0  # what the run's own process had of the peak
    parts: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, spent: Spent) -> None:
        """One more process, which printed what its parts took."""
        told = last_json(spent)
        peak, own = told.pop("peak_mb"), told.pop("own_mb", 0.0)
        if peak > self.peak_mb:
            self.peak_mb, self.own_mb = peak, own
        for part, seconds in told.items():
            self.parts[part] += seconds
        self.runs += 1
        self.seconds += spent.seconds
        self.cpu_seconds += spent.cpu_seconds


def _ours(folder: Path, workload: Workload) -> _Runs:
    config, home = folder / "config.toml", folder / "home"
    workload.write_config(config)
    days = [workload.first_day + dt.timedelta(days=n) for n in range(workload.days)]
    out = _Runs()
    for first, last in ranges(days, _RUN_DAYS):
        out.add(run_module("bench.backfill", str(home), str(config), first.isoformat(), last.isoformat()))
    out.add(run_module("bench.backfill", str(home), str(config), CURRENT))
    return out


def _documented(python: Path, home: Path, workload: Workload, days: int) -> _Runs:
    home.mkdir()
    out = _Runs()
    for number in range(days):
        day = (workload.first_day + dt.timedelta(days=number)).isoformat()
        out.add(run([python, "-m", "bench.documented", workload.folder, ZONE, day, "1", home]))
    return out


def _documented_in_one(python: Path, home: Path, workload: Workload, days: int) -> Spent:
    home.mkdir()
    start = workload.first_day.isoformat()
    return run([python, "-m", "bench.documented", workload.folder, ZONE, start, str(days), home])


def _figures(days: int, measured: int, ours: _Runs, theirs: _Runs, warm: Mapping[str, float]) -> list[Figure]:
    whole, cpu = (kind / measured * days for kind in (theirs.seconds, theirs.cpu_seconds))
    work, warm_whole = ours.seconds - ours.parts["start"], warm["day_seconds"] * days
    return [
        Figure(
            what=f"{days} days of 50 mails, whole processes", against="as documented", ours=f"{ours.seconds:,.0f} s",
            theirs=f"{whole:,.0f} s, from {measured} days", ratio=whole / ours.seconds, sense=Sense.AT_LEAST, reach=10,
        ),
        Figure(
            what="the same in processor time", against="as documented", ours=f"{ours.cpu_seconds:,.0f} s",
            theirs=f"{cpu:,.0f} s, from {measured} days", ratio=cpu / ours.cpu_seconds, sense=Sense.AT_LEAST,
        ),
        Figure(
            what="the same without the starts of processes", against="as documented, all days in one process",
            ours=f"{work:,.0f} s", theirs=f"{warm_whole:,.0f} s, from {measured} days", ratio=warm_whole / work,
            sense=Sense.AT_LEAST,
        ),
        Figure(
            what=f"peak memory, {days} days", against="all processes together", ours=f"{ours.peak_mb:,.0f} MB",
            theirs="", ratio=ours.peak_mb, sense=Sense.AT_MOST, reach=500, unit=" MB",
        ),
    ]  # fmt: skip


def _split(workload: Workload, ours: _Runs) -> Table:
    named = {part: ours.parts[part] for part in _PARTS}
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
            f" {ours.cpu_seconds:,.0f} s of processor time in {ours.runs} processes. Of the peak of"
            f" {ours.peak_mb:,.0f} MB the run's own process had {ours.own_mb:,.0f} MB, the processes that"
            " parse had the rest."
        ),
    )


def _both(days: int, measured: int, ours: _Runs, theirs: _Runs, warm: Spent) -> Table:
    told = last_json(warm)
    messages, own = told["messages"], ours.seconds / days
    return Table(
        title="What the documented way takes and finds",
        columns=("what", "value"),
        rows=[
            ("a day, a process of its own", f"{theirs.seconds / measured:.2f} s (ours {own:.2f} s)"),
            ("a day in a process that is warm", f"{told['day_seconds']:.2f} s"),
            ("peak memory", f"{theirs.peak_mb:,.0f} MB"),
            (f"messages of {measured} days", f"{messages:,.0f}"),
            ("with an order number", f"{told['order_numbers'] / messages:.0%}"),
            ("with a total", f"{told['totals'] / messages:.0%}"),
            ("with a date of delivery or order", f"{told['dates'] / messages:.0%}"),
        ],
    )
