"""What is looked at: each scene's folder, and which of the samples are its own.

Belongs here: setting up, so that the profiler sees nothing of it. Not here: what runs (inside).
"""

from __future__ import annotations

import datetime as dt
import zoneinfo
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.measuring import run_module
from bench.profiles.stacks import below, of_main_thread
from bench.shown_days import show_days
from bench.workloads import LAST_DAY, ZONE, Workload, write_workload
from orders_pipeline.defs.launch import prepare_instance
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.facts import read_ledger
from orders_pipeline.store.store import open_store

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
    return {"ORDERS_PIPELINE_HOME": str(folder / "home"), "ORDERS_PIPELINE_CONFIG": str(folder / "orders.toml")}


def _workload(folder: Path, *, days: int, per_day: int, heavy: bool = True, last_day: dt.date = LAST_DAY) -> Workload:
    made = write_workload(folder / "mail", days=days, per_day=per_day, heavy=heavy, last_day=last_day)
    made.write_config(folder / "orders.toml")
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
    """A store of many days, by the real stages, and Dagster's events of them; two scenes share it."""
    if (folder / "home").exists():
        return
    yesterday = dt.datetime.now(zoneinfo.ZoneInfo(ZONE)).date() - dt.timedelta(days=1)  # no day may be missing
    made = _workload(folder, days=MANY_DAYS, per_day=2, heavy=False, last_day=yesterday)
    config = made.config(folder)
    work = Work(store=open_store(folder / "home", config), config=config)
    try:
        for place in range(MANY_DAYS):
            run_day(work, made.first_day + dt.timedelta(days=place))
        refresh_current(work)
    finally:
        work.close()
    with work.store.state.reading() as con:
        found = read_ledger(con)
    with prepare_instance(work.store.folder) as instance:
        show_days(instance, found)


def _of_requests(stack: Sequence[str]) -> list[str]:
    """What serves requests, in the web server and in the code server; not their start, nor a thread that waits."""
    waits = bool(stack) and stack[-1].startswith("Condition.wait ")
    return [] if waits else _REQUESTS(stack)


def _days(folder: Path, first: dt.date, last: dt.date) -> None:
    (folder / "days.txt").write_text(f"{first} {last}", encoding="ascii")


MANY_DAYS = 365
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
        name="tick", title="The sensor's tick", how=f"{MANY_DAYS} days stored, twenty ticks: the clock",
        program="tick", prepare=_many_days, choose=below(_WORK), rate=500, waits=True,
    ),
    Scene(
        name="asset-page", title="The asset page of Dagster's UI",
        how=f"{MANY_DAYS} days stored, web server and code server while a browser opens it five times: processor time",
        program="asset_page", prepare=_many_days,
        choose=_of_requests,
        rate=200, children=True,
    ),
)  # fmt: skip
