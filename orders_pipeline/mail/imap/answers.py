"""What the server's answers say.

Belongs here: answers to plain data. Never raises for what a server sends: an answer that is none of the asked kind is
None. Not here: asking.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from orders_pipeline.mail.imap.wire import Answer

Token = bytes | None | list["Token"]

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
# A string without an end takes the rest with it: tried again at each quote it would cost the square of its length.
_TOKEN = re.compile(rb'[ \t]*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+)|".*)', re.DOTALL)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_MAX_DEPTH = 200
_ROW = re.compile(
    rb'(?i)\* (\d{1,10}) FETCH \((?:UID (\d{1,10})|INTERNALDATE "([^"]{0,40})"|RFC822\.SIZE (\d{1,18})'
    rb"|MODSEQ \(\d{1,20}\)| )*\)$"
)
_ONE_LITERAL = re.compile(rb"(?i)\* \d{1,10} FETCH \(UID (\d{1,19}) ([A-Z]{1,20}\[[A-Z]{0,20}\]) $")
_DATE = re.compile(rb" ?(\d{1,2})-([A-Za-z]{3})-(\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$")
_MONTHS = {name: n for n, name in enumerate(b"jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
_CODE = re.compile(rb"(?i)\* OK \[(UIDVALIDITY|UIDNEXT|HIGHESTMODSEQ) (\d{1,20})\]")
_COUNT = re.compile(rb"(?i)\* (\d{1,10}) (EXISTS|EXPUNGE)\b")


@dataclass(frozen=True, slots=True)
class Status:
    """A folder's state. The same four numbers at two times, the last among them, mean the same messages."""

    validity: int | None = None
    next_uid: int | None = None
    messages: int | None = None
    modseq: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """What a listing asks of one message; ``arrived`` is in seconds since 1970, None when it is no date."""

    number: int
    uid: int
    arrived: int | None
    size: int | None


def tokens(answer: Answer) -> list[Token]:
    """The parts of an answer: atoms and strings as bytes, NIL as None, lists as lists."""
    top: list[Token] = []
    open_lists = [top]
    for index, piece in enumerate(answer):
        if index % 2:
            open_lists[-1].append(piece)
            continue
        for match in _TOKEN.finditer(piece):
            bracket, string, atom = match.groups()
            if atom is not None:
                open_lists[-1].append(None if atom.upper() == b"NIL" else atom)
            elif string is not None:
                open_lists[-1].append(_ESCAPED.sub(rb"\1", string) if b"\\" in string else string)
            elif bracket == b"(":
                if len(open_lists) > _MAX_DEPTH:
                    return top
                inner: list[Token] = []
                open_lists[-1].append(inner)
                open_lists.append(inner)
            elif bracket == b")" and len(open_lists) > 1:
                open_lists.pop()
    return top


def fetch_items(answer: Answer) -> dict[bytes, Token] | None:
    """The items of a FETCH answer by name in capitals; None for another answer."""
    # What nearly every answer with content looks like, without the half of the work that takes it apart.
    if len(answer) == 3 and answer[2] == b")" and (match := _ONE_LITERAL.match(answer[0])):
        return {b"UID": match[1], match[2].upper(): answer[1]}
    if not re.match(rb"(?i)\* \d{1,10} FETCH \(", answer[0]):
        return None
    items = tokens(answer)[3]
    if not isinstance(items, list):
        return None
    names = items[::2]
    return {name.upper(): value for name, value in zip(names, items[1::2], strict=False) if isinstance(name, bytes)}


def row_of(answer: Answer) -> Row | None:
    """The row of a FETCH answer; None when it is another answer, or names no UID (flags that somebody changed)."""
    if match := _ROW.match(answer[0]):
        number, uid, date, size = match.groups()
        if uid is None:
            return None
        return Row(int(number), int(uid), date_of(date), int(size) if size is not None else None)
    items = fetch_items(answer)
    if items is None or (uid := number_of(items.get(b"UID"))) is None:
        return None
    number = int(answer[0].split(b" ", 2)[1])
    return Row(number, uid, date_of(items.get(b"INTERNALDATE")), number_of(items.get(b"RFC822.SIZE")))


def date_of(value: Token) -> int | None:
    """An INTERNALDATE as seconds since 1970; None when it is no date."""
    match = _DATE.match(value) if isinstance(value, bytes) else None
    if match is None:
        return None
    day, month, year, hour, minute, second, sign, ahead, past = match.groups()
    try:
        local = dt.datetime(
            int(year), _MONTHS[month.lower()], int(day), int(hour), int(minute), min(int(second), 59), tzinfo=dt.UTC
        )
    except (ValueError, KeyError):
        return None
    offset = (int(ahead) * 60 + int(past)) * 60
    return (local - _EPOCH) // dt.timedelta(seconds=1) + (offset if sign == b"-" else -offset)


def number_of(value: Token) -> int | None:
    """A number; None for anything else."""
    return int(value) if isinstance(value, bytes) and value.isdigit() and len(value) < 20 else None


def examined(answers: list[Answer]) -> Status:
    """The state of a folder as the answers to EXAMINE tell it."""
    found: dict[bytes, int] = {}
    for answer in answers:
        if match := _CODE.match(answer[0]):
            found[match[1].upper()] = int(match[2])
        elif (match := _COUNT.match(answer[0])) and match[2].upper() == b"EXISTS":
            found[b"MESSAGES"] = int(match[1])
    return _status(found)


def status_of(answer: Answer) -> tuple[bytes, Status] | None:
    """The folder (as the server writes it) and its state from a STATUS answer; None for another answer."""
    if not answer[0][:9].upper().startswith(b"* STATUS "):
        return None
    parts = tokens(answer)
    if len(parts) < 4 or not isinstance(parts[2], bytes) or not isinstance(parts[3], list):
        return None
    names, values = parts[3][::2], parts[3][1::2]
    found: dict[bytes, int] = {}
    for name, value in zip(names, values, strict=False):
        if isinstance(name, bytes) and (number := number_of(value)) is not None:
            found[name.upper()] = number
    return parts[2], _status(found)


def is_expunge(answer: Answer) -> bool:
    """Whether it says that a message is gone, so that all later ones have other sequence numbers."""
    match = _COUNT.match(answer[0])
    return (match is not None and match[2].upper() == b"EXPUNGE") or answer[0][:11].upper() == b"* VANISHED "


def searched(answers: list[Answer]) -> list[int]:
    """The UIDs of a SEARCH answer."""
    found: list[int] = []
    for answer in answers:
        if re.match(rb"(?i)\* SEARCH\b", answer[0]):
            found += [int(word) for word in answer[0].split()[2:] if word.isdigit() and len(word) < 11]
    return found


def _status(found: dict[bytes, int]) -> Status:
    return Status(
        validity=found.get(b"UIDVALIDITY"),
        next_uid=found.get(b"UIDNEXT"),
        messages=found.get(b"MESSAGES"),
        modseq=found.get(b"HIGHESTMODSEQ") or None,
    )
