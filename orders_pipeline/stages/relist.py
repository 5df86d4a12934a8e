"""Re-listing: compare the mailboxes' own listings of days with the archive, and reopen what differs.

Belongs here: the comparison and its commit. Nothing is fetched here: a location that nobody knows becomes a pending
unit of its day, which is then not done, and a run takes it up.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from orders_pipeline.days import day_of, day_window
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.models import Listing, Window
from orders_pipeline.stages.fetch import failure_line, list_window
from orders_pipeline.stages.work import Work
from orders_pipeline.store import ledger, mail_rows, units


@dataclass(slots=True)
class RelistReport:
    """What a re-listing found: days that it reopened (with the number of new messages), and failures by mailbox."""

    days: int = 0
    reopened: dict[dt.date, int] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def problem(self) -> str:
        """The failures in one line, empty when there are none."""
        return "; ".join(failure_line(name, failure) for name, failure in sorted(self.failures.items()))


def relist_days(work: Work, days: Sequence[dt.date]) -> RelistReport:
    """Re-list contiguous days, one listing a mailbox. Days that were never listed are left to fetching."""
    report = RelistReport(days=len(days))
    if not days:
        return report
    for box in work.mailboxes(max(days)):
        owed = [d for d in days if box.name in work.config.owing(d)]
        if owed:
            _relist(work, box, owed, report)
    return report


def _relist(work: Work, box: Mailbox, days: Sequence[dt.date], report: RelistReport) -> None:
    zone = work.store.zone
    span = Window(start=day_window(min(days), zone).start, end=day_window(max(days), zone).end)
    began = work.now()
    try:
        listing = list_window(box, span)
    except MailboxError as error:
        report.failures[box.name] = str(error)
        with work.store.state.transaction() as con:
            for day in days:
                mail_rows.record_listing_failure(con, day, box.name, error=str(error), now=work.now())
        return
    _commit(work, box.name, days, listing, began - listing.age, report)


def _commit(
    work: Work, mailbox: str, days: Sequence[dt.date], listing: Listing, began: dt.datetime, report: RelistReport
) -> None:
    by_day: dict[dt.date, list[str]] = {d: [] for d in days}
    for ref in listing.refs:
        assert ref.received_at is not None
        by_day.setdefault(day_of(ref.received_at, work.store.zone), []).append(ref.location)
    now = work.now()
    with work.store.state.reading() as con:
        known = {
            row[0]
            for row in con.execute(
                "SELECT day FROM listings WHERE mailbox = ? AND listed_at IS NOT NULL", [mailbox]
            ).fetchall()
        }
        fresh = {r.location for r in mail_rows.unknown_refs(con, listing.refs)}
    listings = {
        day: mail_rows.ListingDone(
            mailbox=mailbox,
            messages=len(by_day[day]),
            digest=mail_rows.listing_digest(by_day[day]),
            listed_at=began,
            locations=tuple(by_day[day]),
        )
        for day in days
        if day in known
    }
    for day, done in listings.items():
        if fresh.intersection(done.locations):
            # That the mailbox holds more is kept in the archive too: a rebuild must not call the day done.
            work.store.archive.save("listings", day, [mail_rows.listing_row(done)])
    with work.store.state.transaction() as con:
        for day, done in listings.items():
            # A run may have fetched some in the meantime.
            new = fresh.intersection(done.locations) - mail_rows.known_locations(con, mailbox, done.locations)
            mail_rows.settle_units(con, day, done, now=now)
            why = "found by a re-listing, not fetched yet"
            units.open_missing(con, ledger.FETCH, new, day=day, mailbox=mailbox, now=now, why=why)
            mail_rows.record_listing(con, day, done)
            if new:
                report.reopened[day] = report.reopened.get(day, 0) + len(new)
