"""Parsing by two processes beside one: the same mail, the same answers, and a run's days as a whole.

Belongs here: the pool as a run uses it, started once and kept. What one core does is parsing's own area.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, Scale, Section, Sense, Table
from bench.measuring import in_turn
from bench.workloads import Workload, raw_messages, write_workload
from orders_pipeline.days import days_between
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, parse_bytes
from orders_pipeline.stages.parser_pool import PAYS_BYTES, ParserPool
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store

_CONTEXT = ParseContext()
_SPIN = "x = 0\nfor n in range(30_000_000): x += n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """Seconds on the clock and of processor time, by all processes together; of starting them, and of the mail."""

    start: float
    start_cpu: float
    seconds: float
    cpu: float
    answers: Sequence[ParsedMessage]


def measure(scale: Scale) -> Section:
    """See the package: a figure for parsing alone, tables for it and for whole days."""
    messages = [RawMessage(message_id_of(raw), raw) for raw in raw_messages(scale.pick(300, 1200))]
    megabytes = sum(len(message.raw) for message in messages) / 1e6
    ones, twos, machine = [], [], []
    for _ in range(scale.pick(1, 4)):
        ones.append(_parse(messages, 1))
        twos.append(_parse(messages, 2))
        machine.append(_machine())
        if ones[-1].answers != twos[-1].answers:
            raise RuntimeError("two processes gave other answers than one")
    one, two = (min(rounds, key=lambda took: took.seconds) for rounds in (ones, twos))
    cpu = min(took.cpu for took in twos) / min(took.cpu for took in ones)
    figure = Figure(
        what="two cores against one",
        against="one process, as on a small day",
        ours=f"{two.seconds:.2f} s",
        theirs=f"{one.seconds:.2f} s",
        ratio=one.seconds / two.seconds,
        sense=Sense.AT_LEAST,
        reach=1.8,
    )
    rows = [
        (
            "twice as much work by two programs that share nothing",
            f"{max(machine):.2f} times as much a second",
        ),
        ("processor time, two processes against one", f"{cpu:.2f} times"),
        ("messages a second", f"{len(messages) / one.seconds:,.0f} by one, {len(messages) / two.seconds:,.0f} by two"),
        (
            "start of two processes, once a run",
            f"{min(took.start for took in twos):.2f} s, {two.start_cpu:.2f} s processor",
        ),
        ("mail from which on they are started", f"{PAYS_BYTES / 1e6:.0f} MB a run"),
    ]
    return Section(
        title="Two cores",
        how=(
            f"{len(messages):,} messages ({megabytes:.0f} MB) are parsed by the pool of a run with one process and with"
            f" two, best of {len(ones)} in turn; the answers are compared. {os.cpu_count()} cores."
        ),
        figures=[figure],
        tables=[
            Table(title="Where the rest goes", columns=("what", "measured"), rows=rows),
            _whole_days(scale.pick(1, 3), scale.pick(100, 500), scale.pick(1, 2)),
        ],
    )


def _parse(messages: Sequence[RawMessage], processes: int) -> Took:
    """By a pool that has read some of the mail before, as all days of a run but the first have."""
    seen = messages[::8]
    start, start_cpu, _ = _timed(messages[:2], processes, ())
    _, warm_cpu, _ = _timed(seen, processes, ())
    _, cpu, (seconds, answers) = _timed(seen, processes, messages)
    return Took(start=start, start_cpu=start_cpu, seconds=seconds, cpu=cpu - warm_cpu, answers=answers)


def _timed(
    before: Sequence[RawMessage], processes: int, messages: Sequence[RawMessage]
) -> tuple[float, float, tuple[float, Sequence[ParsedMessage]]]:
    """Seconds for what is parsed before, all processor seconds, and the messages' seconds and answers."""
    cpu, began = _cpu(), time.perf_counter()
    with ParserPool(parse_bytes, processes) as pool:
        list(pool.parse_all(before, _CONTEXT, expected_bytes=PAYS_BYTES))
        started = time.perf_counter()
        answers = list(pool.parse_all(messages, _CONTEXT, expected_bytes=PAYS_BYTES))
        ended = time.perf_counter()
    return started - began, _cpu() - cpu, (ended - started, answers)


def _cpu() -> float:
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _machine() -> float:
    def spin(count: int) -> None:
        programs = [subprocess.Popen([sys.executable, "-c", _SPIN]) for _ in range(count)]
        for program in programs:
            program.wait()

    alone, together = in_turn(lambda: spin(1), lambda: spin(2), times=1)
    return 2 * alone / together


def _whole_days(days: int, per_day: int, times: int) -> Table:
    with tempfile.TemporaryDirectory(prefix="orders-bench-cores-") as name:
        root = Path(name)
        load = write_workload(root / "mail", days=days, per_day=per_day)
        one, two = in_turn(lambda: _run_days(root, load, 1), lambda: _run_days(root, load, 2), times=times)
    row = (str(days), f"{load.messages:,}", f"{load.megabytes:.0f}", f"{one:.2f}", f"{two:.2f}", f"{one / two:.2f}")
    return Table(
        title="A run's days as a whole",
        columns=("days", "messages", "MB", "one process, s", "two, s", "ratio"),
        rows=[row],
        note="Fetching, parsing and reviewing in a new store, the start of processes included; only parsing is shared.",
    )


def _run_days(root: Path, load: Workload, processes: int) -> None:
    config = load.config(root)
    config = config.model_copy(update={"parse": config.parse.model_copy(update={"processes": processes})})
    with tempfile.TemporaryDirectory(dir=root) as home:
        work = Work(store=open_store(Path(home), config), config=config)
        try:
            for day in days_between(load.first_day, load.last_day):
                if problem := run_day(work, day).problem:
                    raise RuntimeError(f"{day}: {problem}")
        finally:
            work.close()
