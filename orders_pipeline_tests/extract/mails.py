"""Building ``Email`` values for the tests of extraction.

Belongs here: short constructors. Not here: mail texts, assertions.
"""

from __future__ import annotations

import datetime as dt
from email.utils import parseaddr
from typing import Any

from orders_pipeline.config import ParseSettings
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.models import Address, Email, ParsedOrder, ParseResult

DAY = "2026-05-11"


def mail(sender: str, subject: str, lines: str, *, day: str = DAY, html: str = "", **more: Any) -> Email:
    """A message whose HTML rendering is ``lines`` (tabs part cells); ``html`` is its source when that matters."""
    name, address = parseaddr(sender)
    when = dt.datetime.fromisoformat(f"{day}T10:00:00+00:00")
    return Email(
        message_id="0" * 64, subject=subject, sender=Address(name=name, address=address or sender), sent_at=when,
        html_text=lines, html=html, **more,
    )  # fmt: skip


def parse(email: Email, **more: Any) -> ParseResult:
    """Parse with no settings."""
    return parse_message(email, ParseSettings(), **more)


def only_order(email: Email, **more: Any) -> ParsedOrder:
    """The one order of a message that must have one."""
    result = parse(email, **more)
    assert len(result.orders) == 1, result
    return result.orders[0]
