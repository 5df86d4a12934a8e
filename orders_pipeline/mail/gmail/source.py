"""Gmail as a mailbox: list a span of time, fetch messages.

Belongs here: the protocol of a mailbox. Not here: the API's calls (api.py), pages (listing.py), bytes (message.py).
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from orders_pipeline.config import FetchSettings
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.batching import batches
from orders_pipeline.mail.dates import AHEAD, usable
from orders_pipeline.mail.gmail.api import GmailApi
from orders_pipeline.mail.gmail.faults import Fault, Kind
from orders_pipeline.mail.gmail.known import KnownDates
from orders_pipeline.mail.gmail.listing import ids_after, ids_of
from orders_pipeline.mail.gmail.message import STRUCTURE_FIELDS, kept_of_large, raw_of, received_ms_of, size_of
from orders_pipeline.mailbox_settings import GmailMailbox
from orders_pipeline.models import Fetched, Listing, MessageRef, Window

_BATCH_BYTES = 8 * 1024 * 1024  # an answer is held several times over while the library takes it apart
_ALONE_BYTES = 1024 * 1024  # from here on a message comes without the detour
_UNKNOWN_SIZE = 100_000
_BATCHED_ANSWER = 64 * 1024 * 1024
_SMALL_ANSWER = 1024 * 1024
_FUTURE_SECONDS = 600.0
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class GmailSource:
    """A Gmail account, read-only. Nobody logs in before the first listing."""

    def __init__(
        self,
        settings: GmailMailbox,
        fetch: FetchSettings,
        cache: Path | None = None,
        *,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.name = settings.name
        self._settings, self._fetch = settings, fetch
        self._api = GmailApi(settings, sleep=sleep)
        self._known = KnownDates(cache, settings.name, settings.token_file)
        self._future: tuple[float, tuple[str, ...]] | None = None

    def list(self, window: Window) -> Listing:
        """See ``Mailbox.list``. Mail that Gmail dates in the future is unplaced."""
        now = dt.datetime.now(dt.UTC)
        ids = dict.fromkeys((*ids_of(self._api, window, self._settings.query), *self._future_ids(now)))
        refs, unplaced = [], []
        for ref in self._refs(tuple(ids)):
            if ref.received_at is None or not usable(ref.received_at, now=now):
                unplaced.append(ref)
            elif ref.received_at in window:
                refs.append(ref)
        return Listing(mailbox=self.name, window=window, refs=tuple(refs), unplaced=tuple(unplaced))

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        """See ``Mailbox.fetch``. Of a message over the configured size the body is left out."""
        small: list[MessageRef] = []
        alone: list[MessageRef] = []
        for ref in refs:
            (alone if (ref.size or 0) > _ALONE_BYTES else small).append(ref)
        limit = min(self._fetch.batch_bytes, _BATCH_BYTES)
        most = self._fetch.batch_messages
        for batch in batches(small, lambda ref: ref.size or _UNKNOWN_SIZE, max_bytes=limit, max_count=most):
            by_id = {ref.location: ref for ref in batch}
            for message_id, got in self._api.get_many(by_id, max_bytes=_BATCHED_ANSWER, format="raw"):
                ref = by_id[message_id]
                # Too large for a batch though its estimate is not: once more on its own.
                too_large = isinstance(got, Fault) and got.too_large
                yield self._fetch_alone(ref) if too_large else self._fetched(ref, got)
        for ref in alone:
            yield self._fetch_alone(ref)

    def close(self) -> None:
        """See ``Mailbox.close``."""
        self._api.close()

    def _future_ids(self, now: dt.datetime) -> tuple[str, ...]:
        """Mail dated ahead lies in no window that is asked for: looked for once in a while."""
        if self._future is None or time.monotonic() - self._future[0] > _FUTURE_SECONDS:
            self._future = (time.monotonic(), ids_after(self._api, now + AHEAD, self._settings.query))
        return self._future[1]

    def _refs(self, ids: Sequence[str]) -> Iterator[MessageRef]:
        missing = [i for i in ids if self._known.get(i) is None]
        undated: dict[str, int] = {}
        gone: set[str] = set()
        try:
            answers = self._api.get_many(
                missing, max_bytes=_SMALL_ANSWER, format="minimal", fields="id,internalDate,sizeEstimate"
            )
            for message_id, got in answers:
                if isinstance(got, Fault):
                    if got.kind is not Kind.GONE:
                        raise MailboxError(f"{self._api.what}: message {message_id} has no date: {got.text}")
                    gone.add(message_id)
                elif got.get("id") != message_id:
                    raise MailboxError(f"{self._api.what}: Gmail answered for another message than {message_id}")
                elif (received := received_ms_of(got)) is None:
                    undated[message_id] = size_of(got)
                else:
                    self._known.add(message_id, received, size_of(got))
        finally:
            self._known.save()  # what is known already is not asked for at the next try
        for message_id in ids:
            known = self._known.get(message_id)
            if known:
                yield self._ref(message_id, _instant(known[0]), known[1])
            elif message_id not in gone:
                yield self._ref(message_id, None, undated[message_id])

    def _ref(self, message_id: str, received_at: dt.datetime | None, size: int) -> MessageRef:
        return MessageRef(mailbox=self.name, location=message_id, received_at=received_at, size=size or None)

    def _fetch_alone(self, ref: MessageRef) -> Fetched:
        limit = self._fetch.max_message_bytes
        if (ref.size or 0) > limit:
            return self._fetch_structure(ref, ref.size or 0)
        got = self._api.get_one(ref.location, max_bytes=2 * limit + _SMALL_ANSWER, format="raw")
        return self._fetched(ref, got)

    def _fetch_structure(self, ref: MessageRef, size: int) -> Fetched:
        got = self._api.get_one(ref.location, max_bytes=_BATCHED_ANSWER, format="full", fields=STRUCTURE_FIELDS)
        if isinstance(got, Fault):
            return _not_given(ref, got)
        self._prove(ref, got)
        try:
            return Fetched(ref=ref, raw=kept_of_large(got, size=size, limit=self._fetch.max_message_bytes))
        except ValueError as error:
            return Fetched(ref=ref, error=str(error))

    def _fetched(self, ref: MessageRef, got: dict[str, Any] | Fault) -> Fetched:
        if isinstance(got, Fault):
            # Larger than its estimate: what is over twice the limit and could not even be received whole.
            size = 2 * self._fetch.max_message_bytes
            return self._fetch_structure(ref, size) if got.too_large else _not_given(ref, got)
        self._prove(ref, got)
        try:
            raw = raw_of(got)
        except ValueError as error:
            return Fetched(ref=ref, error=str(error))
        if len(raw) > self._fetch.max_message_bytes:
            return self._fetch_structure(ref, len(raw))
        return Fetched(ref=ref, raw=raw)

    def _prove(self, ref: MessageRef, got: dict[str, Any]) -> None:
        """That this is the message which was listed: bytes under another's id, or of another day, are never kept."""
        if got.get("id") != ref.location:
            raise MailboxError(f"{self._api.what}: Gmail answered for another message than {ref.location}")
        received = received_ms_of(got)
        if received is not None and _instant(received) != ref.received_at:
            self._known.forget_all()
            raise MailboxError(f"{self._api.what}: message {ref.location} has another date now; it is listed again")


def _not_given(ref: MessageRef, fault: Fault) -> Fetched:
    return Fetched(ref=ref, gone=True) if fault.kind is Kind.GONE else Fetched(ref=ref, error=fault.text)


def _instant(milliseconds: int) -> dt.datetime | None:
    try:
        return _EPOCH + dt.timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
