"""A small pipeline of a test's own: mail that the test writes, a configuration, a store, and its tables by content.

Belongs here: what tests of stages, definitions and command line share. Not here: the sample mailbox (``sample/``), and
fixtures with a life cycle of one folder.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from orders_pipeline.config import Config, load_config
from orders_pipeline.days import closed_days
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.models import Fetched, Listing, MessageRef, Window
from orders_pipeline.progress import DayLedger, why_not_done
from orders_pipeline.stages.work import Work
from orders_pipeline.store import facts
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.ledger import StageDay, read_stage
from orders_pipeline.store.store import Store, open_store
from orders_pipeline_tests.support import PROJECT

ZONE = ZoneInfo("Europe/Berlin")
DAY = dt.date(2026, 5, 11)

# When something was saved or committed, by which run, in which file: two stores with the same content may differ in it.
_TIMES = ("saved", "listed", "failed", "judged", "first_done", "committed", "started", "refreshed", "tried", "next_try")
_OF_THE_MOMENT = frozenset({*(f"{name}_at" for name in _TIMES), "run_id", "archive_file"})
_NOT_CONTENT = frozenset({"archive_files", "schema_version"})

Dump = dict[str, list[str]]


def noon(day: dt.date, minute: int = 0) -> dt.datetime:
    """An instant of a day in the tests' zone."""
    return dt.datetime.combine(day, dt.time(12, minute), tzinfo=ZONE)


def last_closed_days(count: int) -> list[dt.date]:
    """The last days that are over in the tests' zone, oldest first."""
    today = dt.datetime.now(ZONE).date()
    return [today - dt.timedelta(days=n) for n in range(count, 0, -1)]


def order_mail(
    number: str, at: dt.datetime, *, total: str = "24.50", subject: str = "", shop: str = "Fennmark"
) -> bytes:
    """A confirmation of a fictional shop, received at ``at``; another total than 24.50 does not add up."""
    return _message(
        sender=f"{shop} Supplies <orders@{shop.lower()}.example>",
        subject=subject or f"Your order {number} is confirmed",
        at=at,
        lines=(
            f"Thank you for your order at {shop} Supplies.",
            "",
            f"Order number: {number}",
            "1 x Oak bookend   EUR 19.55",
            "",
            "Subtotal: EUR 19.55",
            "Shipping: EUR 4.95",
            f"Order total: EUR {total}",
        ),
    )


def plain_mail(subject: str, at: dt.datetime) -> bytes:
    """A personal mail that orders nothing."""
    return _message(sender="Ilse <ilse@wren.example>", subject=subject, at=at, lines=("See you on Sunday.", "", "Ilse"))


def _message(*, sender: str, subject: str, at: dt.datetime, lines: Sequence[str]) -> bytes:
    date = format_datetime(at)
    head = (
        f"Received: from mx.fennmark.example by inbox.example; {date}",
        f"From: {sender}",
        "To: Robin Alder <robin@alder.example>",
        f"Subject: {subject}",
        f"Date: {date}",
        f"Message-ID: <{hashlib.sha256(f'{sender} {subject} {date}'.encode()).hexdigest()[:16]}@fennmark.example>",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
    )
    return "\r\n".join([*head, "", *lines, ""]).encode()


def make_maildir(folder: Path) -> Path:
    """An empty Maildir."""
    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    return folder


def deliver(folder: Path, raw: bytes, name: str) -> Path:
    """Put a message into a Maildir under a name of its own."""
    target = make_maildir(folder) / "cur" / f"{name}:2,S"
    target.write_bytes(raw)
    return target


@dataclass(slots=True)
class Scene:
    """A configuration with Maildirs and a data folder below ``root``; ``settings`` are further TOML lines."""

    root: Path
    start: dt.date = DAY
    mailboxes: tuple[str, ...] = ("inbox",)
    settings: str = ""
    warnings: list[str] = field(default_factory=list)
    _count: int = 0

    def __post_init__(self) -> None:
        for name in self.mailboxes:
            make_maildir(self.root / name)
        self.write_config()

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def config_path(self) -> Path:
        return self.root / "orders_pipeline.toml"

    @property
    def environ(self) -> dict[str, str]:
        """The variables by which a process finds this configuration and data folder."""
        return {"ORDERS_PIPELINE_HOME": str(self.home), "ORDERS_PIPELINE_CONFIG": str(self.config_path)}

    def copy_to(self, root: Path) -> Scene:
        """The same pipeline with all that is in it, elsewhere: cheaper than to make it once more."""
        shutil.copytree(self.root, root, dirs_exist_ok=True)
        return replace(self, root=root, warnings=[])

    def write_config(self) -> None:
        """Write the configuration anew from the fields."""
        boxes = [f'[[mailbox]]\nname = "{n}"\nkind = "maildir"\npath = "{n}"\n' for n in self.mailboxes]
        text = f'zone = "{ZONE.key}"\nstart_date = {self.start.isoformat()}\n\n' + "\n".join([*boxes, self.settings])
        self.config_path.write_text(text, encoding="utf-8")

    def config(self) -> Config:
        return load_config(self.config_path)

    def add_order(self, day: dt.date = DAY, *, mailbox: str = "inbox", **fields: Any) -> Path:
        """Deliver one more order confirmation on a day; returns its file."""
        self._count += 1
        number = f"FM-{70000 + self._count}"
        raw = order_mail(fields.pop("number", number), noon(day, self._count % 60), **fields)
        return deliver(self.root / mailbox, raw, f"{self._count:04d}.order")

    def add_plain(self, day: dt.date = DAY, *, mailbox: str = "inbox", subject: str = "Sunday") -> Path:
        """Deliver one more personal mail on a day."""
        self._count += 1
        return deliver(
            self.root / mailbox, plain_mail(subject, noon(day, self._count % 60)), f"{self._count:04d}.plain"
        )

    def add_day(self, day: dt.date = DAY) -> None:
        """A usual day: two orders that add up, one that does not, one personal mail."""
        self.add_order(day)
        self.add_order(day)
        self.add_order(day, total="31.00")
        self.add_plain(day)

    def work(self, **fields: Any) -> Work:
        """A new ``Work`` over the store."""
        config = self.config()
        fields.setdefault("warn", self.warnings.append)
        return Work(store=open_store(self.home, config), config=config, **fields)

    def dump(self, *, ignore: Collection[str] = ()) -> Dump:
        """Every table by content (see ``dump_tables``)."""
        work = self.work()
        with work.store.state.reading() as con:
            return dump_tables(con, ignore=ignore)

    def work_with(self, box: Mailbox) -> Work:
        """A new ``Work`` that reads one of its mailboxes through ``box``."""
        work = self.work()
        work._mailboxes[box.name] = box
        return work

    def why_not_done(self, day: dt.date = DAY) -> str | None:
        """None when the ledger proves the day, else why not."""
        work = self.work()
        with work.store.state.reading() as con:
            row = facts.read_ledger(con).get(day, DayLedger(day=day))
        return why_not_done(row, work.config.owing(day))

    def days_done(self) -> set[dt.date]:
        """The closed days that the ledger proves."""
        closed = closed_days(self.start, dt.datetime.now(dt.UTC), ZONE)
        work = self.work()
        with work.store.state.reading() as con:
            ledger = facts.read_ledger(con)
        return {d for d in closed if why_not_done(ledger.get(d, DayLedger(day=d)), work.config.owing(d)) is None}

    def run(
        self, *command: str, timeout: float = 120.0, environ: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run ``python ...`` in a process of its own that finds this configuration; its output as text."""
        return subprocess.run(
            [sys.executable, *command],
            cwd=self.root,
            env=self.process_environ(**environ or {}),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def process_environ(self, **environ: str) -> dict[str, str]:
        """The whole environment of such a process."""
        return {**os.environ, **self.environ, "PYTHONPATH": str(PROJECT), **environ}

    def verdict_files(self) -> list[str]:
        """The saved verdict files of all days."""
        return self.work().store.archive.all_files("verdicts")


class Interrupted:
    """A real Maildir to which something happens after it was listed, once ``after`` messages are fetched."""

    def __init__(self, scene: Scene, happens: Callable[[], object], *, name: str = "inbox", after: int = 0) -> None:
        self._box = MaildirSource(name, scene.root / name)
        self._happens, self._after = happens, after
        self.name = name

    def list(self, window: Window) -> Listing:
        return self._box.list(window)

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        for number, ref in enumerate(refs):
            if number == self._after:
                self._happens()
            yield from self._box.fetch([ref])

    def close(self) -> None:
        self._box.close()


def dump_tables(con: Connection, *, ignore: Collection[str] = ()) -> Dump:
    """Each table's rows as sorted JSON, without what is of the moment.

    ``ignore`` names more to leave out, each as ``column`` or ``table.column``.
    """
    out: Dump = {}
    for (table,) in con.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY 1").fetchall():
        if table in _NOT_CONTENT:
            continue
        found = rows(con, f"SELECT * FROM {table}")
        left_out = _OF_THE_MOMENT.union(ignore)
        kept = [{k: v for k, v in r.items() if k not in left_out and f"{table}.{k}" not in left_out} for r in found]
        out[table] = sorted(json.dumps(r, default=str, sort_keys=True) for r in kept if r.get("key") != "generation")
    return out


def different_tables(one: Dump, other: Dump) -> dict[str, tuple[list[str], list[str]]]:
    """The tables that differ: what only the one holds, and what only the other."""
    return {
        name: (_less(one.get(name, []), other.get(name, [])), _less(other.get(name, []), one.get(name, [])))
        for name in sorted(one.keys() | other.keys())
        if one.get(name) != other.get(name)
    }


def _less(these: Iterable[str], those: Iterable[str]) -> list[str]:
    left = list(these)
    for row in those:
        if row in left:
            left.remove(row)
    return left


def ledger_row(store: Store, stage: str, day: dt.date = DAY) -> StageDay | None:
    """The ledger's row of a stage of a day."""
    with store.state.reading() as con:
        return read_stage(con, stage, day)


def select(store: Store, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of a query over the state."""
    with store.state.reading() as con:
        return con.execute(sql, list(parameters)).fetchall()
