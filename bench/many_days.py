"""A store of thousands of days in seconds: some days by the real stages, and copies of them in the years before.

Belongs here: the copies, in the tables and in the archive, and Dagster's events of all days. Thirteen minutes by the
stages alone are some twenty seconds so. A copy's ids, order numbers and parcels are its own, its archive files have the
right names and the original's content: good for whatever reads tables and lists files, not for reading old mail.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import shutil
import zoneinfo
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.shown_days import show_days
from bench.workloads import ZONE, write_workload
from orders_pipeline.config import Config, load_config
from orders_pipeline.defs.launch import prepare_instance
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.facts import read_ledger
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.store import Store, open_store

PER_DAY = 5
_TABLES = (
    "messages", "locations", "archive_files", "listings", "stage_days", "parse_outcomes", "parsed_orders", "verdicts",
    "proposed_eval_cases",
)  # fmt: skip
_MOVED = "(DATE '2000-01-01' + ({0}::DATE - DATE '2000-01-01')::INTEGER - back)"
_PATH = (
    "replace({0}, regexp_extract({0}, 'day=[0-9-]+'),"
    " 'day=' || " + _MOVED.format("regexp_extract({0}, 'day=([0-9-]+)', 1)") + "::VARCHAR)"
)
_OWN = "sha256({0} || back)[:length({0})]"
# What of a copy, by the name of its column, is not as in the original.
_CHANGED = {
    "day": _MOVED, "path": _PATH, "archive_file": _PATH, "message_id": _OWN, "case_id": _OWN, "canonical_digest": _OWN,
    "location": "{0} || '-' || back", "order_number": "{0} || '-' || back",
    "tracking_numbers": "list_transform({0}, lambda parcel: parcel || back)",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyDays:
    """A data folder with its configuration; ``environ`` names both to a process. ``next_day`` is not stored yet."""

    folder: Path
    next_day: dt.date

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def environ(self) -> dict[str, str]:
        return {
            "ORDERS_PIPELINE_HOME": str(self.home),
            "ORDERS_PIPELINE_CONFIG": str(self.folder / "orders_pipeline.toml"),
        }

    def config(self) -> Config:
        return load_config(self.folder / "orders_pipeline.toml")

    @contextlib.contextmanager
    def work(self) -> Iterator[Work]:
        config = self.config()
        work = Work(store=open_store(self.home, config), config=config)
        try:
            yield work
        finally:
            work.close()


def write_many_days(folder: Path, *, days: int, real: int, fresh: int = 0) -> ManyDays:
    """Fill a new folder with ``days`` done days, of which the last ``real`` are by the stages, the others copies of
    these, and with a mailbox of them and of ``fresh`` days more, up to yesterday. ``days`` is a multiple of ``real``.
    """
    if days % real:
        raise ValueError(f"{days} days cannot be made of {real}")
    yesterday = dt.datetime.now(zoneinfo.ZoneInfo(ZONE)).date() - dt.timedelta(days=1)
    mail = write_workload(folder / "mail", days=days + fresh, per_day=PER_DAY, heavy=False, last_day=yesterday)
    made = ManyDays(folder=folder, next_day=mail.first_day + dt.timedelta(days=days))
    mail.write_config(folder / "orders_pipeline.toml")
    with made.work() as work:
        for back in range(real, 0, -1):
            day = made.next_day - dt.timedelta(days=back)
            if problem := run_day(work, day).problem:
                raise RuntimeError(f"{day} is not done: {problem}")
        _copy(work.store, real, days // real - 1)
        refresh_current(work)
        work.publish()
        with work.store.state.reading() as con:
            ledger = read_ledger(con)
        with prepare_instance(work.store.folder) as instance:
            show_days(instance, ledger)
    return made


def _copy(store: Store, span: int, times: int) -> None:
    with store.state.transaction() as con:
        before = {row[0] for row in con.execute("SELECT path FROM archive_files WHERE day IS NOT NULL").fetchall()}
        for table in _TABLES:
            _copy_table(con, table, span, times)
    root = store.archive.root
    for path in before:
        kind, day, name = path.split("/")
        for time in range(1, times + 1):
            moved = dt.date.fromisoformat(day.removeprefix("day=")) - dt.timedelta(days=span * time)
            target = root / kind / f"day={moved}" / name
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copyfile(root / path, target)


def _copy_table(con: Connection, table: str, span: int, times: int) -> None:
    changed = []
    columns = dict(con.execute(f"SELECT name, type FROM pragma_table_info('{table}')").fetchall())
    for name, kind in columns.items():
        if name in _CHANGED:
            changed.append(f"{_CHANGED[name].format('o.' + name)} AS {name}")
        elif kind.startswith("TIMESTAMP") and table != "listings":  # listed again lately, as the sensor sees to
            changed.append(f"o.{name} - to_days(back) AS {name}")
    con.execute(
        f"INSERT INTO {table} BY NAME SELECT o.* REPLACE ({', '.join(changed)})"
        f" FROM {table} o, (SELECT (range * {span})::INTEGER AS back FROM range(1, {times + 1}))"
        + (" WHERE day IS NOT NULL" if "day" in columns else "")  # mail that has none is not copied
    )
