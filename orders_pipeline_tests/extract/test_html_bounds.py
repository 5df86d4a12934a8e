"""Where HTML is cut before it is parsed."""

from __future__ import annotations

import time

import pytest

from orders_pipeline.extract.html_bounds import MAX_HTML, bounded_html
from orders_pipeline.extract.schema_nodes import schema_nodes
from orders_pipeline.extract.view import build_view
from orders_pipeline.models import Email

ROW = "<tr><td><b>Total</b></td><td><a href='https://shop.example/1'>1.00</a></td></tr>"


def test_sane_html_of_any_length_stays_whole() -> None:
    """A long order would lose the links of its last parcels."""
    html = f"<table>{ROW * 10_000}</table>"
    assert bounded_html(html) == html
    assert len(bounded_html("x" * MAX_HTML * 2)) == MAX_HTML


TANGLES = {
    "deep": "<div>" * 300_000,
    "open formatting": "".join(f"<b class={i}><p>" for i in range(100_000)),
    "open links": "<a href=x>" * 150_000,
}


@pytest.mark.parametrize("html", TANGLES.values(), ids=TANGLES.keys())
def test_tangled_html_costs_little(html: str) -> None:
    """Parsing it whole takes minutes, and nothing can interrupt it."""
    html = "<a href='https://shop.example/track'>http://schema.org</a>" + html
    started = time.process_time()
    assert build_view(Email(message_id="1", html=html), "UTC").links[0] == "https://shop.example/track"
    schema_nodes(html)
    assert time.process_time() - started < 1.5  # 0.3 s here
