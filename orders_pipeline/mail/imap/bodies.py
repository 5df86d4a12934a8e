"""The messages of one folder that are to be fetched, and what came of each.

Belongs here: one pass over a connection, and what is remembered for the next when it breaks. Not here: connecting and
trying again (source.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from orders_pipeline.config import FetchSettings
from orders_pipeline.encoding import printable_line
from orders_pipeline.mail.batching import batches
from orders_pipeline.mail.imap.answers import Token, fetch_items, number_of
from orders_pipeline.mail.imap.names import raw_of
from orders_pipeline.mail.imap.session import Session
from orders_pipeline.mail.imap.structure import structure_lines
from orders_pipeline.mail.imap.uid_sets import uid_set, uid_sets
from orders_pipeline.mail.imap.wire import Oversize, Refused
from orders_pipeline.mail.left_out import MAX_HEADER_BYTES, without_body
from orders_pipeline.models import Fetched, MessageRef

_BODY, _HEADER = b"BODY.PEEK[]", b"BODY.PEEK[HEADER]"
# Refusals that are about the account or the server, not about the message that was asked for.
_NOT_THE_MESSAGE = frozenset({"UNAVAILABLE", "INUSE", "LIMIT", "OVERQUOTA", "THROTTLED", "NOPERM", "EXPIRED"})
_MAX_BREAKS = 3
_MAX_REFUSALS = 5


class FolderFault(Exception):
    """A folder cannot be read, other folders may; the text is fault and remedy."""


class FolderBodies:
    """What is owed of one folder. ``run`` may be called again with a new connection until nothing is owed."""

    def __init__(self, label: str, validity: int, owed: Mapping[int, MessageRef], settings: FetchSettings) -> None:
        self.label, self._validity, self._settings = label, validity, settings
        self.owed = dict(owed)
        self._sizes = {uid: ref.size for uid, ref in owed.items() if ref.size is not None}
        self._large: set[int] = set()
        self._asked: list[int] = []
        self._breaks: dict[int, int] = {}  # how often the connection broke when this one was due
        self._came = False  # whether any body did
        self._refusals: dict[int, str] = {}
        self._in_a_row = 0

    def run(self, session: Session) -> Iterator[Fetched]:
        """Fetch what is owed; raises what the session raises, and ``FolderFault``."""
        if not self._opened(session):
            for uid in list(self.owed):
                yield self._end(uid, gone=True)
            return
        for uid in [uid for uid, breaks in self._breaks.items() if breaks >= _MAX_BREAKS and uid in self.owed]:
            if self._came or self._carries(session, uid):
                yield self._end(uid, error="the connection breaks each time that this message is asked for")
        self._ask_sizes(session)
        # What a connection broke at comes last, and at the third time alone: it must not stand before the others.
        calm = [uid for uid in self.owed if uid not in self._breaks]
        odd = [uid for uid in self.owed if self._breaks.get(uid) == 1]
        alone = [uid for uid in self.owed if self._breaks.get(uid, 0) > 1]
        for uids, count in ((calm, self._settings.batch_messages), (odd, self._settings.batch_messages), (alone, 1)):
            small = [uid for uid in uids if not self._is_large(uid)]
            limit = self._settings.batch_bytes
            for batch in batches(small, lambda uid: self._sizes.get(uid, 0), max_bytes=limit, max_count=count):
                yield from self._batch(session, batch)
            for uid in [uid for uid in uids if uid in self.owed and self._is_large(uid)]:
                yield from self._without_body(session, uid)
        yield from self._unanswered(session)

    def broke(self) -> None:
        """The connection broke: remember what it was about."""
        due = next((uid for uid in self._asked if uid in self.owed), None)
        self._asked = []
        if due is not None:
            self._breaks[due] = self._breaks.get(due, 0) + 1

    def _carries(self, session: Session, uid: int) -> bool:
        """Whether the connection does carry content, if not this message's: else the fault is the connection's."""
        self._asked = [uid]
        answers = list(session.content(b"%d" % uid, _HEADER))
        self._asked = []
        return any(len(answer) > 1 for answer in answers)

    def _opened(self, session: Session) -> bool:
        """Open the folder; False when it is there no more."""
        raw = raw_of(self.label)
        try:
            status = session.examine(raw)
        except Refused as refused:
            if raw != b"INBOX" and (there := session.folders()) and all(f.raw != raw for f in there):
                return False
            shown = printable_line(refused.text, 120)
            raise FolderFault(f"cannot open the folder {self.label}: {shown}; check its permissions") from None
        if status.validity != self._validity:
            raise FolderFault(
                f"the server renumbered the folder {self.label} since it was listed (UIDVALIDITY {self._validity} is"
                f" {status.validity} now); it is listed again at the next try"
            )
        return True

    def _ask_sizes(self, session: Session) -> None:
        for some in uid_sets(uid for uid in self.owed if uid not in self._sizes):
            try:
                for row in session.rows_of(some, b" RFC822.SIZE"):
                    if row.size is not None:
                        self._sizes[row.uid] = row.size
            except Refused:
                continue  # without sizes the batches are bounded by count alone

    def _is_large(self, uid: int) -> bool:
        return uid in self._large or self._sizes.get(uid, 0) > self._settings.max_message_bytes

    def _batch(self, session: Session, batch: list[int]) -> Iterator[Fetched]:
        waiting = [batch]
        while waiting:
            due = [uid for uid in waiting.pop() if uid in self.owed]
            if not due:
                continue
            self._asked = due
            try:
                for answer in session.content(uid_set(due), _BODY):
                    if (items := fetch_items(answer)) and (uid := number_of(items.get(b"UID"))) in self.owed:
                        yield from self._take(uid, items.get(b"BODY[]"))
            except Refused as refused:
                left = [uid for uid in due if uid in self.owed and uid not in self._large]
                if len(left) > 1:
                    middle = (len(left) + 1) // 2
                    waiting += [left[middle:], left[:middle]]
                elif left:
                    self._refuse(left[0], refused)
            else:
                self._in_a_row = 0
            self._asked = []

    def _take(self, uid: int, body: Token) -> Iterator[Fetched]:
        if isinstance(body, Oversize):
            self._large.add(uid)
            self._sizes[uid] = body.size
        elif isinstance(body, bytes) and (body or self._sizes.get(uid) == 0):
            limit = self._settings.max_message_bytes
            if len(body) > limit:  # the server announced less
                body = without_body(body[:MAX_HEADER_BYTES], size=len(body), limit=limit)
            yield self._end(uid, raw=body)

    def _without_body(self, session: Session, uid: int) -> Iterator[Fetched]:
        """The headers and the structure of a message over the limit."""
        for wanted in (_HEADER + b" BODYSTRUCTURE", _HEADER):
            self._asked = [uid]
            head: Token = None
            lines: list[str] = []
            try:
                for answer in session.content(b"%d" % uid, wanted):
                    if (items := fetch_items(answer)) and number_of(items.get(b"UID")) == uid:
                        head = items.get(b"BODY[HEADER]", head)
                        lines = structure_lines(items.get(b"BODYSTRUCTURE")) or lines
            except Refused as refused:
                if wanted == _HEADER:
                    self._refuse(uid, refused)
            self._asked = []
            if isinstance(head, bytes) and head:
                size, limit = self._sizes.get(uid, 0), self._settings.max_message_bytes
                yield self._end(uid, raw=without_body(head, size=size, limit=limit, structure=lines))
                return

    def _refuse(self, uid: int, refused: Refused) -> None:
        self._in_a_row += 1
        if refused.code in _NOT_THE_MESSAGE or self._in_a_row > _MAX_REFUSALS:
            raise FolderFault(
                f"the server refuses to send mail of the folder {self.label}: {printable_line(refused.text, 120)};"
                " it is tried again later"
            )
        self._refusals[uid] = printable_line(refused.text, 120)

    def _unanswered(self, session: Session) -> Iterator[Fetched]:
        """What no answer told of: gone when a fresh look does not find it, else asked for once more, alone."""
        if not self.owed:
            return
        self._opened(session)
        there: set[int] = set()
        for some in uid_sets(self.owed):
            there.update(row.uid for row in session.rows_of(some, b""))
        for uid in list(self.owed):
            if uid not in there:
                yield self._end(uid, gone=True)
                continue
            if uid not in self._refusals:
                yield from self._without_body(session, uid) if self._is_large(uid) else self._batch(session, [uid])
            if uid in self.owed:
                refusal = self._refusals.get(uid)
                said = (
                    f"the server refuses to send it: {refusal}" if refusal else "the server lists it, and sends nothing"
                )
                yield self._end(uid, error=said)

    def _end(self, uid: int, *, raw: bytes | None = None, gone: bool = False, error: str | None = None) -> Fetched:
        self._came = self._came or raw is not None
        return Fetched(ref=self.owed.pop(uid), raw=raw, gone=gone, error=error)
