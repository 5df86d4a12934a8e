"""The view of a message, and what is worked out over whole texts at once, against the same done step by step."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.extract.language import MAX_COMMON, TABLES, choose_tables, hints_in
from orders_pipeline.extract.money import style_of
from orders_pipeline.extract.view import MAX_LINE, body_lines, build_view
from orders_pipeline.models import Email


@settings(max_examples=300, deadline=None)
@given(st.text("a >\t\n\x0b é", max_size=40), st.sampled_from([0, MAX_LINE - 3]))
def test_body_lines_are_those_of_each_line_by_itself(text: str, longer: int) -> None:
    """A quote or a table's edge would show in values, and offsets would not fit the text."""
    text = "b" * longer + text
    assert body_lines(text) == "\n".join(filter(None, map(_line, re.split("[\n\x0b]", text))))


def _line(line: str) -> str:
    line = re.sub(r"^(?:> ?)+", "", line.strip())[:MAX_LINE]
    return re.sub(r" *\t[ \t]*", "\t", re.sub(" {2,}", " ", line)).strip()


@settings(max_examples=300, deadline=None)
@given(st.text("12,. ", max_size=24))
def test_the_decimal_mark_is_that_of_most_amounts(text: str) -> None:
    """ "1,234" would be read as the wrong number."""
    commas, points = (len(re.findall(p, text)) for p in (r"\d,\d\d(?!\d)", r"\d\.\d\d(?![\d.])"))
    assert style_of(text).mark == ("," if commas > points else "." if points > commas else None)


@pytest.mark.parametrize("name", ["schema.org", "SCHEMA.ORG", "Schema.Org"])
def test_markup_is_seen_in_any_case(name: str) -> None:
    """A shop's markup would not be read."""
    assert build_view(Email(message_id="1", html=f"<p itemtype='http://{name}/Order'>.org"), "UTC").markup
    assert not build_view(Email(message_id="1", html="<p>.org schema. org chema.org"), "UTC").markup


def test_everyday_words_count_wherever_they_stand_but_not_within_words() -> None:
    """A language would be chosen by its name in a web address, or missed behind a long header."""
    swedish = next(table for table in TABLES if table.language == "sv")
    hint = "frakt"
    for text, score in (
        (f"{hint} och har", 3),
        (f"{hint} och-har", 0),
        (f"{hint} {'x' * 2_000} och, har.", 3),
        (f"{hint} och har att vi hej", 1 + MAX_COMMON),
        (f"{hint} {'x ' * 12_000} och har", 0),
    ):
        chosen = dict(choose_tables("", text, hints_in(text)))
        assert chosen.get(swedish, 0) == score, text[:40]
