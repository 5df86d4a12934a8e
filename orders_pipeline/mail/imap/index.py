"""What is known of a folder: each UID and when it arrived, proven complete.

Belongs here: the index, and bringing it up to date by asking as little as proves that nothing is missing. Not here:
keeping it between runs (index_file.py), windows.

SEARCH by date is not used: servers take the date in a zone of their own, and some answer with too few. UIDs only grow
and an INTERNALDATE never changes, so that a folder is read once and then extended. FETCH by sequence number proves that
it is complete: numbers run from 1 to EXISTS, and each must be answered.
"""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from orders_pipeline.mail.imap.answers import Row, Status
from orders_pipeline.mail.imap.session import Renumbered, Session
from orders_pipeline.mail.imap.uid_sets import uid_sets
from orders_pipeline.mail.imap.wire import Refused

UNKNOWN = -(2**62)  # stands for an arrival that is no date
CHUNK = 5000
# The newest are asked again each time: a server that gives UIDs out again does so from the end.
TAIL = 100
_PASSES = 4
_MAX_ODD = 100
_DATE, _SIZE = b" INTERNALDATE", b" RFC822.SIZE"


class Incomplete(Exception):
    """The server does not name all of a folder's messages; the text says what it does."""


@dataclass(slots=True)
class FolderIndex:
    """The messages of a folder, in the order of their UIDs; ``arrived`` is in seconds since 1970, or ``UNKNOWN``.

    ``sizes`` are those of the newest. ``marks`` tell messages apart from earlier ones that had the same UID.
    """

    validity: int
    next_uid: int | None = None
    modseq: int | None = None
    uids: array[int] = field(default_factory=lambda: array("q"))
    arrived: array[int] = field(default_factory=lambda: array("q"))
    sizes: dict[int, int] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)

    def stands_for(self, status: Status) -> bool:
        """Whether the server proves that nothing changed since: with CONDSTORE every change moves the number."""
        mine = (self.validity, self.next_uid, len(self.uids), self.modseq)
        return self.modseq is not None and mine == (
            status.validity, status.next_uid, status.messages, status.modseq
        )  # fmt: skip

    def arrival(self, uid: int) -> int | None:
        """When a message arrived (or ``UNKNOWN``); None for a UID that is not here."""
        at = bisect.bisect_left(self.uids, uid)
        return self.arrived[at] if at < len(self.uids) and self.uids[at] == uid else None

    def add(self, row: Row, old: FolderIndex | None) -> None:
        """Append a row. Raises ``Renumbered`` when its UID is not above the last one."""
        if self.uids and row.uid <= self.uids[-1]:
            raise Renumbered
        self.uids.append(row.uid)
        self.arrived.append(UNKNOWN if row.arrived is None else row.arrived)
        if old is not None and (mark := old.mark_now(row)):
            self.marks[row.uid] = mark

    def mark_now(self, row: Row) -> str:
        """The mark of a row, given what was known of its UID before: a new one where it is another message.

        That takes another size as well, if that is known: there are servers whose dates move.
        """
        before, size = self.arrival(row.uid), self.sizes.get(row.uid)
        now = UNKNOWN if row.arrived is None else row.arrived
        same_size = size is not None and row.size is not None and size == row.size
        if before is None or before == now or same_size:
            return self.marks.get(row.uid, "")
        return f".{now}" if row.arrived is not None else ".x"


def refresh(
    session: Session, raw: bytes, known: FolderIndex | None, keep: Callable[[FolderIndex], object] = lambda index: None
) -> FolderIndex:
    """Open a folder and bring its index up to date. ``known`` may be old, or a part: what it holds is not asked again.

    ``keep`` is given what is proven so far, for another try on another connection. Raises ``Incomplete``, and what the
    session raises.
    """
    for number in range(_PASSES):
        # Messages that others delete meanwhile shift the numbers: begin again, at last from nothing.
        try:
            return _refreshed(session, raw, known if number < _PASSES - 1 else None, known, keep)
        except Renumbered:
            continue
    raise Incomplete("the server's sequence numbers change while they are read")


def _refreshed(
    session: Session,
    raw: bytes,
    known: FolderIndex | None,
    old: FolderIndex | None,
    keep: Callable[[FolderIndex], object],
) -> FolderIndex:
    status = session.examine(raw)
    count, validity = status.messages, status.validity
    if count is None or validity is None:
        what = "how many messages it holds" if count is None else "its UIDVALIDITY"
        raise Incomplete(f"the server does not tell {what}")
    if known is not None and known.stands_for(status):
        return known
    if old is not None and old.validity != validity:
        known = old = None
    index = FolderIndex(validity)
    if known is not None and known.uids:
        index = _extended(session, known, count)
        keep(index)
    for first in range(len(index.uids) + 1, count + 1, CHUNK):
        for row in read_rows(session, first, min(first + CHUNK - 1, count), _DATE):
            index.add(row, old)
        keep(index)
    if count:
        for row in read_rows(session, max(1, count - TAIL + 1), count, _SIZE):
            if row.size is not None:
                index.sizes[row.uid] = row.size
    index.next_uid, index.modseq = status.next_uid, status.modseq
    return index


def _extended(session: Session, known: FolderIndex, count: int) -> FolderIndex:
    """What of the known messages is still there, their newest asked again.

    When the message with the number N has the UID that was the Nth, then all before it are still there: none can have
    come among them.
    """
    last = min(count, len(known.uids))
    first = max(1, last - TAIL + 1)
    index = FolderIndex(known.validity)
    if not last:
        return index
    newest = read_rows(session, first, last, _DATE + _SIZE)
    if first > 1:
        if known.mark_now(newest[0]) != known.marks.get(newest[0].uid, ""):
            raise Renumbered  # UIDs were given out again further down than the newest: read all of them
        if newest[0].uid == known.uids[first - 1]:
            index.uids, index.arrived = known.uids[: first - 1], known.arrived[: first - 1]
        else:
            _take_survivors(session, known, first - 1, index)
        below = newest[0].uid
        index.marks = {uid: mark for uid, mark in known.marks.items() if uid < below}
    for row in newest:
        index.add(row, known)
    return index


def _take_survivors(session: Session, known: FolderIndex, last: int, index: FolderIndex) -> None:
    """Some were deleted: which are left, by their UIDs alone."""
    uids = [
        row.uid
        for first in range(1, last + 1, CHUNK)
        for row in read_rows(session, first, min(first + CHUNK - 1, last), b"")
    ]
    found = {uid: known.arrival(uid) for uid in uids}
    unknown = [uid for uid, arrived in found.items() if arrived is None]
    for some in uid_sets(unknown):
        found.update((row.uid, row.arrived) for row in session.rows_of(some, _DATE) if row.uid in found)
    for number, uid in enumerate(uids, start=1):
        arrived = found[uid]
        index.add(Row(number, uid, None if arrived == UNKNOWN else arrived, None), None)


def read_rows(session: Session, first: int, last: int, items: bytes) -> list[Row]:
    """A row for each sequence number from first to last. Raises ``Incomplete`` when the server leaves one out."""
    rows: dict[int, Row] = {}
    _read(session, first, last, items, rows, [0])
    missing = [number for number in range(first, last + 1) if number not in rows]
    if len(missing) > _MAX_ODD:
        raise Incomplete(f"the server names {len(rows)} of {last - first + 1} messages")
    for number in missing:
        _read(session, number, number, items, rows, [0])
        if number not in rows and (uid := session.uid_of(number)):
            rows[number] = Row(number, uid, None, None)  # one that it cannot describe: fetching it tells why
        if number not in rows:
            raise Incomplete(
                f"the server says that it holds {last} messages or more, but does not name number {number}"
            )
    return [rows[number] for number in range(first, last + 1)]


def _read(session: Session, first: int, last: int, items: bytes, rows: dict[int, Row], refusals: list[int]) -> None:
    try:
        for row in session.rows(first, last, items):
            # Flags that somebody changes come as rows too, without what was asked for.
            if first <= row.number <= last and (row.number not in rows or _tells_more(row, rows[row.number])):
                rows[row.number] = row
    except Refused as refused:
        refusals[0] += 1
        if refused.status == "BAD" or refusals[0] > _MAX_ODD:
            raise
        if first < last:  # one message that it cannot describe must not hide the others
            middle = (first + last) // 2
            _read(session, first, middle, items, rows, refusals)
            _read(session, middle + 1, last, items, rows, refusals)


def _tells_more(row: Row, than: Row) -> bool:
    told: Sequence[bool] = [value is not None for value in (row.arrived, row.size)]
    return sum(told) > sum(value is not None for value in (than.arrived, than.size))
