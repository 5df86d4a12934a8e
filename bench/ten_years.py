"""Ten years stored beside ten days: a tick, the checks, the commands, the pages.

Belongs here: which stores, which commands, the figure and the tables. Not here: making the stores (many_days) and what
runs inside a process (ten_years_inside, asset_page).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from unittest.mock import patch

from bench.asset_pages import browser_programs
from bench.figures import Figure, Scale, Section, Sense, Table
from bench.many_days import ManyDays, write_many_days
from bench.measuring import last_json, run, run_module
from bench.report import number
from bench.ten_years_inside import TICK

_FEW = 10
_COMMANDS = (("status",), ("orders",), ("alerts",), ("cases", "list"))
# A command's status 1 says that it found something, not that it failed.
_COMMAND = """
import sys
from orders_pipeline.cli.app import main
try:
    main()
except SystemExit as end:
    sys.exit(0 if end.code == 1 else end.code)
"""

Took = Mapping[str, float]


def measure(scale: Scale) -> Section:
    """See the package: a figure for the tick, tables for it and for everything else that reads all days."""
    rounds, times = scale.pick(2, 4), scale.pick(1, 3)
    days, real = scale.pick(365, 3650), scale.pick(5, 50)  # the others are copies
    with tempfile.TemporaryDirectory(prefix="orders-bench-") as name:
        stores = [_store(Path(name) / str(n), n, of) for n, of in ((_FEW, _FEW), (days, real))]
        work = _in_turn(stores, times, lambda store: _inside(store, rounds))
        commands = _in_turn(stores, times, _commands)
        pages = _in_turn(stores, 1, _pages) if scale is Scale.FULL and browser_programs() else None
    few, many = (took[TICK] for took in work)
    figure = Figure(
        what="a tick, ten years against ten days", against=f"{_FEW} days stored", ours=f"{many:.0f} ms",
        theirs=f"{few:.0f} ms", ratio=many / few, sense=Sense.AT_MOST, reach=2.0,
    )  # fmt: skip
    tables = [
        _table("In a process that is there, processor time", "ms", days, work),
        _table("Commands, a process each, processor time", "s", days, commands),
    ]
    if pages:
        tables.append(_table("The asset page of Dagster's UI in a browser, until it shows its words", "s", days, pages))
    return Section(
        title="Ten years stored",
        how=(
            f"Two stores of {_FEW} and {days:,} done days, five mails each, all shown as materialized in a Dagster home"
            f" on disk; in turn, the least of {rounds * times}. Nothing is kept between ticks: each reads ledger"
            " and events anew."
        ),
        figures=(figure,),
        tables=tables,
    )


def _store(folder: Path, days: int, real: int) -> ManyDays:
    folder.mkdir()
    with patch.dict(os.environ):  # opening Dagster's home names it there
        return write_many_days(folder, days=days, real=real)


def _in_turn(stores: Sequence[ManyDays], times: int, measure_one: Callable[[ManyDays], Took]) -> list[Took]:
    """The least of each store, measured one after another ``times`` times."""
    rounds = [[measure_one(store) for store in stores] for _ in range(times)]
    return [{name: min(took[name] for took in found) for name in found[0]} for found in zip(*rounds, strict=True)]


def _inside(store: ManyDays, rounds: int) -> Took:
    return last_json(run_module("bench.ten_years_inside", str(rounds), environ=store.environ))


def _commands(store: ManyDays) -> Took:
    spent = {words: run([sys.executable, "-c", _COMMAND, *words], environ=store.environ) for words in _COMMANDS}
    return {" ".join(words): found.cpu_seconds for words, found in spent.items()}


def _pages(store: ManyDays) -> Took:
    return last_json(run_module("bench.asset_page", "3", environ=store.environ))


def _table(title: str, unit: str, days: int, found: Sequence[Took]) -> Table:
    few, many = found
    return Table(
        title=title,
        columns=("", f"{_FEW} days", f"{days:,} days", "ratio"),
        rows=[
            (name, f"{number(few[name])} {unit}", f"{number(many[name])} {unit}", number(many[name] / few[name]))
            for name in few
        ],
    )
