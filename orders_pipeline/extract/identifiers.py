"""Order and tracking numbers as written after a label.

Belongs here: the shape of an identifier and what only looks like one. Not here: labels, carriers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_ID = 40

# What may stand between a label and its value: signs, brackets, a few small words. Bounded: linear.
_GLUE = re.compile(
    r"(?:[\s:.#*|=>\-–—・\"'“”„«»‘’「『【」』】〔〕\[\](){}]|№|n[°º]|nr\b\.?|no\b\.?"
    r"|(?:is|are|ist|lautet|wynosi|er|ar|est|es|e|è|son|to)(?=[\s:])|は|の|]){0,12}",
    re.IGNORECASE,
)
_ID = re.compile(r"(?<![^\W_])[A-Za-z0-9](?:[-_/.](?=[A-Za-z0-9])|[A-Za-z0-9]){2,39}(?![^\W_])(?!@|\.[a-z]{2,4}\b)")
_SPACED = re.compile(r"(?<!\d)\d{4}(?: \d{4}){2,6}(?: \d{1,3})?(?![\d ]*\d{5})")
_DATE = re.compile(
    r"(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d"
    r"|\d{1,2}[-/]?[A-Za-z]{3,9}[-/]?(?:20)?\d\d"
)
_PHONE = re.compile(r"(?:1[-.])?\d{3}[-.]\d{3}[-.]\d{4}|0\d{2,4}[-/]\d{5,8}")
_AFTER = re.compile(
    r"\s?(?:%|€|£|\$|円|点|個|items?\b|articles?\b|artikel\b|days?\b|tage?\b|am\b|pm\b|:\d\d|stk\b)", re.IGNORECASE
)
_LOCATOR = re.compile(r"(?=[A-Z0-9]*[A-Z])[A-Z0-9]{5,8}")
_ARROW = re.compile(r"\s*(?:→|⇒|->|=>|➡)\s*")


@dataclass(frozen=True, slots=True)
class FoundId:
    """An identifier; ``replaced`` is the number that it took the place of, when both are written with an arrow."""

    value: str
    start: int
    end: int
    replaced: str | None = None


def id_after(text: str, start: int, *, locator: bool = False, spaced: bool = False) -> FoundId | None:
    """The identifier that follows ``start`` in the same cell, with nothing but signs and small words between.

    ``locator`` also takes six letters without a digit (a record locator), ``spaced`` takes groups of four digits.
    """
    end = _cell_end(text, start)
    at = _glue_end(text, start, end)
    if spaced and (match := _SPACED.match(text, at, end)):
        return FoundId(match.group().replace(" ", ""), match.start(), match.end())
    match = _ID.match(text, at, end)
    hashed = text[at - 1 : at] == "#"  # "#2087" is no year
    if match is None or not (looks_like_id(match.group(), locator=locator) or (hashed and match.group().isdigit())):
        return None
    if _AFTER.match(text, match.end(), end):
        return None
    if (arrow := _ARROW.match(text, match.end(), end)) and (new := _ID.match(text, arrow.end(), end)):
        return FoundId(new.group()[:MAX_ID], match.start(), new.end(), replaced=match.group()[:MAX_ID])
    return FoundId(match.group()[:MAX_ID], match.start(), match.end())


def id_filling(text: str, start: int, end: int, *, locator: bool = False, spaced: bool = False) -> FoundId | None:
    """The identifier that fills a cell of its own, but for signs around it."""
    found = id_after(text, start, locator=locator, spaced=spaced)
    if found is None or found.end > end:
        return None
    rest = text[found.end : end].strip(" .,;:|\"'”」』】])*")
    return found if len(rest) <= 2 or re.match(r"\(|view\b|track\b|details\b", rest, re.IGNORECASE) else None


def looks_like_id(value: str, *, locator: bool = False) -> bool:
    """Whether a token can be a number of an order or parcel: digits in it, no date, no year alone, no amount."""
    if not any(c.isdigit() for c in value):
        return bool(locator and _LOCATOR.fullmatch(value))
    if _DATE.fullmatch(value) or _PHONE.fullmatch(value) or re.fullmatch(r"\d{1,3}[.,]\d\d|(?:19|20)\d\d", value):
        return False
    return sum(c.isalnum() for c in value) >= 3


def _glue_end(text: str, start: int, end: int) -> int:
    match = _GLUE.match(text, start, end)
    return match.end() if match else start


def _cell_end(text: str, start: int) -> int:
    ends = [e for e in (text.find("\t", start), text.find("\n", start)) if e >= 0]
    return min(ends, default=len(text))
