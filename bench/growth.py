"""What a day costs with ten, a hundred, a thousand and 3,650 days stored, and how large the store is beside the mail.

Belongs here: the day's cost in its parts, the current state, the size after re-materializations. Not here: ticks and
pages (ten_years).
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from bench.commit import Watch
from bench.figures import Figure, Scale, Section, Sense, Table
from bench.many_days import PER_DAY, ManyDays, write_many_days
from bench.workloads import write_workload
from orders_pipeline.stages.current import ALERTS, ORDERS, QUEUE, refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.fetch import fetch_day
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store

_REAL = 50  # days by the stages; those before them are copies
_MEASURED = 9  # days after the stored ones; the first warms up and is not counted
_ROUNDS = 10


@dataclass(slots=True)
class _Cost:
    """Least seconds of each part of a day, over the measured days."""

    days: int
    parts: dict[str, float] = field(default_factory=dict)
    current: dict[str, float] = field(default_factory=dict)

    def note(self, parts: dict[str, float]) -> None:
        self.parts = {name: min(seconds, self.parts.get(name, seconds)) for name, seconds in parts.items()}


def measure(scale: Scale) -> Section:
    """See the package: the cost of a day, and the size of the store."""
    counts = (10, 100) if scale is Scale.QUICK else (10, 100, 1000, 3650)
    costs = _costs(counts)
    least, most = costs[0], costs[-1]
    ratio = most.parts["whole day"] / least.parts["whole day"]
    sizes, size_table = _size(scale)
    return Section(
        title="Growth",
        how=(
            f"Stores of {', '.join(f'{n:,}' for n in counts)} days of {PER_DAY} mails, each with a mailbox of as many"
            f" days. {_MEASURED - 1} new days are taken through all stages and published, one after the other, the"
            " stores in turn; least of them. The size is that of a store of heavy mail after all of its days were"
            f" fetched, parsed and reviewed {scale.pick(2, _ROUNDS)} times more, each mail parsed anew."
        ),
        figures=[
            Figure(
                what=f"a day's cost, {most.days:,} days stored", against=f"{least.days} days stored",
                ours=f"{most.parts['whole day'] * 1e3:.0f} ms", theirs=f"{least.parts['whole day'] * 1e3:.0f} ms",
                ratio=ratio, sense=Sense.AT_MOST, reach=1.5,
            ),
            *sizes,
        ],
        tables=[_parts_table(costs), _current_table(costs), size_table],
    )  # fmt: skip


def _costs(counts: tuple[int, ...]) -> list[_Cost]:
    with tempfile.TemporaryDirectory(prefix="orders-bench-growth-") as name, contextlib.ExitStack() as stack:
        works: list[tuple[Work, ManyDays, _Cost]] = []
        for days in counts:
            root = Path(name) / str(days)
            root.mkdir()
            with patch.dict(os.environ):  # opening Dagster's home names it there
                made = write_many_days(root, days=days, real=min(days, _REAL), fresh=_MEASURED)
            works.append((stack.enter_context(made.work()), made, _Cost(days)))
        for number in range(_MEASURED):
            for work, made, cost in works:
                parts = _one_day(work, made.next_day + dt.timedelta(days=number))
                if number:
                    cost.note(parts)
        for work, _, cost in works:
            for asset in (ORDERS, ALERTS, QUEUE):
                cost.current[asset] = min(_seconds(lambda w=work, a=asset: refresh_current(w, [a])) for _ in range(3))
        return [cost for _, _, cost in works]


def _one_day(work: Work, day: dt.date) -> dict[str, float]:
    """Seconds of one day, whole and in parts."""
    watch, listing = Watch(), [0.0]
    began = time.perf_counter()
    with watch.over(work.store.state), _listing(work, day, listing):
        if problem := run_day(work, day).problem:
            raise RuntimeError(f"{day} is not done: {problem}")
    ran = time.perf_counter() - began
    publishing = _seconds(work.publish)
    return {
        "whole day": ran + publishing, "listing the mailbox": listing[0], "state open": watch.seconds,
        "files, parsing, judging": ran - listing[0] - watch.seconds, "publishing": publishing,
    }  # fmt: skip


@contextlib.contextmanager
def _listing(work: Work, day: dt.date, seconds: list[float]) -> Iterator[None]:
    """Add up what the mailboxes take to list."""
    boxes = work.mailboxes(day)
    ways = [box.list for box in boxes]
    for box, way in zip(boxes, ways, strict=True):

        def timed(window, way=way):
            began = time.perf_counter()
            try:
                return way(window)
            finally:
                seconds[0] += time.perf_counter() - began

        box.list = timed  # pyright: ignore[reportAttributeAccessIssue]
    try:
        yield
    finally:
        for box in boxes:
            del box.list


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _parts_table(costs: list[_Cost]) -> Table:
    return Table(
        title="A day's cost by the days that are stored",
        columns=("part", *(f"{cost.days:,} days" for cost in costs)),
        rows=[[part, *(f"{cost.parts[part] * 1e3:.0f} ms" for cost in costs)] for part in costs[0].parts],
        note="Each part is the least of the measured days, so that the parts need not add up to the whole.",
    )


def _current_table(costs: list[_Cost]) -> Table:
    return Table(
        title="Current state, computed whole",
        columns=("asset", *(f"{cost.days:,} days" for cost in costs)),
        rows=[[asset, *(f"{cost.current[asset] * 1e3:.0f} ms" for cost in costs)] for asset in costs[0].current],
        note="Once after a run that changed a day, not once a day.",
    )


def _size(scale: Scale) -> tuple[list[Figure], Table]:
    """The store of heavy mail, beside its mail, before and after it is materialized anew."""
    days, per_day = (3, 15) if scale is Scale.QUICK else (40, 50)
    with tempfile.TemporaryDirectory(prefix="orders-bench-size-") as name:
        mail = write_workload(Path(name) / "mail", days=days, per_day=per_day)
        config = mail.config(Path(name))
        work = Work(store=open_store(Path(name) / "home", config), config=config)
        with contextlib.closing(work):
            every = [mail.first_day + dt.timedelta(days=number) for number in range(days)]
            for day in every:
                run_day(work, day)
            refresh_current(work)
            work.publish()
            once = _bytes(work)
            for _ in range(scale.pick(2, _ROUNDS)):
                for day in every:
                    fetch_day(work, day)
                    parse_day(work, day, again=True)
                    review_day(work, day)  # verdicts on a parse that is the same stand
                refresh_current(work)
                work.publish()
            after = _bytes(work)
    ratio = (after["archive"] + after["state"]) / mail.bytes
    figure = Figure(
        what=f"the store after {scale.pick(2, _ROUNDS)} re-materializations", against="its raw mail",
        ours=f"{(after['archive'] + after['state']) / 1e6:.1f} MB", theirs=f"{mail.megabytes:.1f} MB",
        ratio=ratio, sense=Sense.AT_MOST, reach=0.25,
    )  # fmt: skip
    table = Table(
        title="The store in bytes a byte of mail",
        columns=("part", "materialized once", "and again"),
        rows=[[part, f"{once[part] / mail.bytes:.3f}", f"{after[part] / mail.bytes:.3f}"] for part in once],
        note=(
            f"{mail.messages:,} mails of {days} days. Attachments (scans, brochures, invoices) do not become smaller"
            " by any compression: base64 alone gives back a quarter. The copy is made for readers and not counted."
        ),
    )
    return [figure], table


def _bytes(work: Work) -> dict[str, int]:
    folder = work.store.folder
    out = {
        f"archive/{kind.name}": sum(path.stat().st_size for path in kind.rglob("*") if path.is_file())
        for kind in sorted(folder.archive.iterdir())
    }
    out["archive"] = sum(out.values())
    return out | {"state": folder.state.stat().st_size, "copy": folder.published.stat().st_size}
