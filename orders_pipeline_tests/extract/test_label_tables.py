"""The tables of words: what must hold for every language."""

from __future__ import annotations

import ast
import re
import time
from pathlib import Path

import pytest

from orders_pipeline.extract import label_tables
from orders_pipeline.extract.label_index import FIELDS, find_labels
from orders_pipeline.extract.label_tables import TABLES, LabelTable
from orders_pipeline.extract.status import StatusExtractor
from orders_pipeline.extract.text import fold
from orders_pipeline.extract.view import build_view
from orders_pipeline_tests.extract.mails import mail

EACH = pytest.mark.parametrize("table", TABLES, ids=[t.language for t in TABLES])


def _patterns(table: LabelTable) -> list[str]:
    labels = [pattern for name in FIELDS for _, pattern in getattr(table, name)]
    statuses = [pattern for _, _, pattern in table.statuses]
    return [
        *labels,
        *table.decoys,
        *statuses,
        *table.conditions,
        *table.whens,
        *table.receipts,
        *(p for _, p in table.not_orders),
    ]


@EACH
def test_patterns_compile_and_hold_no_group(table: LabelTable) -> None:
    """A capturing group shifts the meaning of every pattern behind it."""
    for pattern in _patterns(table):
        assert re.compile(fold(pattern)).groups == 0, pattern


@pytest.mark.parametrize("path", sorted(Path(label_tables.__file__).parent.glob("*.py")), ids=lambda p: p.stem)
def test_no_table_file_holds_an_escape_that_folding_changes(path: Path) -> None:
    """Patterns are folded, and that makes \\W, \\D or \\S the opposite class, in silence: in any string of any file."""
    strings = [n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)]
    escapes = re.compile(r"(?<!\\)(?:\\\\)*\\[A-Z]")
    assert [s for s in strings if isinstance(s, str) and escapes.search(s)] == []
    assert escapes.search(r"a\W+b")
    assert not escapes.search(r"a\w+b\\W")


@EACH
def test_no_pattern_matches_nothing(table: LabelTable) -> None:
    """A pattern that matches the empty text matches everywhere, and hides all others."""
    assert [p for p in _patterns(table) if re.compile(fold(p)).fullmatch("")] == []


@EACH
def test_every_language_names_what_an_order_has(table: LabelTable) -> None:
    """A language without a word for the total loses all its totals in silence."""
    for name in ("hints", "order_number", "tracking_number", "total", "subtotal", "delivery", "statuses", "not_orders"):
        assert getattr(table, name), name
    assert len({status for status, _, _ in table.statuses}) >= 8


@EACH
def test_long_text_of_one_language_is_read_in_time_that_grows_with_its_length(table: LabelTable) -> None:
    """A pattern that backtracks lets one mail of 100 kB hold the pipeline for hours."""
    words = " ".join(re.sub(r"\(\?<?[!:=]|[\\()|?*+\[\]{}^$.]", " ", " ".join(_patterns(table))).split())
    text = (words * (60_000 // len(words) + 1))[:60_000]
    started = time.perf_counter()
    list(find_labels((table,), fold(text)))
    view = build_view(mail("a@b.example", "order", text), "UTC")
    StatusExtractor().extract(view)
    assert time.perf_counter() - started < 10  # 0.1 to 0.5 s here; a pattern that backtracks takes minutes


def test_the_longer_label_wins() -> None:
    """'Subtotal' is read as the total, or 'Grand Total' as 'Total' with a word too many."""
    english = [t for t in TABLES if t.language == "en"]
    assert [(x.field, x.start) for x in find_labels(english, "subtotal")] == [("subtotal", 0)]
    assert [(x.field, x.tier) for x in find_labels(english, "grand total")] == [("total", 10)]
    assert list(find_labels(english, "total before tax")) == []
