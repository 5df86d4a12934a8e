"""Mail in the tables: messages, their locations, listings; adopted from archive files.

Belongs here: what fetching reads and commits. Not here: listing a mailbox, or the bytes of a message.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from orders_pipeline.encoding import digest_of, printable_line
from orders_pipeline.models import MessageRef, UnitState
from orders_pipeline.store import ledger, tombstones, units
from orders_pipeline.store.archive import Archive, day_of_file
from orders_pipeline.store.frames import Connection, insert
from orders_pipeline.store.fresh_files import fresh_files
from orders_pipeline.store.tombstones import FORGOTTEN

_MAIL_COLUMNS = ["message_id", "has_raw", "received_at", "mailbox", "location", "size", "saved_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingDone:
    """A complete listing of a mailbox for a day: how many messages, and what the rest of the day owes it."""

    mailbox: str
    messages: int
    digest: str
    listed_at: dt.datetime
    locations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchFault:
    """A listed message that could not be fetched; ``day`` is None for one that is unplaced."""

    mailbox: str
    location: str
    day: dt.date | None
    error: str


def listing_digest(locations: Iterable[str]) -> str:
    """The digest of a listing: its locations, sorted."""
    return digest_of(sorted(locations))


def adopt(con: Connection, archive: Archive, days: Sequence[dt.date | None]) -> int:
    """Take archive files of mail and listings that no table knows yet into the tables; returns how many files."""
    mail: list[str] = []
    listings: list[str] = []
    for day in days:
        mail += fresh_files(con, archive, "mail", day)
        listings += fresh_files(con, archive, "listings", day) if day else []
    adopt_mails(con, archive, mail)
    adopt_listings(con, archive, listings)
    return len(mail) + len(listings)


def adopt_mails(con: Connection, archive: Archive, paths: Iterable[str]) -> None:
    """Take mail files into the tables in the order of saving, for the first placement of a message fixes its day."""
    for _, path in sorted((_oldest(archive, path, "saved_at"), path) for path in paths):
        adopt_mail(con, archive, path)


def adopt_listings(con: Connection, archive: Archive, paths: Iterable[str]) -> None:
    """Take saved listings into the tables, the last first: what only an older one names is gone, not owed."""
    for _, path in sorted(((_oldest(archive, path, "listed_at"), path) for path in paths), reverse=True):
        adopt_listing(con, archive, path)


def _oldest(archive: Archive, path: str, column: str) -> dt.datetime:
    return min(archive.read(path, [column])[column].to_pylist(), default=dt.datetime.max.replace(tzinfo=dt.UTC))


def adopt_mail(con: Connection, archive: Archive, path: str) -> None:
    """Take one mail file into the tables. The first placement of a message stands; a further one is a location.

    Unplaced is no placement: what had no day gets that of the first file that has one. Of a forgotten message only the
    location is taken, so that it is not fetched again.
    """
    day = day_of_file(path)
    con.register("saved_mail", archive.read(path, _MAIL_COLUMNS))
    try:
        con.execute(
            f"""
            INSERT INTO messages BY NAME
            SELECT message_id, ?::DATE AS day, received_at, size, mailbox, ? AS archive_file, saved_at
            FROM saved_mail
            WHERE has_raw AND message_id NOT IN {FORGOTTEN} AND message_id NOT IN
                (SELECT message_id FROM messages WHERE message_id IN (SELECT message_id FROM saved_mail))
            QUALIFY row_number() OVER (PARTITION BY message_id ORDER BY mailbox, location) = 1
            """,  # noqa: S608  (a constant)
            [day, path],
        )
        if day and con.execute("SELECT 1 FROM messages WHERE day IS NULL LIMIT 1").fetchall():
            con.execute(
                """
                UPDATE messages SET day = ?, received_at = s.received_at
                FROM (SELECT message_id, min(received_at) AS received_at FROM saved_mail GROUP BY message_id) s
                WHERE messages.message_id = s.message_id AND day IS NULL
                """,
                [day],
            )
        con.execute(
            """
            INSERT INTO locations BY NAME
            SELECT DISTINCT mailbox, location, message_id FROM saved_mail s
            WHERE NOT EXISTS (FROM locations l WHERE l.mailbox = s.mailbox AND l.location = s.location)
            """
        )
    finally:
        con.unregister("saved_mail")
    con.execute("INSERT INTO archive_files VALUES (?, 'mail', ?)", [path, day])


def adopt_listing(con: Connection, archive: Archive, path: str) -> None:
    """Take one saved listing into the tables, unless a later one is there. What it names and nobody has is pending."""
    day = day_of_file(path)
    assert day is not None
    for row in archive.read(path).to_pylist():
        found = con.execute(
            "SELECT listed_at FROM listings WHERE day = ? AND mailbox = ?", [day, row["mailbox"]]
        ).fetchall()
        if not found or found[0][0] is None or found[0][0] < row["listed_at"]:
            done = ListingDone(
                mailbox=row["mailbox"],
                messages=row["messages"],
                digest=row["listing_digest"],
                listed_at=row["listed_at"],
                locations=tuple(row["locations"]),
            )
            open_unfetched(con, day, done, why="listed, not in the archive")
            record_listing(con, day, done)
    con.execute("INSERT INTO archive_files VALUES (?, 'listings', ?)", [path, day])


def open_unfetched(con: Connection, day: dt.date, listing: ListingDone, *, why: str) -> None:
    """What the listing names and no table knows becomes a pending unit of the day."""
    unknown = set(listing.locations) - known_locations(con, listing.mailbox, listing.locations)
    if unknown:
        units.open_missing(
            con, ledger.FETCH, unknown, day=day, mailbox=listing.mailbox, now=listing.listed_at, why=why
        )  # fmt: skip


def listing_row(listing: ListingDone) -> dict[str, Any]:
    """A complete listing as the archive keeps it: after a rebuild nobody may be there to list again."""
    return {
        "mailbox": listing.mailbox,
        "messages": listing.messages,
        "listing_digest": listing.digest,
        "locations": list(listing.locations),
        "listed_at": listing.listed_at,
    }


def known_locations(con: Connection, mailbox: str, locations: Iterable[str]) -> set[str]:
    """Those of the locations that the tables know."""
    found = con.execute(
        "SELECT location FROM locations WHERE mailbox = ? AND location IN (SELECT unnest(?::VARCHAR[]))",
        [mailbox, list(locations)],
    )
    return {row[0] for row in found.fetchall()}


def unknown_refs(con: Connection, refs: Sequence[MessageRef], *, placed: bool = False) -> list[MessageRef]:
    """The refs of one mailbox whose location no table knows, less those that are put aside (``units.not_due``).

    ``placed``: the listing gives them a day, so those that had none when they were saved are to be saved again, in it.
    """
    if not refs:
        return []
    mailbox = refs[0].mailbox
    known = known_locations(con, mailbox, [r.location for r in refs])
    if placed:
        known -= _unplaced_locations(con, mailbox, sorted(known))
    skip = known | units.not_due(con, ledger.FETCH, mailbox=mailbox)
    return [r for r in refs if r.location not in skip]


def _unplaced_locations(con: Connection, mailbox: str, locations: Sequence[str]) -> set[str]:
    found = con.execute(
        "SELECT location FROM locations JOIN messages USING (message_id) WHERE day IS NULL AND locations.mailbox = ?"
        " AND location IN (SELECT unnest(?::VARCHAR[]))",
        [mailbox, list(locations)],
    )
    return {row[0] for row in found.fetchall()}


def known_messages(con: Connection, message_ids: Sequence[str]) -> set[str]:
    """Those of the ids that are in the tables already, or were forgotten: their bytes are not to be saved."""
    found = con.execute(
        "SELECT message_id FROM messages WHERE message_id IN (SELECT unnest(?::VARCHAR[]))", [list(message_ids)]
    )
    return {row[0] for row in found.fetchall()} | (tombstones.forgotten(con) & set(message_ids))


def drop_orphans(con: Connection) -> None:
    """Forget locations of messages that no archive file holds any more, so that they are fetched again."""
    con.execute(
        "DELETE FROM locations WHERE message_id NOT IN (SELECT message_id FROM messages)"  # noqa: S608
        f" AND message_id NOT IN {FORGOTTEN}"
    )


def record_listing(con: Connection, day: dt.date, listing: ListingDone) -> None:
    """Record a complete listing, unless a later one is there; a failure recorded before is over."""
    missing = units.open_count(con, day, ledger.FETCH, mailbox=listing.mailbox)
    # One that is later by more than a day was not made beside this one: the clock was set back. And the very same is
    # there when its file was adopted a moment ago.
    found = con.execute(
        "SELECT 1 FROM listings WHERE day = $day AND mailbox = $mailbox AND (listed_at > $at AND listed_at < $until"
        " OR (listed_at = $at AND tried_at = $at AND messages = $messages AND listing_digest = $digest"
        " AND missing = $missing AND failed_at IS NULL AND error IS NULL))",
        {
            "day": day, "mailbox": listing.mailbox, "at": listing.listed_at,
            "until": listing.listed_at + dt.timedelta(days=1), "messages": listing.messages,
            "digest": listing.digest, "missing": missing,
        },
    )  # fmt: skip
    if found.fetchall():
        return
    _write_listing(con, day, listing.mailbox, listing.listed_at, listing.messages, listing.digest, missing=missing)


def record_listing_failure(con: Connection, day: dt.date, mailbox: str, *, error: str, now: dt.datetime) -> None:
    """Record that a listing failed: the last complete one stays, the error is kept beside it."""
    if not con.execute("SELECT 1 FROM listings WHERE day = ? AND mailbox = ?", [day, mailbox]).fetchall():
        _write_listing(con, day, mailbox, None, None, None, missing=0)
    con.execute(
        "UPDATE listings SET tried_at = ?, failed_at = coalesce(failed_at, ?), error = ? WHERE day = ? AND mailbox = ?",
        [now, now, printable_line(error, 500), day, mailbox],
    )


def settle_units(con: Connection, day: dt.date, listing: ListingDone, *, now: dt.datetime) -> None:
    """After a complete listing: fetched units are closed, and those that it no longer names are gone."""
    _settle(con, day, listing, listing.locations, now)


def settle_unplaced(con: Connection, listing: ListingDone, unplaced: Collection[str], *, now: dt.datetime) -> None:
    """The same for units without a day; ``unplaced`` are the locations that the listing could not place."""
    _settle(con, None, listing, unplaced, now)


def _settle(
    con: Connection, day: dt.date | None, listing: ListingDone, named: Collection[str], now: dt.datetime
) -> None:
    # A unit that is younger than the listing was found by another run while this one went on: it says nothing of it.
    # One of the future was written before the clock was set back.
    found = con.execute(
        "SELECT unit, state IN ('pending', 'exhausted') AND coalesce(tried_at <= ? OR tried_at > ?, true)"
        " FROM units WHERE stage = ? AND day IS NOT DISTINCT FROM ? AND mailbox = ?",
        [listing.listed_at, now, ledger.FETCH, day, listing.mailbox],
    ).fetchall()
    if not found:
        return
    done = known_locations(con, listing.mailbox, [name for name, _ in found])
    units.clear(con, ledger.FETCH, done, mailbox=listing.mailbox)
    for name in {name for name, ends in found if ends} - done - set(named):
        units.set_state(con, ledger.FETCH, name, UnitState.GONE, day=day, mailbox=listing.mailbox, now=now)


def _write_listing(
    con: Connection,
    day: dt.date | None,
    mailbox: str,
    listed_at: dt.datetime | None,
    messages: int | None,
    digest: str | None,
    *,
    missing: int,
) -> None:
    con.execute("DELETE FROM listings WHERE day = ? AND mailbox = ?", [day, mailbox])
    insert(
        con,
        "listings",
        [
            {
                "mailbox": mailbox,
                "day": day,
                "listed_at": listed_at,
                "messages": messages,
                "listing_digest": digest,
                "missing": missing,
                "tried_at": listed_at,
                "failed_at": None,
                "error": None,
            }
        ],
    )
