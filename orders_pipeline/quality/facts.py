"""What the checks look at: facts that one read of the store gives.

Belongs here: these records. Not here: reading the store (the caller does), or judging (checks).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from orders_pipeline.quality.findings import Missing

NONE = Missing()


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFacts:
    """The digests that the ledger keeps of one stage of one day."""

    input_digest: str
    output_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFacts:
    """One day. Counts are exact; a ``Missing`` names units that are owed and not waived.

    ``listed`` is None when no listing was ever complete. ``fetched`` counts the day's messages, ``outcomes`` the rows
    of its parse outcomes, ``to_review`` those a judge has to see, ``verdicts`` those it has seen.
    ``late`` is mail saved after the day was first done, the last of it at ``late_at``. ``relist_failed_at`` is the
    first failure since the last complete listing, None when the last listing succeeded. ``error`` is that of the last
    try of a day which ended badly.
    """

    day: dt.date
    fetch: StageFacts | None = None
    parse: StageFacts | None = None
    review: StageFacts | None = None
    done: bool = False
    error: str | None = None
    unlisted_mailboxes: tuple[str, ...] = ()
    listed: int | None = None
    fetched: int = 0
    outcomes: int = 0
    to_review: int = 0
    verdicts: int = 0
    not_fetched: Missing = NONE
    without_outcome: Missing = NONE
    not_judged: Missing = NONE
    exhausted: Missing = NONE
    late: Missing = NONE
    late_at: dt.datetime | None = None
    relist_failed_at: dt.datetime | None = None
    relist_error: str | None = None
    parser_outdated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FallenSender:
    """A sender whose mail gave orders (``before_parsed`` of ``before_seen``) and whose ``mails`` since gave none."""

    sender_domain: str
    before_seen: int
    before_parsed: int
    last_day: dt.date
    mails: Missing


@dataclass(frozen=True, slots=True, kw_only=True)
class ShrunkListing:
    """A mailbox that lists fewer messages of a day than the archive ``kept`` from it."""

    mailbox: str
    day: dt.date
    kept: int
    listed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFacts:
    """Everything that the checks need. ``now`` is aware, in the configured zone.

    ``days`` may be in any order and may have days that are not expected (today, days before the start): these are not
    looked at. Expected are ``first_day`` to ``last_closed_day``, both included; ``last_closed_day`` is None when no
    day is over. ``cursor`` is the sensor's position, ``proven`` the last day of the contiguous run of done days.
    ``missing_files`` are archive files that the tables name and that are not there. ``shrunk`` is ordered by day.
    """

    now: dt.datetime
    first_day: dt.date
    last_closed_day: dt.date | None
    days: tuple[DayFacts, ...] = ()
    cursor: dt.date | None = None
    proven: dt.date | None = None
    unplaced: Missing = NONE
    exhausted_without_day: Missing = NONE
    fallen_senders: tuple[FallenSender, ...] = ()
    missing_files: Missing = NONE
    shrunk: tuple[ShrunkListing, ...] = ()

    @property
    def expected(self) -> tuple[dt.date, ...]:
        """The days that are over, oldest first."""
        if self.last_closed_day is None:
            return ()
        length = (self.last_closed_day - self.first_day).days + 1
        return tuple(self.first_day + dt.timedelta(days=n) for n in range(length))

    @property
    def closed(self) -> tuple[DayFacts, ...]:
        """The facts of expected days, oldest first; a day that the store knows nothing of has none."""
        last = self.last_closed_day
        known = (day for day in self.days if last is not None and self.first_day <= day.day <= last)
        return tuple(sorted(known, key=lambda day: day.day))
