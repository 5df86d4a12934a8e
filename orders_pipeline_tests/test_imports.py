"""The package keeps its layout: arrows point from ``defs`` through the stages to ``models``."""

from __future__ import annotations

import subprocess
import sys

import pytest

from orders_pipeline_tests.import_rules import ALLOWED, PACKAGE, package_modules, violations
from orders_pipeline_tests.support import PROJECT

MODULES = package_modules(PROJECT / PACKAGE)

FORBIDDEN = {
    "a library of another part": ("orders_pipeline.mail.imap", "import dagster as dg"),
    "a sibling distribution of it": ("orders_pipeline.cli", "from dagster_graphql import client"),
    "the database outside the store": ("orders_pipeline.orders.merge", "import duckdb"),
    "one domain from another": ("orders_pipeline.mail.imap", "from orders_pipeline.extract import money"),
    "a package by its name alone": ("orders_pipeline.quality.gaps", "from orders_pipeline import store"),
    "relatively": ("orders_pipeline.mail.imap", "from ..extract.money import read"),
    "relatively, from a package's own file": ("orders_pipeline.mail.__init__", "from ..extract import money"),
    "inside a function": ("orders_pipeline.review.rules", "def f():\n    import orders_pipeline.store.state"),
    "for type checkers only": (
        "orders_pipeline.store.state",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from orders_pipeline.stages.work import Work",
    ),
    "by a string": ("orders_pipeline.stages.day", "import importlib\nimportlib.import_module('orders_pipeline.defs')"),
    "upwards": ("orders_pipeline.defs.assets", "from orders_pipeline.cli import app"),
    "anything into the records": ("orders_pipeline.models", "from orders_pipeline import encoding"),
    "a part without a rule": ("orders_pipeline.helpers.misc", "x = 1"),
}
PERMITTED = {
    "its own part": ("orders_pipeline.mail.imap", "from orders_pipeline.mail.mime import decode\nfrom . import mime"),
    "its own part, from a package's own file": ("orders_pipeline.mail.__init__", "from .mime import decode"),
    "the records": ("orders_pipeline.orders.merge", "from orders_pipeline.models import ParsedOrder"),
    "the package's version": ("orders_pipeline.review.rules", "from orders_pipeline import __version__"),
    "dagster where it belongs": ("orders_pipeline.defs.assets", "import dagster as dg"),
    "composition": ("orders_pipeline.stages.day", "from orders_pipeline import mail, store"),
    "a name that only begins alike": ("orders_pipeline.mail.imap", "import dateparser, dataclasses"),
}


@pytest.mark.parametrize(("module", "source"), FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_checker_finds_a_planted_violation(module: str, source: str) -> None:
    """A checker that overlooks one way to write an import guards nothing."""
    assert len(violations(module, source, [*MODULES, "orders_pipeline.mail.mime"])) == 1


@pytest.mark.parametrize(("module", "source"), PERMITTED.values(), ids=PERMITTED.keys())
def test_checker_lets_a_rightful_import_pass(module: str, source: str) -> None:
    """A checker that cries wolf gets switched off."""
    assert violations(module, source, [*MODULES, "orders_pipeline.mail.mime"]) == []


def test_every_module_imports_only_what_its_part_may() -> None:
    """A stage that knows Dagster or another stage can no longer be tested or replaced alone."""
    found = [line for name, path in MODULES.items() for line in violations(name, path.read_text("utf-8"), MODULES)]
    assert not found, "\n" + "\n".join(found)


def test_every_domain_package_is_there_to_be_checked() -> None:
    """Rules about folders that were renamed away would hold vacuously."""
    parts = {name.split(".")[1] for name in MODULES}
    assert {"mail", "extract", "review", "orders", "quality", "sample", "store", "models"} <= parts


def test_no_part_below_defs_loads_dagster() -> None:
    """Dagster costs seconds to import: a command that never uses it, such as ``parse``, would pay for it."""
    parts = [part for part in ALLOWED if part not in {"defs", "definitions", "cli", "__main__", "__init__"}]
    names = sorted(n.removesuffix(".__init__") for n in MODULES if n.split(".")[1] in parts)
    code = (
        "import importlib, sys\nfor n in sys.argv[1:]: importlib.import_module(n)\nsys.exit('dagster' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *names], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr or "dagster was loaded"
