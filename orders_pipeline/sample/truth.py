"""What is true of a sample mailbox, for tests to check against.

Belongs here: the records that ``write_sample_mailbox`` returns. Not here: how they come about.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from orders_pipeline.models import OrderStatus


class Trap(StrEnum):
    """A way in which a mail is out of the ordinary."""

    NO_MESSAGE_ID = "no_message_id"
    BROKEN_CHARSET = "broken_charset"
    BASE64_WHOLE = "base64_whole"
    HTML_ONLY = "html_only"
    JSON_LD = "json_ld"
    FORWARD = "forward"
    DUPLICATE = "duplicate"
    SAME_MESSAGE_ID = "same_message_id"
    MISPRINTED_TOTAL = "misprinted_total"
    UNPLACED = "unplaced"
    LATE_DATE = "late_date"  # the Date header names the day before


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueOrder:
    """One order as its mails tell it up to the last day; ``total`` is the printed one.

    ``adds_up`` is False when the printed total is not the sum of the printed lines.
    """

    merchant: str
    order_number: str
    status: OrderStatus
    total: Decimal
    currency: str
    tracking_numbers: tuple[str, ...]
    scenario: str
    adds_up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueMail:
    """One file. ``path`` is relative to the mailbox folder; ``day`` is None when no day can be told.

    ``kind`` is ``order``, ``parcel`` (a carrier's mail without order number) or a kind of noise. ``order`` is the key
    (merchant, order number) of the order that the mail tells of; None for noise. ``expected_delivery`` is the day that
    this mail prints.
    """

    path: str
    day: dt.date | None
    kind: str
    status: OrderStatus | None = None
    order: tuple[str, str] | None = None
    tracking_number: str | None = None
    expected_delivery: dt.date | None = None
    traps: tuple[Trap, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSummary:
    """``messages`` counts distinct messages (a copy is none), ``per_day`` those of each day that can be placed.

    ``written`` is the number of files that this call wrote: 0 when all were there. ``orders`` is keyed by
    (merchant, order number).
    """

    days: tuple[dt.date, ...]
    messages: int
    files: int
    written: int
    unplaced: int
    per_day: Mapping[dt.date, int]
    orders: Mapping[tuple[str, str], TrueOrder]
    mails: tuple[TrueMail, ...]
