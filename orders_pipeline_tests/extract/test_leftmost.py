"""Several patterns searched together against one pattern of all."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.leftmost import leftmost

PATTERNS = st.lists(st.sampled_from(["a", "ab", "b+", "a?b", "ba", "(?<!a)b", "aa(?!b)"]), min_size=1, max_size=4)


@settings(max_examples=300, deadline=None)
@given(PATTERNS, st.text("ab ", max_size=16))
def test_patterns_apart_find_what_one_pattern_of_all_finds(parts: list[str], text: str) -> None:
    """Labels of a mail in two languages would differ from those of the same mail read with one pattern."""
    joined = re.compile("|".join(f"({part})" for part in parts))
    apart = leftmost([Finder(part) for part in parts], text, lambda i, _: i)
    assert [(i, m.span()) for i, m in apart] == [((m.lastindex or 0) - 1, m.span()) for m in joined.finditer(text)]


def test_of_two_patterns_at_one_place_the_lower_rank_is_taken() -> None:
    """The longer label of the second language would lose against the shorter one of the first."""
    patterns = [Finder("total"), Finder("total brutto")]
    found = leftmost(patterns, "total brutto: total", lambda _, match: -len(match.group()))
    assert [m.group() for _, m in found] == ["total brutto", "total"]
