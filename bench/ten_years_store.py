"""Stores of many days, made in a minute: the last days by the real stages, the days before them copied from these.

Belongs here: the builder and its cache in the system's temporary folder. A copied day has the rows, the files and the
sizes of a real one, under ids, locations and order numbers of its own; its mail cannot be read again, for the files are
links to those of the day that it was copied from.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.workloads import LAST_DAY, Workload, write_workload
from orders_pipeline.config import Config
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.store import open_store

REAL_DAYS = 40
_FORMAT = 1  # raised when what is built changes, so that no old one is taken from the cache
# What each table changes in a copied day; other columns stay. k is the number of the copy, $real the days of a block.
_ID = "sha256(message_id || k)"
_SHIFTED = "{0} - to_days((k * $real)::INTEGER) AS {0}"
_DAY = "(day - to_days((k * $real)::INTEGER))::DATE AS day"
_FILE = "replace(archive_file, 'day=' || day, 'day=' || (day - to_days((k * $real)::INTEGER))::DATE) AS archive_file"
_COPIED = {
    "messages": (_DAY, f"{_ID} AS message_id", _SHIFTED.format("received_at"), _FILE),
    "listings": (_DAY, _SHIFTED.format("listed_at")),
    "parse_outcomes": (_DAY, f"{_ID} AS message_id", _SHIFTED.format("received_at"), _SHIFTED.format("sent_at")),
    "parsed_orders": (
        _DAY, f"{_ID} AS message_id", _SHIFTED.format("received_at"), "order_number || '-' || k AS order_number",
        "list_transform(tracking_numbers, lambda n: n || k) AS tracking_numbers",
        "(expected_delivery - to_days((k * $real)::INTEGER))::DATE AS expected_delivery",
    ),
    "verdicts": (_DAY, f"{_ID} AS message_id", _FILE),
    "proposed_eval_cases": (_DAY, f"{_ID} AS message_id", "md5(case_id || k) AS case_id"),
    "stage_days": (_DAY,),
    "archive_files": (
        _DAY, "replace(path, 'day=' || day, 'day=' || (day - to_days((k * $real)::INTEGER))::DATE) AS path",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A data folder with so many days stored up to ``mail.last_day`` less the ``fresh`` days that are still to come."""

    home: Path
    mail: Workload
    days: int
    fresh: int
    config: Config

    @property
    def next_day(self) -> dt.date:
        """The first day that is not stored."""
        return self.mail.last_day - dt.timedelta(days=self.fresh - 1)


def stored(days: int, *, per_day: int, fresh: int, root: Path, last_day: dt.date = LAST_DAY) -> Stored:
    """A store of ``days`` days below ``root`` (a new folder), with a mailbox of these and ``fresh`` days after them.

    Made once a machine and version of the format, then copied from the cache.
    """
    kind = f"{_FORMAT}-{os.getuid()}-{days}x{per_day}-{last_day}-{fresh}"
    kept = Path(tempfile.gettempdir()) / f"orders-bench-store-{kind}"
    if not (kept / "ready").exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(mode=0o700)
        _build(kept, days, per_day, fresh, last_day)
        (kept / "ready").touch()
    shutil.copytree(kept / "home", root / "home")
    mail = _mail(kept, days, per_day, fresh, last_day)
    return Stored(home=root / "home", mail=mail, days=days, fresh=fresh, config=mail.config(kept))


def _mail(root: Path, days: int, per_day: int, fresh: int, last_day: dt.date) -> Workload:
    """The mailbox, written when it is not there."""
    folder = root / "mail"
    if not folder.exists():
        return write_workload(folder, days=days + fresh, per_day=per_day, last_day=last_day, heavy=False)
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    first = last_day - dt.timedelta(days=days + fresh - 1)
    return Workload(
        folder=folder, first_day=first, last_day=last_day, days=days + fresh, messages=len(sizes), bytes=sum(sizes)
    )  # fmt: skip


def _build(root: Path, days: int, per_day: int, fresh: int, last_day: dt.date) -> None:
    mail = _mail(root, days, per_day, fresh, last_day)
    config = mail.config(root)
    real = min(days, REAL_DAYS)
    work = Work(store=open_store(root / "home", config), config=config)
    with contextlib.closing(work):
        end = last_day - dt.timedelta(days=fresh)
        for number in range(real):
            day = end - dt.timedelta(days=real - 1 - number)
            if problem := run_day(work, day).problem:
                raise RuntimeError(f"{day} is not done: {problem}")
        if days > real:
            with work.store.state.transaction() as con:
                _copy_rows(con, real, mail.first_day)
                copied = con.execute("SELECT path, day FROM archive_files WHERE day IS NOT NULL").fetchall()
            _link_files(work.store.archive.root, copied, end, real)
        refresh_current(work)
        work.publish()


def _copy_rows(con: Connection, real: int, first: dt.date) -> None:
    """Copy every row of the real days to the blocks of days before them, back to ``first``."""
    last = con.execute("SELECT max(day) FROM stage_days").fetchall()[0][0]
    copies = -(-((last - first).days + 1) // real) - 1
    values = {"real": real, "copies": copies, "first": first}
    con.execute(
        f"INSERT INTO locations SELECT l.mailbox, location || '-' || k, {_ID} FROM locations l JOIN messages m"
        " USING (message_id), range(1, $copies + 1) r(k) WHERE m.day - to_days((k * $real)::INTEGER) >= $first",
        values,
    )
    for table, columns in _COPIED.items():
        con.execute(
            f"INSERT INTO {table} BY NAME SELECT t.* REPLACE ({', '.join(columns)}) FROM {table} t,"
            " range(1, $copies + 1) r(k) WHERE day - to_days((k * $real)::INTEGER) >= $first",
            values,
        )


def _link_files(archive: Path, files: list[tuple[str, dt.date]], end: dt.date, real: int) -> None:
    """Each copied day's files as links to those of the real day; a copy of the folder makes files of them."""
    for path, day in files:
        target = archive / path
        if not target.exists():
            back = -(-((end - day).days + 1 - real) // real) * real
            source = archive / path.replace(f"day={day}", f"day={day + dt.timedelta(days=back)}")
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(source, target)
