"""The tree of alternatives against the flat list that it stands for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.extract.alternation import alternation, split_alternatives
from orders_pipeline.extract.label_index import FIELDS
from orders_pipeline.extract.label_tables import TABLES, LabelTable
from orders_pipeline.extract.text import fold

PIECES = st.sampled_from(["a", "b", "ab", "a?", "(?:a|b)", "(?:ab|a)?", "(?: b)?", "[ab]", r"\.", r"\b", ".", "b{1,2}"])
PATTERNS = st.lists(st.lists(PIECES, min_size=1, max_size=5).map("".join), min_size=1, max_size=6)


def flat(parts: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"({part})" for part in parts))


def same(parts: list[str], text: str) -> None:
    pattern, owners = alternation(parts)
    found = [(m.span(), owners[(m.lastindex or 0) - 1]) for m in re.finditer(pattern, text)]
    assert found == [(m.span(), (m.lastindex or 0) - 1) for m in flat(parts).finditer(text)]


@settings(max_examples=300, deadline=None)
@given(PATTERNS, st.text("ab. ", max_size=12))
def test_a_tree_finds_what_the_flat_list_finds(parts: list[str], text: str) -> None:
    """Another alternative or another end would be another label, silently."""
    same(parts, text)


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.language)
def test_a_tree_of_a_whole_table_finds_what_the_flat_list_finds(table: LabelTable) -> None:
    """The real patterns use more syntax than the made-up ones."""
    parts = [fold(p) for name in FIELDS for _, pattern in getattr(table, name) for p in split_alternatives(pattern)]
    statuses = [fold(p) for _, _, pattern in table.statuses for p in split_alternatives(pattern)]
    words = [
        re.sub(r"\(\?:|\)\??|\?|\[[^]]*\]|\\.|\{[^}]*\}|\(", " ", p).replace("|", "\n") for p in (*parts, *statuses)
    ]
    text = "\n".join([*words, *(w.replace(" ", "") for w in words), " ".join(table.hints)])
    same(parts, text)
    same(statuses, text)


def test_bars_in_groups_and_classes_and_escaped_ones_do_not_split() -> None:
    """A pattern cut in the middle would not compile, or match half a label."""
    assert split_alternatives(r"a(?:b|c)|[|]d\||e") == ["a(?:b|c)", r"[|]d\|", "e"]
    assert split_alternatives(r"[]|a]b|[^]|(]c") == ["[]|a]b", "[^]|(]c"]
