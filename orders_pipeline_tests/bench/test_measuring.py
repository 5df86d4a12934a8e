"""Clocks and processes of the benchmark, and its command."""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType

import pytest

from bench import __main__ as command
from bench.figures import Figure, Scale, Section, Sense
from bench.measuring import in_turn, last_json, run


def test_each_work_counts_its_least_and_all_run_in_turn() -> None:
    """Rounds one after the other, so that a slow minute of the machine falls on both; never the mean of them."""
    order: list[str] = []
    now = [0.0]

    def taking(name: str, *seconds: float) -> object:
        left = iter(seconds)

        def work() -> None:
            order.append(name)
            now[0] += next(left)

        return work

    works = (taking("a", 3, 1, 2), taking("b", 5, 9, 4))
    assert in_turn(*works, times=3, clock=lambda: now[0]) == (1, 4)  # type: ignore[arg-type]
    assert "".join(order) == "ababab"


def test_a_process_is_measured_with_its_memory() -> None:
    """A peak in the wrong unit is off by a thousand, and what this process ever held is not the other's."""
    held = b"x" * 400_000_000
    code = (
        "import json; from bench.measuring import own_peak_mb; x = b'x' * 120_000_000;"
        " print('noise'); print(json.dumps({'mb': own_peak_mb()}))"
    )
    spent = run([sys.executable, "-c", code])
    assert 110 < last_json(spent)["mb"] < 300 < len(held)
    assert 0 < spent.cpu_seconds < 60


def test_a_process_that_fails_says_why() -> None:
    """A comparison that broke must not count as quick."""
    with pytest.raises(RuntimeError, match="what was wrong"):
        run([sys.executable, "-c", "raise SystemExit('what was wrong')"])


@pytest.mark.parametrize("area", command.AREAS)
def test_every_area_can_be_measured_at_a_scale(area: str) -> None:
    """One that does not load is found out at the end of an hour."""
    measure = importlib.import_module(f"bench.{area}").measure
    assert list(inspect.signature(measure).parameters) == ["scale"]


def test_an_area_that_fails_costs_the_others_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest of the tables is still worth having, and the exit status says that something is missing."""

    def fine(scale: Scale) -> Section:
        one = Figure(what="w", against="a", ours="1", theirs="1", ratio=1, sense=Sense.AT_LEAST)
        return Section(title=f"fine at {scale.value}", how="h", figures=[one])

    def broken(scale: Scale) -> Section:
        raise OSError("no such server")

    for name, measure in (("year", broken), ("parsing", fine)):
        module = ModuleType(f"bench.{name}")
        module.measure = measure  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, f"bench.{name}", module)
    monkeypatch.setattr(sys, "argv", ["bench", "--quick", "year", "parsing"])
    assert command.main() == 1
    said = capsys.readouterr()
    assert "## fine at quick" in said.out
    assert "year: OSError: no such server" in said.err


def test_an_area_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A name mistyped must not measure nothing and end well."""
    monkeypatch.setattr(sys, "argv", ["bench", "yaer"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2
    assert "no area yaer: choose from year," in capsys.readouterr().err
