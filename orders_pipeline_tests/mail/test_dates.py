"""Dates of mail, and which one counts."""

from __future__ import annotations

import datetime as dt

import pytest

from orders_pipeline.mail.dates import parse_date
from orders_pipeline.mail.file_dates import received_at_of
from orders_pipeline.mail.mbox_format import read_from_line

NOW = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Mon, 11 May 2026 08:15:30 +0200", "2026-05-11T06:15:30"),
        ("Mon, 11 May 2026 08:15:30 -0000", "2026-05-11T08:15:30"),
        ("11 May 2026 08:15 EST", "2026-05-11T13:15:00"),
        ("Mon, 11 May 2026 08:15:30 +0200 (CEST)", "2026-05-11T06:15:30"),
        ("Mon, 11 May 2026 23:59:60 +0000", "2026-05-11T23:59:59"),
        ("Montag, 11. Mai 2026 08:15", "2026-05-11T08:15:00"),
        ("lun. 11 mai 2026 à 08:15", "2026-05-11T08:15:00"),
        ("jue, 30 ago 2018 10:00:00 +0200", "2018-08-30T08:00:00"),
        ("lunedì 11 maggio 2026 08:15:30 UTC+2", "2026-05-11T06:15:30"),
        ("11 de mayo de 2026, 8:15", "2026-05-11T08:15:00"),
        ("Mon, May 11, 2026 at 8:15 PM", "2026-05-11T20:15:00"),
        ("Monday, May 11, 2026 12:05 AM", "2026-05-11T00:05:00"),
        ("2026年5月11日(月) 8:15", "2026-05-11T08:15:00"),
        ("2026-05-11T08:15:30+02:00", "2026-05-11T06:15:30"),
        ("11.05.2026 08:15", "2026-05-11T08:15:00"),
        ("5/11/2026 8:15 AM", "2026-05-11T08:15:00"),
        ("5/25/2026", "2026-05-25T00:00:00"),
    ],
)
def test_dates_of_headers_and_clients_are_read(text: str, wanted: str) -> None:
    """A forwarded order keeps its own date only if the client's spelling of it is known."""
    parsed = parse_date(text)
    assert parsed is not None
    assert parsed == dt.datetime.fromisoformat(wanted).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize("text", ["", "32 Jan 2026", "soon", "Mon, 11 May", "99999999999999", "0", None, "٣"])
def test_what_is_no_date_is_none(text: str | None) -> None:
    """A date made up from rubbish files the mail on a wrong day."""
    assert parse_date(text) is None


HEAD = b"Received: by mx; Tue, 12 May 2026 10:00:00 +0000\nReceived: by a; Mon, 1 Jan 2001 00:00:00 +0000\n"
DATE = b"Date: Wed, 13 May 2026 10:00:00 +0000\n"
FILE_TIME = dt.datetime(2026, 5, 14, 10, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("from_line", "head", "day"),
    [
        (b"From a@b Mon May 11 10:00:00 2026\nX: y\n", HEAD + DATE, 11),
        (b"From - Mon May 11 10:00:00 2026\nX: y\n", HEAD + DATE, 12),  # when a client made its copy
        (b"From - Mon May 11 10:00:00 2026\nX: y\n", b"Subject: x\n", 11),
        (b"", HEAD + DATE, 12),
        (b"", DATE, 13),
        (b"", b"Received: by mx; Tue, 12 May 2096 10:00:00 +0000\n" + DATE, 13),
        (b"", b"Received: by mx; no date\nDate: Wed, 14 Jun 100\n", 14),
        (b"", b"Received: by mx\nDate: Thu, 1 Jan 1970 00:00:00 +0000\n", 14),
        (b"", b"", 14),
    ],
)
def test_the_first_date_that_can_be_meant_is_the_arrival(from_line: bytes, head: bytes, day: int) -> None:
    """Date is the sender's; the last mail server is ours."""
    line = read_from_line(from_line)
    found = received_at_of(head + b"\nbody", from_line=line, file_time=FILE_TIME, now=NOW)
    assert found == dt.datetime(2026, 5, day, 10, tzinfo=dt.UTC)


def test_without_any_usable_date_there_is_no_arrival() -> None:
    """Such a mail is listed as unplaced, not filed under 1970."""
    assert received_at_of(b"Date: never\n\n", from_line=None, file_time=None, now=NOW) is None
