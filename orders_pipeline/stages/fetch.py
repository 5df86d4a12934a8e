"""One day of fetching: list every mailbox that owes the day, save what is new, commit.

Belongs here: the order of saving and committing. Each batch is saved in the archive before the next is fetched; the
tables and the ledger follow in one transaction. A mailbox that fails is a problem of the day, never an empty mailbox.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from orders_pipeline.crash_points import reach
from orders_pipeline.days import day_window
from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.models import Fetched, Listing, MessageRef, UnitState, Window
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store import ledger, mail_rows, units
from orders_pipeline.store.saved_listings import is_saved

VERSION = "1"


@dataclass(slots=True)
class _MailboxDay:
    """What one mailbox gave for the day."""

    mailbox: str
    listing: mail_rows.ListingDone | None = None
    unplaced: tuple[str, ...] = ()
    gone: list[tuple[str, dt.date | None]] = field(default_factory=list)
    faults: list[mail_rows.FetchFault] = field(default_factory=list)
    failure: str | None = None


def fetch_day(work: Work, day: dt.date, *, closes: bool = False) -> StageReport:
    """Fetch a day. Raises ``StoreError`` when the store fails; what a mailbox does wrong is told in ``problems``.

    ``closes`` ends the day's try in the same commit, unless there are problems.
    """
    boxes = work.mailboxes(day)
    results = [_fetch_mailbox(work, box, day) for box in boxes]
    return _commit(work, day, results, closes=closes)


def _fetch_mailbox(work: Work, box: Mailbox, day: dt.date) -> _MailboxDay:
    result = _MailboxDay(mailbox=box.name)
    # The listing is as old as its beginning: what another run finds while it goes on is not missing from it.
    began = work.now()
    try:
        listing = list_window(box, day_window(day, work.store.zone))
    except MailboxError as error:
        result.failure = str(error)
        return result
    locations = tuple(r.location for r in listing.refs)
    result.unplaced = tuple(r.location for r in listing.unplaced)
    result.listing = mail_rows.ListingDone(
        mailbox=box.name,
        messages=len(locations),
        digest=mail_rows.listing_digest(locations),
        listed_at=began - listing.age,
        locations=locations,
    )
    with work.store.state.reading() as con:
        fresh = mail_rows.unknown_refs(con, listing.refs, placed=True)
        unplaced = mail_rows.unknown_refs(con, listing.unplaced)
    try:
        _save(work, box, day, fresh, result)
        _save(work, box, None, unplaced, result)
    except MailboxError as error:
        result.failure = str(error)
    return result


def list_window(box: Mailbox, window: Window) -> Listing:
    """The mailbox's listing. Raises ``MailboxError`` for whatever goes wrong in it: no fault of one mailbox may cost
    the others their day."""
    try:
        return box.list(window)
    except MailboxError:
        raise
    except Exception as error:
        raise _unexpected(error) from error


def failure_line(mailbox: str, failure: str) -> str:
    """The failure of a mailbox as a line that names it, once: most of a mailbox's own errors name it already."""
    start = f"mailbox {mailbox}: "
    return failure if failure.startswith(start) else start + failure


def _fetched(box: Mailbox, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
    source = iter(box.fetch(refs))
    while True:
        try:
            item = next(source)
        except StopIteration:
            return
        except MailboxError:
            raise
        except Exception as error:
            raise _unexpected(error) from error
        yield item


def _unexpected(error: Exception) -> MailboxError:
    return MailboxError(printable_line(f"unexpected error: {type(error).__name__}: {error}", 300))


def _save(work: Work, box: Mailbox, day: dt.date | None, refs: Sequence[MessageRef], result: _MailboxDay) -> None:
    """Fetch refs and save them batch by batch; what cannot be fetched is noted, and a failing mailbox raises."""
    for batch in _batches(work, _fetched(box, refs), day, result):
        ids = {row["message_id"] for row in batch}
        with work.store.state.reading() as con:
            known = mail_rows.known_messages(con, sorted(ids))
        for row in batch:
            # A message that is saved already only gains a location, and its bytes are not kept twice.
            row["has_raw"] = row["message_id"] not in known
            known.add(row["message_id"])
            if not row["has_raw"]:
                row["raw"] = None
        work.store.archive.save("mail", day, batch)


def _batches(
    work: Work, fetched: Iterator[Fetched], day: dt.date | None, result: _MailboxDay
) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    size = 0
    try:
        for item in fetched:
            if item.gone:
                result.gone.append((item.ref.location, day))
            elif item.raw is None:
                error = item.error or "no bytes came"
                result.faults.append(
                    mail_rows.FetchFault(mailbox=item.ref.mailbox, location=item.ref.location, day=day, error=error)
                )
            else:
                batch.append(_row(item.ref, item.raw, work.now()))
                size += len(item.raw)
            if len(batch) >= work.config.fetch.batch_messages or size >= work.config.fetch.batch_bytes:
                yield batch
                batch, size = [], 0
    except MailboxError:
        # What came before the failure is paid for: save it, then let the failure through.
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def _row(ref: MessageRef, raw: bytes, now: dt.datetime) -> dict[str, Any]:
    return {
        "message_id": message_id_of(raw),
        "raw": raw,
        "has_raw": True,
        "received_at": ref.received_at,
        "mailbox": ref.mailbox,
        "location": ref.location,
        "size": len(raw),
        "saved_at": now,
    }


def _commit(work: Work, day: dt.date, results: Sequence[_MailboxDay], *, closes: bool) -> StageReport:
    now, (first, limit) = work.now(), work.retry_spacing
    complete = [r for r in results if r.listing and not r.failure]
    for result in complete:
        if result.listing:
            # What was gone is not owed: after a rebuild nobody could fetch it.
            gone = {location for location, _ in result.gone}
            owed = tuple(name for name in result.listing.locations if name not in gone)
            row = mail_rows.listing_row(replace(result.listing, locations=owed))
            if not is_saved(work.store.archive, day, row):
                work.store.archive.save("listings", day, [row])
    reach("fetch.commit.before")
    with work.store.state.transaction() as con:
        before = con.execute("SELECT count(*) FROM messages WHERE day = ?", [day]).fetchall()[0][0]
        mail_rows.adopt(con, work.store.archive, [day, None])
        for result in results:
            for location, of_day in result.gone:
                units.set_state(
                    con, ledger.FETCH, location, UnitState.GONE, day=of_day, mailbox=result.mailbox, now=now,
                    error="listed, but gone when it was fetched",
                )  # fmt: skip
            for fault in result.faults:
                units.record_fault(
                    con, ledger.FETCH, fault.location, day=fault.day, mailbox=fault.mailbox, error=fault.error,
                    uses_try=True, max_tries=work.config.fetch.max_tries, now=now, first=first, limit=limit,
                )  # fmt: skip
            if result.failure or result.listing is None:
                mail_rows.record_listing_failure(
                    con, day, result.mailbox, error=result.failure or "not listed", now=now
                )
                if result.listing:
                    mail_rows.open_unfetched(con, day, result.listing, why="listed, and then its mailbox failed")
            else:
                mail_rows.settle_units(con, day, result.listing, now=now)
                mail_rows.settle_unplaced(con, result.listing, result.unplaced, now=now)
                mail_rows.record_listing(con, day, result.listing)
        digest, count = ledger.mail_digest(con, day)
        row = ledger.write_stage(
            con,
            ledger.FETCH,
            day,
            input_digest="",
            output_digest=digest,
            row_count=count,
            version=VERSION,
            now=now,
            run_id=work.run_id,
        )
        still_open = units.open_count(con, day, ledger.FETCH)
        if closes and not _problems(results, still_open):
            ledger.end_try(con, day)
        reach("fetch.commit.inside")
    reach("fetch.commit.after")
    counts = {
        "messages": count,
        "new_messages": count - before,
        "listed": sum(r.listing.messages for r in complete if r.listing),
        "gone": sum(len(r.gone) for r in results),
        "unfetched": still_open,
    }
    return StageReport(stage=ledger.FETCH, day=day, ledger=row, counts=counts, problems=_problems(results, still_open))


def _problems(results: Sequence[_MailboxDay], still_open: int) -> tuple[str, ...]:
    lines = [failure_line(r.mailbox, r.failure) for r in results if r.failure]
    if still_open:
        faults = (f"{f.location}: {f.error}" for r in results for f in r.faults if f.day)
        sample = next(faults, "see orders-pipeline status")
        lines.append(f"{still_open} listed messages are not fetched yet ({sample})")
    return tuple(lines)
