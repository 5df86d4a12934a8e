"""The refs of a mailbox in order of arrival, so that a day is found without looking at all of them.

Belongs here: refs to the listing of a window. Not here: where refs come from.
"""

from __future__ import annotations

import bisect
import datetime as dt
from collections.abc import Iterable

from orders_pipeline.mail.dates import usable
from orders_pipeline.models import Listing, MessageRef, Window


class SortedRefs:
    """Refs as they were found; ``now`` tells which dates lie in the future."""

    def __init__(self, refs: Iterable[MessageRef], *, now: dt.datetime) -> None:
        placed: list[tuple[dt.datetime, str, MessageRef]] = []
        unplaced: list[MessageRef] = []
        for ref in refs:
            if ref.received_at is not None and usable(ref.received_at, now=now):
                placed.append((ref.received_at, ref.location, ref))
            else:
                unplaced.append(ref)
        placed.sort(key=lambda entry: entry[:2])
        self._times = [at for at, _, _ in placed]
        self._refs = [ref for _, _, ref in placed]
        self._unplaced = tuple(sorted(unplaced, key=lambda ref: ref.location))

    def within(self, mailbox: str, window: Window, *, age: dt.timedelta = dt.timedelta(0)) -> Listing:
        """The listing of a window; what has no usable date is in each of them."""
        first, limit = (bisect.bisect_left(self._times, at) for at in (window.start, window.end))
        refs = tuple(self._refs[first:limit])
        return Listing(mailbox=mailbox, window=window, refs=refs, unplaced=self._unplaced, age=age)
