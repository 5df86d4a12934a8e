"""Evidence is found in a text and marked without changing it."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.page.highlight import Sought, marks_in, segments, sought_of


def sought(*texts: str, chosen: bool = True) -> list[Sought]:
    return [Sought(anchor=f"ev-{n}", text=text, label=text[:3], chosen=chosen) for n, text in enumerate(texts)]


def marked(text: str, *texts: str) -> list[str]:
    return [text[m.start : m.end] for m in marks_in(text, sought(*texts))]


def test_white_space_of_any_kind_counts_as_equal() -> None:
    """Evidence is kept on one line; in the mail a cell or a line may end between its words."""
    assert marked("Sum\nTotal:\t\n EUR 3 off", "Total: EUR 3") == ["Total:\t\n EUR 3"]


def test_a_pattern_in_the_evidence_is_text() -> None:
    """A sender's brackets and dots must neither match what they like nor raise."""
    assert marked("a (x)+ .* b", "(x)+ .*") == ["(x)+ .*"]
    assert marked("aaaa", ".*") == []


def test_of_overlapping_evidence_the_chosen_and_the_longer_is_shown_for_both() -> None:
    """Two marks over one word would cut each other's text."""
    (mark,) = marks_in("Order total EUR 31.00", sought("total EUR", "Order total EUR 31.00"))
    assert (mark.start, mark.label) == (0, "Ord, tot")
    lost = Sought(anchor="x", text="Order total EUR 31.00", label="x", chosen=False)
    (mark,) = marks_in("Order total EUR 31.00", [lost, *sought("total EUR")])
    assert (mark.anchor, mark.chosen) == ("ev-0", True)


@given(text=st.text("ab <>&\n\t", max_size=60), texts=st.lists(st.text("ab <&", min_size=2, max_size=6), max_size=6))
def test_the_pieces_are_the_text(text: str, texts: list[str]) -> None:
    """A reviewer judges by what is shown: not a character may be lost or doubled."""
    wanted = [one for one in sought(*texts) if one.text.split()]
    pieces = segments(text, marks_in(text, wanted))
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)


@pytest.mark.parametrize("gaps", [False, True])
def test_hostile_texts_are_searched_in_bounded_time(gaps: bool) -> None:
    """A mail that repeats itself, with evidence that nearly fits everywhere, must not stop the page."""
    text = ("a " * 100 + "\t" * 59) * 700
    begin = time.perf_counter()
    marks_in(text, sought(*(f"{'a ' * 90}{n}" for n in range(20))), gaps=gaps)
    assert time.perf_counter() - begin < 5


def test_what_is_sought_names_every_field_that_one_text_shows() -> None:
    """Total and currency are read from one place: the mark says both."""
    evidence = [
        {
            "field": "total",
            "value": "3",
            "extractor": "labels",
            "source": "text",
            "text": "Total  3 EUR",
            "chosen": True,
        },
        {
            "field": "currency",
            "value": "EUR",
            "extractor": "x",
            "source": "text",
            "text": "Total 3 EUR",
            "chosen": False,
        },
        {
            "field": "merchant",
            "value": "F",
            "extractor": "x",
            "source": "header",
            "text": "F <f@f.example>",
            "chosen": True,
        },
    ]
    (one,) = sought_of({"orders": [{"evidence": evidence}]})
    assert (one.text, one.label, one.chosen) == ("Total 3 EUR", "total, currency", True)
    assert re.fullmatch(r"ev-\d+", one.anchor)
    assert sought_of({"orders": []}) == ()
