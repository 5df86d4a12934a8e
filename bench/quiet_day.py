"""A quiet day: five mails on top of some weeks, in a process from nothing; and how soon a command answers.

Belongs here: start-up and everything that a run costs whatever it does. Not here: what much mail costs (year, cores).
"""

from __future__ import annotations

import datetime as dt
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench.figures import Figure, Scale, Section, Sense, Table
from bench.measuring import PROJECT, Spent, last_json, run, run_module
from bench.workloads import write_workload

_MAILS = 5
_COMMAND = Path(sys.executable).with_name("orders-pipeline")
_HOW = (
    f"One day of {_MAILS} mails (real weights) as one Dagster run in a new process, over a store of some weeks:"
    " all imports, the definitions, the instance, the run with its events, three stages, the copy for readers, the"
    " checks. In turn with `python -c 'import dagster'` and with the least run that Dagster has, one empty asset in an"
    " instance of its own. The least of each is compared."
)


def measure(scale: Scale) -> Section:
    """The quiet day against ``import dagster``, what it consists of, and the commands against a bare interpreter."""
    rounds, before = scale.pick(2, 9), scale.pick(7, 28)
    with tempfile.TemporaryDirectory(prefix="orders-bench-quiet-") as name:
        folder = Path(name)
        load = write_workload(folder / "mail", days=before + rounds, per_day=_MAILS)
        load.write_config(folder / "orders_pipeline.toml")
        (folder / "empty").mkdir()
        shutil.copyfile(PROJECT / "dagster.yaml", folder / "empty" / "dagster.yaml")
        environ = {
            "ORDERS_PIPELINE_HOME": str(folder / "data"), "PYTHONWARNINGS": "ignore",
            "ORDERS_PIPELINE_CONFIG": str(folder / "orders_pipeline.toml"),
        }  # fmt: skip
        empty = {"DAGSTER_HOME": str(folder / "empty"), "PYTHONWARNINGS": "ignore"}
        _days(load.first_day, load.first_day + dt.timedelta(days=before - 1), environ)
        run_module("bench.one_asset", environ=empty)
        days = iter([load.last_day - dt.timedelta(days=n) for n in reversed(range(rounds))])
        day, bare, least = _in_turn(
            [
                lambda: _one_day(next(days), environ),
                lambda: _python("import dagster"),
                lambda: run_module("bench.one_asset", environ=empty),
            ],
            rounds,
        )
        mail = next(path for path in sorted(load.folder.rglob("*")) if path.is_file() and path.parent.name == "cur")
        commands = _commands(mail, environ, rounds)
    return Section(
        title="A quiet day, and how soon a command answers",
        how=_HOW,
        figures=[
            _figure("a quiet day's run", day, "import dagster", bare, reach=2.5),
            _figure("the same in processor time", day, "import dagster", bare, processor=True),
            _figure("Dagster's least run, to compare", least, "import dagster", bare),
            _figure("a quiet day's run", day, "Dagster's least run", least),
            *commands,
        ],
        tables=[_parts(day)],
    )


def _days(first: dt.date, last: dt.date, environ: Mapping[str, str]) -> Spent:
    return run_module("bench.one_day", str(first), str(last), environ=environ)


def _one_day(day: dt.date, environ: Mapping[str, str]) -> Spent:
    return _days(day, day, environ)


def _python(code: str) -> Spent:
    return run([sys.executable, "-c", code])


def _in_turn(works: Sequence[Callable[[], Spent]], rounds: int) -> list[list[Spent]]:
    """What each took in every round, all of a round one after another."""
    taken: list[list[Spent]] = [[] for _ in works]
    for _ in range(rounds):
        for place, work in enumerate(works):
            taken[place].append(work())
    return taken


def _least(taken: Sequence[Spent], *, processor: bool = False) -> float:
    return min(spent.cpu_seconds if processor else spent.seconds for spent in taken)


def _figure(
    what: str, ours: Sequence[Spent], against: str, theirs: Sequence[Spent], *,
    reach: float | None = None, processor: bool = False,
) -> Figure:  # fmt: skip
    mine, other = _least(ours, processor=processor), _least(theirs, processor=processor)
    return Figure(
        what=what, against=against, ours=f"{mine:.2f} s", theirs=f"{other:.2f} s", ratio=mine / other,
        sense=Sense.AT_MOST, reach=reach,
    )  # fmt: skip


def _commands(mail: Path, environ: Mapping[str, str], rounds: int) -> list[Figure]:
    # Days up to today are missing, which status says by its exit status.
    shell = ["sh", "-c", '"$0" status || true', _COMMAND]
    works = {
        "orders-pipeline --help": lambda: run([_COMMAND, "--help"]),
        "orders-pipeline status": lambda: run(shell, environ=environ),
        "orders-pipeline parse, one mail": lambda: run([_COMMAND, "parse", mail]),
    }
    bare, *taken = _in_turn([lambda: _python("pass"), *works.values()], rounds)
    return [_figure(what, spent, "python -c pass", bare) for what, spent in zip(works, taken, strict=True)]


def _parts(taken: Sequence[Spent]) -> Table:
    """Where the processor time of the run's own process goes: of each part the least of all rounds."""
    rounds = [last_json(spent) for spent in taken]
    least = {name: min(parts.get(name, 0.0) for parts in rounds) for name in rounds[0]}
    whole = sum(least.values())
    return Table(
        title="Where the quiet day's processor time goes",
        columns=("part", "seconds", "share"),
        rows=[(name, f"{seconds:.3f}", f"{seconds / whole:.0%}") for name, seconds in least.items()],
        note="Without the process that a mail over 128 kB is parsed in.",
    )
