"""Mail of the tests' own on a server, and windows to look at it.

Belongs here: what several test files of IMAP share. Not here: fixtures (conftest.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from orders_pipeline.models import Fetched, Listing, Window
from orders_pipeline_tests.mail.imap.dovecot import Account

DAY = dt.datetime(2026, 5, 11, tzinfo=dt.UTC)


def window(days: float = 1, *, start: dt.datetime = DAY) -> Window:
    return Window(start=start, end=start + dt.timedelta(days=days))


def mail(number: int, *, size: int = 0) -> bytes:
    """A message with CRLF; ``size`` pads its body."""
    body = b"".join(b"%070d\r\n" % n for n in range(size // 72))
    return b"From: orders@fennmark.example\r\nSubject: Order %d\r\n\r\nThank you.\r\n%s" % (number, body)


def fill(account: Account, count: int, *, label: str = "INBOX", size: int = 0) -> list[bytes]:
    """``count`` messages, a minute apart from the start of the day on; returns them."""
    raws = [mail(number, size=size) for number in range(count)]
    for number, raw in enumerate(raws):
        account.deliver(raw, DAY + dt.timedelta(minutes=number), label=label, flags="S" if number % 3 else "")
    return raws


def raws(items: Iterable[Fetched]) -> list[bytes]:
    """The bytes of what was fetched, in a fixed order; asserts that everything came whole."""
    found = []
    for item in items:
        assert item.raw is not None, item
        found.append(item.raw)
    return sorted(found)


def uids(listing: Listing) -> list[int]:
    """The UIDs listed."""
    return [int(ref.location.rsplit("/", 1)[1]) for ref in listing.refs]


def asks_for_body(line: bytes) -> bool:
    """Whether a command asks for whole messages."""
    return b"BODY.PEEK[]" in line
