"""HTML that takes minutes to parse is found before it is parsed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.html_limits import tangled_at
from orders_pipeline.mail.html_text import html_to_text

UNITS = {
    "end tags that close nothing": "<div></x>",
    "lists left open": "<ul><li></x></x>",
    "ruby left open": "<ruby><rt></x></x>",
    "ends in comments": "<b class={}><!--</b>--><p>",
    "ends in declarations": "<b class={}><!x </b><p>",
    "ends in attributes": "<b a='</b>' c={}><p>",
    "ends between other quotes": '<b a=\'"\' b="</b>" c={}><p>',
    "fonts left open": "<font color={}></x><p>",
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS.keys())
def test_ends_that_end_nothing_hide_no_depth(unit: str) -> None:
    """Each let 80 to 900 kB of HTML hold the parser for 2 to 10 s, and nothing can interrupt it."""
    html = "".join(unit.format(i) for i in range(50_000))
    started = time.process_time()
    assert tangled_at(html) is not None
    html_to_text(f"Total: 12.00<p>{html}")
    assert time.process_time() - started < 1.5  # 0.2 s here


def test_a_tag_of_endless_attributes_is_found() -> None:
    """Each attribute is compared with each before it: 50,000 took 2.8 s."""
    attributes = " ".join(f"a{i}" for i in range(50_000))
    assert tangled_at(f"<p>x</p><a {attributes}>") == len("<p>x</p>")
    assert tangled_at("<a b='x' " * 50_000) == 0
    assert tangled_at(f'<img src="data:image/png;base64,{"iVBO/w0K" * 50_000}">') is None


def test_sane_html_of_any_length_is_parsed() -> None:
    """A long order would lose its rows."""
    row = "<tr><td><b title='a > b'>Total</b><!-- </b> --><br></td><td><a href=x>1.00</a></td></tr>"
    assert tangled_at("<!-->" + f"<table>{row * 10_000}</table>" * 3) is None
    assert tangled_at("<div>" * 900 + "<p>" * 10_000) is None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["<b", "<a ", ">", "'", '"', "=", "<!--", "-->", "--!>", "</b", "<!", "x", " "]), max_size=6
    )
)
def test_finding_is_linear_whatever_the_text(pieces: list[str]) -> None:
    """A guard that is quadratic itself would be the hole."""
    unit = "".join(pieces) or "<"
    text = (unit * (500_000 // len(unit)))[:500_000]
    started = time.process_time()
    tangled_at(text)
    assert time.process_time() - started < 1.5  # 0.3 s at most here
