"""Dates in mail: the Date header, the last part of Received, and what people's clients write above a forward.

Belongs here: text to an aware datetime, and which of several dates says when a mail arrived. Not here: file access,
the From_ line (mbox_format), dates of orders.
Dates are the sender's claim: 'Wed, 14 Jun 100', '32 Jan', a month in Polish. What cannot be meant is None.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from email.utils import parsedate_tz

from orders_pipeline.mail.month_names import MONTHS

EARLIEST = dt.datetime(1990, 1, 1, tzinfo=dt.UTC)
AHEAD = dt.timedelta(days=1)
MAX_DATE_TEXT = 200

_ISO = re.compile(r"\b(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})")
_DAY_MONTH = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th|er|\.|º|°)?[\s-]{0,3}(?:de |of )?([^\W\d_]{3,12})\.?,?[\s-]{0,3}(?:de |del )?(\d{4})\b"
)
_MONTH_DAY = re.compile(
    r"\b([^\W\d_]{3,12})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s+[A-Z]{1,5})?)?,?\s{1,3}(?:[+-]\d{4}\s)?(\d{4})\b"
)
_NUMERIC = re.compile(r"\b(\d{1,2})([./-])(\d{1,2})[./-](\d{4})\b")
_TIME = re.compile(r"(?<!\d)(\d{1,2})[:h](\d{2})(?::(\d{2}))?(?:\s{0,2}([aApP])\.?\s?[mM])?")
# The standard library reads "8:15 PM" as the morning and ISO 8601 as a clock: it is asked about its own form alone.
_RFC5322 = re.compile(r"\b\d{1,2}[\s-]{1,3}[A-Za-z]{3}")
_TWELVE_HOURS = re.compile(r"(?i)\d\s{0,2}[ap]\.?\s?m\b")
_NAMES_ZONE = re.compile(r"\d:\d{2}\s{0,3}(?:[+-]\d|[A-Za-z])")
_OFFSET = re.compile(r"(?:UTC|GMT)?\s?([+-])(\d{1,2}):?(\d{2})?\b")


def usable(instant: dt.datetime | None, *, now: dt.datetime) -> bool:
    """Whether a date can be meant: not before 1990, not more than a day after ``now``."""
    return instant is not None and EARLIEST <= instant <= now + AHEAD


def first_usable(candidates: Iterable[dt.datetime | None], *, now: dt.datetime) -> dt.datetime | None:
    """The first candidate that can be meant; candidates are given in order of trust and asked for one by one."""
    return next((c for c in candidates if c is not None and usable(c, now=now)), None)


def parse_date(text: str | None, *, zone: dt.timezone = dt.UTC) -> dt.datetime | None:
    """A date as mail headers and clients write it, aware, in UTC; ``zone`` is meant when it names none. None when it
    is no date."""
    text = (text or "")[:MAX_DATE_TEXT].strip()
    if not any(c.isdecimal() for c in text):
        return None
    standard = _standard(text, zone) if _RFC5322.search(text) and not _TWELVE_HOURS.search(text) else None
    return standard or _loose(text, zone)


def received_date(value: str | None) -> dt.datetime | None:
    """The date of one Received header: what stands after its last semicolon."""
    return parse_date((value or "").rpartition(";")[2]) if value and ";" in value else None


def offset_of(text: str | None) -> dt.timezone:
    """The offset from UTC that a Date header names; UTC when it names none."""
    match = _TIME.search(text) if (text := (text or "")[:MAX_DATE_TEXT]) else None
    return _zone(_OFFSET.search(text[match.end() :]) if match else None, dt.UTC)


def _standard(text: str, zone: dt.timezone) -> dt.datetime | None:
    try:
        fields = parsedate_tz(text)
        if fields is None:
            return None
        year, month, day, hour, minute, second, *_, offset = fields
        if year < 1900:
            return None
        if offset or _NAMES_ZONE.search(text):  # the library says 0 also where none is named
            zone = dt.timezone(dt.timedelta(seconds=offset or 0))
        return _checked(year, month, day, (hour, minute, min(second, 59)), zone)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _loose(text: str, zone: dt.timezone) -> dt.datetime | None:
    day = _calendar_day(text)
    if day is None:
        return None
    rest = _OFFSET.search(text[match.end() :]) if (match := _TIME.search(text)) else None
    hour = minute = second = 0
    if match:
        hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
        if match[4]:
            hour = hour % 12 + (12 if match[4] in "pP" else 0)
    return _checked(*day, (hour, minute, second), _zone(rest, zone))


def _calendar_day(text: str) -> tuple[int, int, int] | None:
    if match := _ISO.search(text):
        return int(match[1]), int(match[2]), int(match[3])
    for match in _DAY_MONTH.finditer(text):
        if month := MONTHS.get(match[2].lower()):
            return int(match[3]), month, int(match[1])
    for match in _MONTH_DAY.finditer(text):
        if month := MONTHS.get(match[1].lower()):
            return int(match[3]), month, int(match[2])
    if match := _NUMERIC.search(text):
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        # 05/06 alone tells no order; a 12-hour clock does: those who write it put the month first.
        month_first = second > 12 or (match[2] == "/" and first <= 12 and _TWELVE_HOURS.search(text))
        return (year, first, second) if month_first else (year, second, first)
    return None


def _zone(match: re.Match[str] | None, default: dt.timezone) -> dt.timezone:
    if match is None:
        return default
    minutes = int(match[2]) * 60 + int(match[3] or 0)
    if minutes >= 15 * 60:
        return dt.UTC
    return dt.timezone(dt.timedelta(minutes=-minutes if match[1] == "-" else minutes))


def _checked(year: int, month: int, day: int, time: tuple[int, int, int], zone: dt.timezone) -> dt.datetime | None:
    """In UTC: the first and last days of the calendar have no instant in every zone."""
    try:
        return dt.datetime(year, month, day, *time, tzinfo=zone).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None
