"""Answers are read as they were sent, in whatever pieces they come, in bounded time and memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.mail.imap.answers import date_of, fetch_items, row_of, tokens
from orders_pipeline.mail.imap.structure import structure_lines
from orders_pipeline.mail.imap.wire import ConnectionLost, Oversize, Refused, Wire, quoted


class Sent:
    """The far end: gives bytes in pieces of the given sizes, then an end; time passes with each read."""

    def __init__(self, data: bytes, sizes: list[int], *, seconds: float = 0.0) -> None:
        self._data, self._sizes, self._seconds = data, sizes, seconds
        self.now = 0.0
        self._reads = 0

    def read1(self, size: int) -> bytes:
        self.now += self._seconds
        size = min(size, self._sizes[self._reads % len(self._sizes)])
        self._reads += 1
        piece, self._data = self._data[:size], self._data[size:]
        return piece


def wire(data: bytes, sizes: list[int], *, seconds: float = 0.0, max_literal: int = 1000) -> Wire:
    sent = Sent(data, sizes, seconds=seconds)
    return Wire(sent, lambda line: None, timeout=10, max_literal=max_literal, clock=lambda: sent.now)


@given(st.binary(max_size=300), st.lists(st.integers(1, 40), min_size=1, max_size=8))
def test_the_pieces_in_which_bytes_come_change_nothing(body: bytes, sizes: list[int]) -> None:
    """A literal that is cut at the wrong place makes one message of two."""
    answer = b"* 1 FETCH (UID 7 BODY[] {%d}\r\n%s FLAGS ())\r\n* 2 EXISTS\r\nW1 OK done\r\n" % (len(body), body)
    answers = list(wire(answer, sizes).command(b"NOOP"))
    assert answers == [[b"* 1 FETCH (UID 7 BODY[] ", body, b" FLAGS ())"], [b"* 2 EXISTS"]]
    items = fetch_items(answers[0])
    assert items is not None
    assert (items[b"UID"], items[b"BODY[]"]) == (b"7", body)


@pytest.mark.parametrize("head", [b"* 1 FETCH (UID 7 BODY[] ", b"* 12 fetch (uid 7 Body[Header] "])
def test_the_answer_that_most_bodies_come_in_is_read_as_any_other(head: bytes) -> None:
    """It has a shorter way of its own: what that way says must be what the long one says."""
    short = fetch_items([head, b"body", b")"])
    assert short == fetch_items([head, b"body", b" )"])
    assert short is not None
    assert short[b"UID"] == b"7"


@given(st.binary(max_size=400))
def test_nonsense_is_an_error_of_the_connection(noise: bytes) -> None:
    """Whatever a server sends: answers, or one of two errors; never another one, never a wait without end."""
    try:
        for answer in wire(noise + b"\r\nW1 OK\r\n", [7]).command(b"NOOP"):
            row_of(answer)
            items = fetch_items(answer)
            structure_lines((items or {}).get(b"BODYSTRUCTURE"))
    except (ConnectionLost, Refused):
        pass


@given(st.text(alphabet='()"\\ {}ab1\n', max_size=200))
def test_any_text_has_tokens(text: str) -> None:
    """Brackets and quotes that do not match must not stop the reader."""
    tokens([text.encode()])
    structure_lines(tokens([text.encode()]))


@pytest.mark.parametrize("unit", [b'"\\', b"(", b")", b'"', b"{1} ", b"a "])
def test_long_answers_take_time_in_proportion(unit: bytes) -> None:
    """One line of a few megabytes must not take minutes."""
    structure_lines(tokens([b"* 1 FETCH (BODYSTRUCTURE " + unit * (2_000_000 // len(unit))]))


def test_what_is_larger_than_the_limit_is_read_past() -> None:
    """A literal of the wrong size must not fill the memory, nor spoil what comes after."""
    data = b"* 1 FETCH (UID 1 BODY[] {5000}\r\n" + b"x" * 5000 + b")\r\n* 2 EXISTS\r\nW1 OK\r\n"
    answers = list(wire(data, [100]).command(b"NOOP"))
    assert isinstance(answers[0][1], Oversize)
    assert answers[0][1].size == 5000
    assert answers[1] == [b"* 2 EXISTS"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "closed the connection"),
        (b"* BYE over and out\r\n", "ended the connection: over and out"),
        (b"HTTP/1.1 400 Bad Request\r\n", "makes no sense"),
        (b"* 1 FETCH (BODY[] {99999999999999}\r\n", "announces 99999999999999 bytes"),
        (b"* 1 FETCH (BODY[] {10}\r\nabc", "closed the connection"),
    ],
)
def test_why_a_connection_is_lost_is_told(data: bytes, why: str) -> None:
    """ "Connection error" helps nobody."""
    with pytest.raises(ConnectionLost, match=why):
        list(wire(data, [1000]).command(b"NOOP"))


def test_a_server_that_sends_a_byte_at_a_time_is_stalling() -> None:
    """Each byte restarts a socket's timeout: a day could hang on one message for weeks."""
    with pytest.raises(ConnectionLost, match=r"the server sent \d+ bytes in 1\d s"):
        list(wire(b"* 1 FETCH (UID 1 BODY[] {900}\r\n" + b"x" * 900, [1], seconds=1.0).command(b"NOOP"))


def test_a_server_that_only_says_that_it_is_still_there_is_given_up() -> None:
    """Dovecot says "Still here" while it works; a server that does so for ever is not working."""
    with pytest.raises(ConnectionLost, match="without end"):
        list(wire(b"* OK Still here\r\n" * 1000, [17], seconds=1.0).command(b"NOOP"))


def test_an_answer_that_nobody_read_spoils_the_connection() -> None:
    """Half an answer must not be taken for the next one."""
    link = wire(b"* 1 EXISTS\r\nW1 OK\r\nW2 OK\r\n", [100])
    assert next(iter(link.command(b"NOOP"))) == [b"* 1 EXISTS"]
    assert link.is_busy
    with pytest.raises(ConnectionLost, match="not read to its end"):
        list(link.command(b"NOOP"))


def test_a_refusal_carries_its_code_and_leaves_the_connection_usable() -> None:
    """A folder that does not exist is no reason to connect again."""
    link = wire(b"W1 NO [NONEXISTENT] no {5}\r\nW2 OK\r\n", [100])
    with pytest.raises(Refused) as refused:
        list(link.command(b"EXAMINE x"))
    assert (refused.value.status, refused.value.code) == ("NO", "NONEXISTENT")
    assert list(link.command(b"NOOP")) == []


def test_words_for_people_may_end_like_a_literal() -> None:
    """``* OK take care {5}`` announces nothing."""
    assert list(wire(b"* OK take care {5}\r\nW1 OK\r\n", [100]).command(b"NOOP")) == [[b"* OK take care {5}"]]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (b"11-May-2026 00:30:00 +0000", 1778459400),
        (b"11-May-2026 14:30:00 +1400", 1778459400),
        (b"10-May-2026 12:30:00 -1200", 1778459400),
        (b" 1-Jan-1970 00:00:00 +0000", 0),
        (b"30-Jun-2015 23:59:60 +0000", 1435708799),
        (b"32-Jan-2026 00:00:00 +0000", None),
        (b"01-Jan-0000 00:00:00 +0000", None),
        (b"yesterday", None),
        (None, None),
    ],
)
def test_dates_of_arrival(text: bytes | None, seconds: int | None) -> None:
    """The zone is part of the date; what is no date is none."""
    assert date_of(text) == seconds


def test_a_quoted_string_holds_no_line_break() -> None:
    """A folder's name must not become a second command."""
    assert quoted(b'a"b\\c') == b'"a\\"b\\\\c"'
    with pytest.raises(ValueError, match="line break"):
        quoted(b"INBOX\r\nW2 DELETE x")


def test_a_structure_is_shown_a_line_a_part() -> None:
    """Of a mail whose body is left out, what it held is still told."""
    text = (
        b'((("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 12 1)'
        b'("TEXT" "HTML" NIL NIL NIL "7BIT" 30 2) "ALTERNATIVE")'
        b'("APPLICATION" "PDF" ("NAME" "old.pdf") NIL NIL "BASE64" 1234567 NIL '
        b'("ATTACHMENT" ("FILENAME" "invoice.pdf")))'
        b'("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 99 (NIL NIL) ("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1) 3) "MIXED")'
    )
    assert structure_lines(tokens([text])[0]) == [
        "text/plain, 12 bytes",
        "text/html, 30 bytes",
        "application/pdf, 1234567 bytes, invoice.pdf",
        "message/rfc822, 99 bytes",
        "text/plain, 5 bytes",
    ]
