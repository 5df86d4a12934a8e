"""What decides that a mail is about an order, read until nothing that is to come can make it one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.config import ParseSettings
from orders_pipeline.extract import parser
from orders_pipeline.extract.classify import judge_kind, within_reach
from orders_pipeline.extract.extractor import WEIGHED, Extractor, Reading, could_be
from orders_pipeline.extract.registry import EXTRACTORS
from orders_pipeline.extract.view import View, build_view
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Outcome
from orders_pipeline_tests.extract.mails import mail

_FIXTURES = Path(__file__).parent.parent / "fixtures"
READINGS = st.lists(
    st.builds(
        could_be,
        st.sampled_from([*WEIGHED, "item", "merchant"]),
        source=st.sampled_from(["text", "html", "subject", "header", "markup"]),
        strength=st.sampled_from([0.1, 0.3, 0.5, 0.55, 0.7, 0.75, 0.85, 0.9, 1.0]),
    ),
    max_size=6,
)
VIEWS = [
    build_view(mail("Orders <orders@shop.example>", "Your receipt", "Order 1"), "UTC"),
    build_view(mail("DHL <noreply@dhl.de>", "Ihr Paket", "Sendung"), "UTC"),
]


@cache
def _views() -> tuple[View, ...]:
    return tuple(
        build_view(parse_email(path.read_bytes(), message_id="0" * 64), "UTC")
        for path in sorted(_FIXTURES.rglob("*.eml"))
    )


def _read(extractor: Extractor) -> Iterator[Reading]:
    for view in _views():
        if extractor.matches(view):
            yield from extractor.extract(view)


@pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda extractor: extractor.name)
def test_no_extractor_tells_more_of_what_decides_than_it_says(extractor: Extractor) -> None:
    """Reading would stop before the reading that makes the mail one about an order."""
    most = {(r.field, _kind(r)): r.strength for r in extractor.most}
    for reading in _read(extractor):
        if reading.field in WEIGHED or (reading.field == "item" and reading.source == "markup"):
            assert reading.strength <= most[reading.field, _kind(reading)], reading


def _kind(reading: Reading) -> str:
    """What the score tells apart: of statuses also the place."""
    if reading.source == "markup":
        return "markup"
    places = {"subject": "subject", "header": "header"} if reading.field == "status" else {}
    return places.get(reading.source, "text")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(VIEWS), READINGS, READINGS, st.floats(0, 1))
def test_what_is_in_reach_stays_in_reach_with_more_readings(
    view: View, some: list[Reading], more: list[Reading], less: float
) -> None:
    """A mail would be let go though a later reading brings it above the threshold."""
    weaker = [replace(r, strength=r.strength * less) for r in some]
    assert within_reach(view, [*some, *more], ()) or not within_reach(view, weaker, ())


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(VIEWS), READINGS)
def test_what_is_out_of_reach_is_judged_no_order(view: View, readings: list[Reading]) -> None:
    """The early end would say no to what the judgement says yes to."""
    assert within_reach(view, readings, ()) or not judge_kind(view, readings).order


def test_the_judgement_is_that_of_all_readings() -> None:
    """Mail would count as something else when reading ends early."""
    for view in _views():
        everything = [r for extractor in EXTRACTORS if extractor.matches(view) for r in extractor.extract(view)]
        judgement, early = judge_kind(view, everything), judge_kind(view, parser.read_signs(view))
        assert (early.order, early.reason, early.words) == (judgement.order, judgement.reason, judgement.words)


def test_mail_without_a_word_of_order_is_let_go_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two mails of three are such: reading them takes most of a backfill's time."""
    read: list[str] = []
    for extractor in EXTRACTORS:
        monkeypatch.setattr(type(extractor), "extract", lambda self, view: read.append(self.name) or [])
    letter = mail("Ann <ann@people.example>", "Sunday", "Shall we meet at the track? I have 00340434161094042557.")
    assert parser.parse_message(letter, ParseSettings()).outcome is Outcome.NOT_ORDER
    assert read == []
