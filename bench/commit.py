"""Committing a day beside DuckDB alone: the same rows, one INSERT a table, one transaction, one connection.

Belongs here: how long a day has the state file open, and the comparison. Not here: what else a day costs (growth).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from bench.figures import Figure, Scale, Section, Sense, Table
from bench.workloads import Workload, write_workload
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.state import State
from orders_pipeline.store.store import open_store

_STORED_DAYS = 20
_REACH = 3.0
# Every table that has a column ``day``; locations have none and go by their message.
_OF_DAY = (
    "messages", "archive_files", "listings", "parse_outcomes", "parsed_orders", "verdicts", "proposed_eval_cases",
    "stage_days",
)  # fmt: skip


@dataclass(slots=True)
class _Day:
    """One measurement: mails, rows, least seconds of ours and of DuckDB alone."""

    mails: int
    rows: int
    ours: float
    theirs: float
    openings: int
    processor: tuple[float, float]

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


class Watch:
    """How long and how often the state file is held, from asking for its lock until it is closed."""

    def __init__(self) -> None:
        self.seconds = self.processor = 0.0
        self.times = 0

    @contextlib.contextmanager
    def over(self, state: State) -> Iterator[None]:
        """Count what happens to a state until the block ends."""
        ways = {name: getattr(state, name) for name in ("transaction", "reading")}
        for name, way in ways.items():
            setattr(state, name, self._counted(way))
        try:
            yield
        finally:
            for name in ways:
                delattr(state, name)

    def _counted(self, way):
        @contextlib.contextmanager
        def counted() -> Iterator[duckdb.DuckDBPyConnection]:
            began, used = time.perf_counter(), time.process_time()
            try:
                with way() as con:
                    yield con
            finally:
                self.seconds += time.perf_counter() - began
                self.processor += time.process_time() - used
                self.times += 1

        return counted


def measure(scale: Scale) -> Section:
    """See the package: a figure for 200 mails and one for 50."""
    measured = [_measure(mails, scale) for mails in ((20,) if scale is Scale.QUICK else (50, 200))]
    return Section(
        title="Committing a day",
        how=(
            "What a day costs while it has the state file open: the try recorded before the work, what is known of its"
            " mail, three commits (mail and listing, parses, verdicts and cases, each with the ledger row), and taking"
            " the log into the file, which a run of several days does once; from asking for the lock to the closed"
            " file. Reading, parsing and writing the archive are not counted. Beside it the same"
            " rows, ready as Arrow tables, go into a copy of the same file: connect, one INSERT a table in one"
            f" transaction, close. Least of {_rounds(scale)} rounds, in turn."
        ),
        figures=[
            Figure(
                what=f"committing a day of {day.mails} mails", against="DuckDB alone", ours=f"{day.ours * 1e3:.0f} ms",
                theirs=f"{day.theirs * 1e3:.0f} ms", ratio=day.ratio, sense=Sense.AT_MOST, reach=_REACH,
            )
            for day in measured
        ],
        tables=[
            Table(
                title="Rows and openings",
                columns=("mails", "rows", "the file is opened", "processor time, ours", "DuckDB alone", "ratio"),
                rows=[
                    (
                        f"{day.mails}", f"{day.rows:,}", f"{day.openings} times", f"{day.processor[0] * 1e3:.0f} ms",
                        f"{day.processor[1] * 1e3:.0f} ms", f"{day.processor[0] / day.processor[1]:.2f}",
                    )
                    for day in measured
                ],
            )
        ],
    )  # fmt: skip


def _rounds(scale: Scale) -> int:
    return scale.pick(3, 7)


def _measure(mails: int, scale: Scale) -> _Day:
    stored = scale.pick(5, _STORED_DAYS)
    with tempfile.TemporaryDirectory(prefix="orders-bench-commit-") as name:
        root = Path(name)
        mail = write_workload(root / "mail", days=stored + 1, per_day=mails, heavy=False)
        config = mail.config(root)
        work = Work(store=open_store(root / "home", config), config=config)
        with contextlib.closing(work):
            for number in range(stored):
                _run(work, mail.first_day + dt.timedelta(days=number))
            return _rounds_of(work, mail, root, _rounds(scale))


def _rounds_of(work: Work, mail: Workload, root: Path, rounds: int) -> _Day:
    home = work.store.folder.root
    _into_the_file(work.store.state)
    before = root / "before"
    shutil.copytree(home, before)
    ours: list[Watch] = []
    theirs: list[tuple[float, float]] = []
    rows: dict[str, pa.Table] = {}
    for _ in range(rounds):
        _restore(before, home)
        ours.append(watch := Watch())
        with watch.over(work.store.state):
            _run(work, mail.last_day)
            _into_the_file(work.store.state)
        rows = rows or _rows_of(home / "state.duckdb", mail.last_day)
        alone = root / "alone.duckdb"
        shutil.copyfile(before / "state.duckdb", alone)
        began, used = time.perf_counter(), time.process_time()
        _insert(alone, rows)
        theirs.append((time.perf_counter() - began, time.process_time() - used))
    return _Day(
        mails=rows["messages"].num_rows,
        rows=sum(table.num_rows for table in rows.values()),
        ours=min(w.seconds for w in ours),
        theirs=min(seconds for seconds, _ in theirs),
        openings=ours[-1].times,
        processor=(min(w.processor for w in ours), min(used for _, used in theirs)),
    )


def _run(work: Work, day: dt.date) -> None:
    if problem := run_day(work, day).problem:
        raise RuntimeError(f"{day} is not done: {problem}")


def _into_the_file(state: State) -> None:
    """Take the log into the file, as publishing does once a run."""
    with state.reading() as con:
        con.execute("ROLLBACK")
        con.execute("CHECKPOINT")


def _restore(source: Path, home: Path) -> None:
    shutil.rmtree(home)
    shutil.copytree(source, home)


def _rows_of(state: Path, day: dt.date) -> dict[str, pa.Table]:
    """What the day's commits left behind, as Arrow tables by table."""
    with duckdb.connect(state, read_only=True) as con:
        con.execute("SET TimeZone = 'UTC'")
        out = {t: con.sql(f"SELECT * FROM {t} WHERE day = ?", params=[day]).to_arrow_table() for t in _OF_DAY}
        sql = "SELECT l.* FROM locations l JOIN messages m USING (message_id) WHERE m.day = ?"
        return out | {"locations": con.sql(sql, params=[day]).to_arrow_table()}


def _insert(state: Path, rows: dict[str, pa.Table]) -> None:
    con = duckdb.connect(state)
    try:
        con.execute("BEGIN")
        for table, data in rows.items():
            con.register("incoming", data)
            con.execute(f"INSERT INTO {table} BY NAME SELECT * FROM incoming")
            con.unregister("incoming")
        con.execute("COMMIT")
    finally:
        con.close()
