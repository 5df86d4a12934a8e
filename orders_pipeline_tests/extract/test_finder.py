"""A finder against the pattern that it stands for: the same matches, on any text."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from orders_pipeline.extract import carriers, contracts, label_index, not_orders, pressure, refunds, tracking
from orders_pipeline.extract import status_phrases as phrases
from orders_pipeline.extract.classify import _any_not_order
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.label_tables import TABLES
from orders_pipeline.extract.literals import RUN, Tree, compiled, leading_literals, required_literals
from orders_pipeline.extract.text import fold
from orders_pipeline.mail.mime import parse_email

_FIXTURES = Path(__file__).parent.parent / "fixtures"
_CLASSES = st.sampled_from(["[ab]", "[^a]", r"\d", ".", r"\w", "[a-z]"])
_EDGES = st.sampled_from(["", r"\b", "(?<![^\\W_])", "(?=a)", "(?!b)", "^"])
_COUNTS = st.sampled_from(["", "?", "+", "*", "{2}", "{1,2}", "{0,3}", "??", "{9,}"])
_GROUP_COUNTS = st.sampled_from(["", "?", "{2}", "{0,2}"])  # an endless repeat of repeats takes the engine days


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    groups = st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})")
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join), st.tuples(groups, _GROUP_COUNTS).map("".join), groups
    )


_ATOMS = st.tuples(_EDGES, st.one_of(st.sampled_from("ab1 注"), _CLASSES), _COUNTS).map("".join)
PATTERNS = st.recursive(_ATOMS, _grown, max_leaves=8)
TEXTS = st.text("ab1 注é\n", max_size=16)


@settings(max_examples=300, deadline=None)
@given(PATTERNS, st.lists(TEXTS, min_size=3, max_size=3))
def test_a_finder_finds_what_its_pattern_finds(source: str, texts: list[str]) -> None:
    """A place that is passed over is a label, a status or a sign of deceit that is not seen."""
    try:
        pattern = re.compile(source)
    except re.error:  # several repeats
        assume(False)
    for text in texts:
        expected = [m.span() for m in pattern.finditer(text)]
        assume(all(start < end for start, end in expected))
        finder = Finder(source)
        assert [m.span() for m in finder.finditer(text)] == expected
        assert (found.span() if (found := finder.search(text)) else None) == next(iter(expected), None)


def _tree(source: str) -> Tree:
    return compiled(source)[1]


@cache
def _finders() -> dict[str, Finder]:
    modules = (carriers, contracts, not_orders, pressure, refunds, tracking)
    found = {f"{m.__name__}.{name}": value for m in modules for name, value in vars(m).items()}
    for table in TABLES:
        found[f"labels {table.language}"] = label_index._compile(table).pattern
        found[f"subjects {table.language}"] = _any_not_order((table,))
        for weak in (False, True):
            found[f"phrases {table.language} {weak}"] = phrases._compile(table, weak).pattern
    found |= {"sure numbers": carriers.sure_pattern(), "carriers": carriers.name_pattern()}
    return {name: value for name, value in found.items() if isinstance(value, Finder)}


@cache
def _letters() -> str:
    """A letter of each family of senders, and what finders look for, side by side."""
    paths = [sorted(folder.glob("*.eml"))[0] for folder in sorted(_FIXTURES.iterdir()) if any(folder.glob("*.eml"))]
    mails = [parse_email(path.read_bytes(), message_id="0" * 64) for path in paths]
    leads = [lead.text for finder in _finders().values() for lead in leading_literals(_tree(finder.source))]
    phrases_of_others = (
        "your order was executed; delivery status notification: your message could not be delivered: 550 5.1.1\n"
        "automatic reply: please reply above this line; your library; your appointment; hotel; shares\n"
        "trade confirmation; meter reading\n"
    )
    numbers = "rr123456789de 1z999aa10123456784 00340434161094042557 d123456789012345678901 jd0123456789012345"
    return fold(
        "\n".join(
            [m.subject + "\n" + m.text + "\n" + m.html_text for m in mails] + leads + [phrases_of_others, numbers]
        )
    )


@pytest.mark.parametrize("name", sorted(_finders()))
def test_each_finder_of_the_readers_agrees_with_its_pattern(name: str) -> None:
    """The words of a language would be read with gaps."""
    finder = _finders()[name]
    expected = [m.span() for m in re.compile(finder.source).finditer(_letters())]
    assert expected
    assert [m.span() for m in finder.finditer(_letters())] == expected


@pytest.mark.parametrize("name", sorted(_finders()))
def test_each_finder_knows_what_its_matches_begin_with_or_hold(name: str) -> None:
    """Reading would be ten times as slow, and nobody would notice."""
    tree = _tree(_finders()[name].source)
    assert leading_literals(tree) or required_literals(tree)


def test_half_a_character_is_searched_with_the_pattern_itself() -> None:
    """The automaton cannot read it, and the message would count as failed."""
    assert [m.span() for m in Finder("order|total").finditer("\ud800 order")] == [(2, 7)]


def test_a_run_of_digits_stands_for_a_number_only_where_a_word_begins() -> None:
    """In the middle of a longer run a match would be looked for at the wrong place."""
    assert {lead.text for lead in leading_literals(_tree(r"(?<![^\W_])[a-z]{2}\d{9}"))} == {RUN}
    assert not leading_literals(_tree(r"[a-z]{2}\d{9}"))
    assert [m.span() for m in Finder(r"\d{9}x").finditer("1234567890123x")] == [(4, 14)]
    assert [m.span() for m in Finder(r"(?a)(?<![^\W_])\d{9}").finditer("\u0661\u0662123456789")] == [(2, 11)]
