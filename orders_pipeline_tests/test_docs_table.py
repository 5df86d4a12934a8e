"""The page of faults that others had: every test that it names is there, and every row has one or a reason."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from orders_pipeline_tests.support import PROJECT

PAGE = PROJECT / "docs" / "bug-reports.md"
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
ROWS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d", line)]


@cache
def functions(path: Path) -> frozenset[str]:
    """The names of the functions of a test module; of one that is not there, none."""
    if not path.is_file():
        return frozenset()
    return frozenset(n.name for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS, ids=[row.split("|")[1].strip() for row in ROWS])
def test_every_fault_has_a_test_that_exists_or_a_reason(row: str) -> None:
    """A page that promises a test which was renamed or removed is worse than none."""
    _, _, what, seen, covered, _ = row.split("|")
    assert what.strip()
    assert re.fullmatch(r" (\[[\w.-]+#\d+\]\(https://github\.com/[\w./-]+/(issues|pull)/\d+\)(, )?)+ ", seen)
    tests = TEST.findall(covered)
    assert tests or covered.startswith(" Does not apply: ")
    for file, name in tests:
        assert name in functions(PROJECT / "orders_pipeline_tests" / file), f"{file}::{name}"


def test_the_page_has_its_rows() -> None:
    """A page whose table is not recognised would pass with no row looked at."""
    assert len(ROWS) >= 50
    assert len({row.split("|")[1] for row in ROWS}) == len(ROWS)
