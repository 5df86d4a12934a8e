"""What is looked at: each scene's folder, and which of the samples are its own.

Belongs here: setting up, so that the profiler sees nothing of it. Not here: what runs (inside).
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from bench.many_days import write_many_days
from bench.measuring import run_module
from bench.profiles.stacks import below, of_main_thread
from bench.workloads import Workload, write_workload

_WORK = "work (bench/profiles/inside.py)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One picture. ``prepare`` fills a folder, ``program`` of ``inside`` runs there, ``choose`` takes its samples.

    With ``waits`` the picture is of the clock, waiting for the disk or another process included; else of the processor.
    """

    name: str
    title: str
    how: str
    program: str
    prepare: Callable[[Path], None]
    choose: Callable[[Sequence[str]], list[str]]
    rate: int
    waits: bool = False
    children: bool = False
    rounds: int = 1


def environ(folder: Path) -> dict[str, str]:
    """The environment of a scene's processes."""
    return {
        "ORDERS_PIPELINE_HOME": str(folder / "home"),
        "ORDERS_PIPELINE_CONFIG": str(folder / "orders_pipeline.toml"),
    }


def _workload(folder: Path, *, days: int, per_day: int) -> Workload:
    made = write_workload(folder / "mail", days=days, per_day=per_day)
    made.write_config(folder / "orders_pipeline.toml")
    return made


def _parsing(folder: Path) -> None:
    _workload(folder, days=30, per_day=50)


def _year(folder: Path) -> None:
    made = _workload(folder, days=30, per_day=50)
    _days(folder, made.first_day, made.last_day)


def _quiet_day(folder: Path) -> None:
    """The first round runs three weeks but one day, unseen; each round then a day more."""
    days = folder / "days.txt"
    if not days.exists():
        made = _workload(folder, days=28, per_day=5)
        _days(folder, made.first_day, made.last_day - dt.timedelta(days=8))
        run_module("bench.profiles.inside", "run", str(folder), environ=environ(folder))
    last = dt.date.fromisoformat(days.read_text(encoding="ascii").split()[1])
    _days(folder, last + dt.timedelta(days=1), last + dt.timedelta(days=1))


def _many_days(folder: Path) -> None:
    """Ten years done, and shown by Dagster; two scenes share them."""
    if not (folder / "home").exists():
        with patch.dict(os.environ):  # opening Dagster's home names it there
            write_many_days(folder, days=MANY_DAYS, real=50)


def _of_requests(stack: Sequence[str]) -> list[str]:
    """What serves requests, in the web server and in the code server; not their start, nor a thread that waits."""
    waits = bool(stack) and stack[-1].startswith("Condition.wait ")
    return [] if waits else _REQUESTS(stack)


def _days(folder: Path, first: dt.date, last: dt.date) -> None:
    (folder / "days.txt").write_text(f"{first} {last}", encoding="ascii")


MANY_DAYS = 3650
_REQUESTS = below("GraphQLServer.g", "GraphQLServer.execute", "GraphQLServer.request", "DagsterApiServer.External")

SCENES = (
    Scene(
        name="parsing", title="Parsing", how="1,500 messages, median 30 kB, from bytes to orders: processor time",
        program="parsing", prepare=_parsing, choose=below(_WORK), rate=500,
    ),
    Scene(
        name="year", title="A backfill", how="one run of 30 days with 50 mails each, without its start: the clock",
        program="run", prepare=_year, choose=below(_WORK), rate=200, waits=True,
    ),
    Scene(
        name="quiet-day", title="A quiet day's run",
        how="5 mails, a process from its start to its end, five of them: the clock",
        program="run", prepare=_quiet_day, choose=of_main_thread, rate=250, waits=True, rounds=5,
    ),
    Scene(
        name="tick", title="The sensor's tick", how=f"{MANY_DAYS:,} days stored, twenty ticks: the clock",
        program="tick", prepare=_many_days, choose=below(_WORK), rate=500, waits=True,
    ),
    Scene(
        name="asset-page", title="The asset page of Dagster's UI",
        how=f"{MANY_DAYS:,} days stored, web and code server while a browser opens it five times: processor time",
        program="asset_page", prepare=_many_days,
        choose=_of_requests,
        rate=200, children=True,
    ),
)  # fmt: skip
