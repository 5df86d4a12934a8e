"""A mailbox on an IMAP server.

Belongs here: the protocol's four methods, reconnecting, and the error lines. Not here: what each step asks of the
server (index.py, bodies.py), connecting (login.py).
"""

from __future__ import annotations

import datetime as dt
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.config import FetchSettings
from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.dates import AHEAD, EARLIEST
from orders_pipeline.mail.imap.bodies import FolderBodies, FolderFault
from orders_pipeline.mail.imap.folders import Folder, UnknownFolder, chosen
from orders_pipeline.mail.imap.index import FolderIndex, Incomplete, refresh
from orders_pipeline.mail.imap.index_file import IndexFiles
from orders_pipeline.mail.imap.login import Unreachable, connect, error_of
from orders_pipeline.mail.imap.names import location_of, parts_of
from orders_pipeline.mail.imap.session import Session
from orders_pipeline.mail.imap.wire import ConnectionLost, Refused
from orders_pipeline.mail.listing_age import may_serve
from orders_pipeline.mailbox_settings import ImapMailbox
from orders_pipeline.models import Fetched, Listing, MessageRef, Window

_DELAYS = (0.2, 1.0, 4.0, 10.0)  # seconds before each new try without progress; after the last one it is an error
_LEAST_LITERAL = 1024 * 1024  # headers of a large message may be longer than a small limit for whole ones


@dataclass(frozen=True, slots=True)
class FolderCount:
    """What a folder holds: messages in all, in the window, and without a usable date."""

    folder: str
    messages: int
    in_window: int
    unplaced: int


class ImapSource:
    """Location: folder, UIDVALIDITY and UID."""

    def __init__(
        self,
        box: ImapMailbox,
        fetch: FetchSettings,
        cache: Path | None = None,
        *,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.name = box.name
        self._box, self._fetch, self._sleep = box, fetch, sleep
        self._files = IndexFiles(cache, box.name, (box.host, str(box.server_port), box.username))
        self._session: Session | None = None
        self._was_connected = False
        self._indexes: dict[bytes, FolderIndex] = {}
        self._looked: list[tuple[Folder, FolderIndex]] | None = None
        self._looked_at, self._look_took = 0.0, 0.0

    def list(self, window: Window) -> Listing:
        """See ``Mailbox.list``."""
        folders, age = self._look()
        refs: list[MessageRef] = []
        unplaced: list[MessageRef] = []
        for folder, index in folders:
            placed, rest = _split(index, window)
            refs += [self._ref(folder, index, at) for at in placed]
            unplaced += [self._ref(folder, index, at) for at in rest]
        return Listing(mailbox=self.name, window=window, refs=tuple(refs), unplaced=tuple(unplaced), age=age)

    def check(self, window: Window) -> tuple[FolderCount, ...]:
        """What each folder that is read holds. Raises ``MailboxError``, as a listing does."""
        counts = []
        for folder, index in self._look()[0]:
            placed, rest = _split(index, window)
            counts.append(FolderCount(folder.label, len(index.uids), len(placed), len(rest)))
        return tuple(counts)

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        """See ``Mailbox.fetch``. Each message is given before the next is asked for; a folder that cannot be read is
        told after the others are."""
        groups: dict[tuple[str, int, str], dict[int, MessageRef]] = {}
        for ref in dict.fromkeys(refs):
            try:
                label, validity, uid = parts_of(ref.location)
            except ValueError:
                yield Fetched(ref=ref, error="no location of this mailbox")
                continue
            key = (label, validity, ref.location.rsplit("/", 1)[1].partition(".")[2])
            groups.setdefault(key, {})[uid] = ref
        faults: list[str] = []
        for (label, validity, _), owed in groups.items():
            try:
                yield from self._fetch_folder(FolderBodies(label, validity, owed, self._fetch))
            except FolderFault as fault:
                faults.append(str(fault))
                self._looked = None  # it is not as it was
        if faults:
            raise error_of(self._box, faults[0])

    def close(self) -> None:
        """Log out; never raises."""
        session, self._session = self._session, None
        self._indexes, self._looked = {}, None
        if session is not None:
            session.logout()

    # ------------------------------------------------------------------------------------------------ listing

    def _look(self) -> tuple[list[tuple[Folder, FolderIndex]], dt.timedelta]:
        """The folders with their indexes, and how long ago they were looked at."""
        age = time.monotonic() - self._looked_at
        fresh = may_serve(self._look_took, age)
        if self._looked is not None and fresh:
            return self._looked, dt.timedelta(seconds=age)
        began = time.monotonic()
        self._looked = None
        done: dict[bytes, tuple[Folder, FolderIndex]] = {}
        tries = _Tries(self)
        while True:
            before = len(done), self._known()
            try:
                folders = self._refresh_all(self._connected(), done)
                break
            except ConnectionLost as lost:
                self._drop()
                tries.failed(lost, progress=(len(done), self._known()) != before)
        self._looked = folders
        self._looked_at, self._look_took = began, time.monotonic() - began
        return folders, dt.timedelta(0)

    def _known(self) -> int:
        return sum(len(index.uids) for index in self._indexes.values())

    def _refresh_all(
        self, session: Session, done: dict[bytes, tuple[Folder, FolderIndex]]
    ) -> list[tuple[Folder, FolderIndex]]:
        try:
            folders = self._folders(session)
        except Refused as refused:
            raise error_of(self._box, f"the server lists no folders: {_shown(refused)}; check the account") from None
        for folder in folders:
            if folder.raw in done:
                continue
            try:
                done[folder.raw] = (folder, self._refreshed(session, folder))
            except Incomplete as fault:
                raise error_of(self._box, f"folder {folder.label}: {fault}; check the server, then run again") from None
            except Refused as refused:
                if not self._box.folders and all(f.raw != folder.raw for f in session.folders()):
                    continue  # somebody deleted it meanwhile
                remedy = "check its permissions, or set folders to those that can be read"
                fault = f"cannot read the folder {folder.label}: {_shown(refused)}; {remedy}"
                raise error_of(self._box, fault) from None
        return [done[folder.raw] for folder in folders if folder.raw in done]

    def _folders(self, session: Session) -> list[Folder]:
        found = session.folders()
        foreign = [] if self._box.folders else session.foreign_prefixes()
        try:
            folders = chosen(found, self._box.folders, gmail=session.has("X-GM-EXT-1"), foreign=foreign)
        except UnknownFolder as fault:
            raise error_of(self._box, str(fault)) from None
        if not folders:
            raise error_of(self._box, "the server lists no folder with mail; set folders to those to read")
        return folders

    def _refreshed(self, session: Session, folder: Folder) -> FolderIndex:
        known = self._indexes.get(folder.raw) or self._files.load(folder.raw)
        if known is not None and folder.status is not None and known.stands_for(folder.status):
            self._indexes[folder.raw] = known
            return known
        index = refresh(session, folder.raw, known, lambda part: self._indexes.update({folder.raw: part}))
        self._indexes[folder.raw] = index
        if index is not known:
            self._files.save(folder.raw, index)
        return index

    def _ref(self, folder: Folder, index: FolderIndex, at: int) -> MessageRef:
        uid, arrived = index.uids[at], index.arrived[at]
        return MessageRef(
            mailbox=self.name,
            location=location_of(folder.label, index.validity, uid, index.marks.get(uid, "")),
            received_at=_instant(arrived),
            size=index.sizes.get(uid),
        )

    # ----------------------------------------------------------------------------------------------- fetching

    def _fetch_folder(self, bodies: FolderBodies) -> Iterator[Fetched]:
        tries = _Tries(self)
        while bodies.owed:
            before = len(bodies.owed)
            try:
                yield from bodies.run(self._connected())
            except ConnectionLost as lost:
                self._drop()
                bodies.broke()
                tries.failed(lost, progress=len(bodies.owed) < before)
            except Refused as refused:
                raise FolderFault(f"folder {bodies.label}: {_shown(refused)}; it is tried again later") from None

    # --------------------------------------------------------------------------------------------- connection

    def _connected(self) -> Session:
        if self._session is not None and self._session.is_busy:
            self._drop()  # somebody stopped in the middle of an answer
        if self._session is None:
            literal = max(self._fetch.max_message_bytes, _LEAST_LITERAL)
            self._session = connect(self._box, max_literal=literal)
            self._was_connected = True
        return self._session

    def _drop(self) -> None:
        if self._session is not None:
            self._session.drop()
        self._session = None


class _Tries:
    """How often a connection may be lost: a bounded number of times without progress."""

    def __init__(self, source: ImapSource) -> None:
        self._source = source
        self._without_progress = 0

    def failed(self, lost: ConnectionLost, *, progress: bool) -> None:
        """Wait before the next try. Raises ``MailboxError`` when there is none."""
        source = self._source
        self._without_progress = 0 if progress else self._without_progress + 1
        first = isinstance(lost, Unreachable) and not source._was_connected
        if first or self._without_progress >= len(_DELAYS):
            raise _lost(source._box, lost) from None
        source._sleep(_DELAYS[self._without_progress])


def _lost(box: ImapMailbox, lost: ConnectionLost) -> MailboxError:
    if isinstance(lost, Unreachable):
        return error_of(box, str(lost))
    where = f"{box.host}, port {box.server_port}"
    return error_of(box, f"the connection to {where} breaks again and again: {lost}; check the network and the server")


def _split(index: FolderIndex, window: Window) -> tuple[Sequence[int], Sequence[int]]:
    """The places in the index of messages in the window, and of those without a usable date."""
    earliest, latest = EARLIEST.timestamp(), (dt.datetime.now(dt.UTC) + AHEAD).timestamp()
    first, end = math.ceil(window.start.timestamp()), math.ceil(window.end.timestamp())
    placed = [at for at, t in enumerate(index.arrived) if first <= t < end and earliest <= t <= latest]
    unplaced = [at for at, t in enumerate(index.arrived) if not earliest <= t <= latest]
    return placed, unplaced


def _instant(seconds: int) -> dt.datetime | None:
    try:
        return dt.datetime.fromtimestamp(seconds, dt.UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _shown(refused: Refused) -> str:
    return printable_line(refused.text, 120) or refused.status
