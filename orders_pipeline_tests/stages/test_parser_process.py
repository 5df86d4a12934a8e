"""A message that never comes back, takes all memory or kills its process costs its own outcome only."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, parse_bytes
from orders_pipeline.stages.parser_process import SMALL_BYTES, ParserProcess
from orders_pipeline_tests.extract.test_bounds import MARKS, WORDS
from orders_pipeline_tests.mail.test_hostile_mail import PIECES
from orders_pipeline_tests.stages.hostile import HTML, PLAIN
from orders_pipeline_tests.stages.misbehaving import misbehaves

LARGE = PLAIN + b"\r\n" * SMALL_BYTES

TAGS = (b"<ul><li>", b"<div>", b"</x>", b"<!--", b"<b class=1>", b"<svg>", b"<nobr>", b"<textarea>", b"<select>")
UNITS = [*PIECES, *(word.encode() for word in (*WORDS, *MARKS)), *TAGS]
PLACES = (PLAIN + b"HERE", HTML + b"HERE", b"To: HERE\r\n" + PLAIN, b"X: HERE\r\n" + HTML, b"HERE\r\n" + PLAIN)


@pytest.fixture(scope="module")
def parser() -> Iterator[ParserProcess[ParsedMessage]]:
    with ParserProcess(misbehaves) as parser:
        yield parser


def outcome(parser: ParserProcess[ParsedMessage], message_id: str, raw: bytes = LARGE) -> tuple[str, str]:
    row = parser.parse(RawMessage(message_id, raw), ParseContext()).outcome_row
    assert row["message_id"] == message_id
    return row["outcome"], row["reason"]


@pytest.mark.parametrize("kind", ["number", "pattern"])
def test_a_message_that_does_not_come_back_is_ended(parser: ParserProcess[ParsedMessage], kind: str) -> None:
    """No check between steps is ever reached while one call into C runs: the day would hang."""
    started = time.monotonic()
    assert outcome(parser, kind) == ("failed", "took more than 2 s")
    assert time.monotonic() - started < 30  # 2.5 s here; only its processor time counts
    assert outcome(parser, "next") == ("parsed", "order_found")


def test_a_message_that_kills_its_process_fails_at_once(parser: ParserProcess[ParsedMessage]) -> None:
    """The run would die with it, and be tried again."""
    assert outcome(parser, "dies") == ("failed", "killed the parser")
    assert outcome(parser, "next") == ("parsed", "order_found")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts a process's data")
def test_a_message_that_takes_all_memory_fails(parser: ParserProcess[ParsedMessage]) -> None:
    """A small container would kill the run."""
    assert outcome(parser, "memory") == ("failed", "took more than 200 MB")
    assert outcome(parser, "next") == ("parsed", "order_found")


def test_small_messages_need_no_process() -> None:
    """One mail on the command line would take twice as long."""
    with ParserProcess(parse_bytes) as parser:
        assert outcome(parser, "small", PLAIN) == ("parsed", "order_found")
        assert parser._workers == []


def test_a_process_that_cannot_start_blames_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed outcome would stand although nothing is wrong with the mail."""
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setenv("PYTHONHOME", os.devnull)
    with ParserProcess(parse_bytes) as parser, pytest.raises((OrdersPipelineError, OSError)):
        outcome(parser, "innocent")


def test_a_closed_parser_starts_again_when_asked() -> None:
    """A run that closes in an error path and goes on would fail each message."""
    parser = ParserProcess(parse_bytes)
    parser.close()
    assert outcome(parser, "1") == ("parsed", "order_found")
    parser.close()
    parser.close()


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(UNITS), min_size=1, max_size=4).map(b"".join), st.sampled_from(PLACES))
def test_a_small_message_of_anything_repeated_is_parsed_soon(unit: bytes, place: bytes) -> None:
    """Nothing ends a small message from outside: its size alone must bound it."""
    raw = place.replace(b"HERE", unit * (SMALL_BYTES // len(unit)))[:SMALL_BYTES]
    started = time.process_time()
    parse_bytes(RawMessage("0" * 64, raw), ParseContext())
    assert time.process_time() - started < 1.5  # 0.2 s at most here, with what is compiled once
