"""A new state file from the archive.

Belongs here: replacing the state by one that knows every archive file. What is computed (parses, cases, orders) is left
to the stages.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from pathlib import Path

from orders_pipeline.errors import StoreError
from orders_pipeline.store import acts, ledger, mail_rows, model_answers, model_calls, review_rows, waivers
from orders_pipeline.store.archive import Archive
from orders_pipeline.store.attached import log_of
from orders_pipeline.store.folder import sync_folder
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.state import connect, migrate, told, transacting
from orders_pipeline.store.store import Store


def from_archive(store: Store, *, now: dt.datetime) -> None:
    """Build the new state beside the old one and put it in its place with one rename, under the store's lock.

    Raises ``StoreError`` when an archive file is missing or damaged: the old state stays.
    """
    state = store.folder.state
    fresh = state.with_name("state.rebuild.duckdb")
    with store.state.exclusive() as deadline:
        _remove(fresh)
        try:
            _build(store, fresh, deadline, now)
            _take_in_log(store, deadline)
            log_of(state).unlink(missing_ok=True)
            fresh.rename(state)
            sync_folder(state.parent)
        except OSError as error:
            raise StoreError(f"cannot rebuild {state}: {error.strerror or error}; the old state stays") from None
        finally:
            _remove(fresh)


def _build(store: Store, fresh: Path, deadline: float, now: dt.datetime) -> None:
    con = connect(fresh, deadline)
    try:
        with told(fresh):
            migrate(con, fresh)
            with transacting(con):
                con.execute("INSERT INTO store_meta VALUES ('zone', ?)", [store.zone.key])
                _adopt_all(con, store.archive)
                _write_fetch_ledger(con, now)
                # A generation of its own, so that the published copy counts as behind.
                con.execute(
                    "UPDATE store_meta SET value = ? WHERE key = 'generation'", [str(int(now.timestamp() * 1_000_000))]
                )
            # Not left to closing, which is silent when it fails: what stays in the log would not come along.
            con.execute("CHECKPOINT")
    finally:
        con.close()


def _take_in_log(store: Store, deadline: float) -> None:
    """Until the rename the old state must stand whole, and what is in its log alone is a part of it. One that cannot
    be read is why somebody rebuilds."""
    if store.folder.state.exists():
        with contextlib.suppress(StoreError), store.state.connected(deadline) as con:
            con.execute("CHECKPOINT")


def _remove(fresh: Path) -> None:
    for path in (fresh, log_of(fresh)):
        path.unlink(missing_ok=True)


def _adopt_all(con: Connection, archive: Archive) -> None:
    acts.adopt(con, archive)  # first: what was forgotten stays so
    mail_rows.adopt_mails(con, archive, archive.all_files("mail"))
    mail_rows.drop_orphans(con)
    mail_rows.adopt_listings(con, archive, archive.all_files("listings"))
    for path in archive.all_files("verdicts"):
        review_rows.adopt_verdicts(con, archive, path)
    for path in archive.all_files(model_answers.KIND):
        model_answers.adopt_file(con, archive, path)
    for path in archive.all_files(model_calls.KIND):
        model_calls.adopt_file(con, archive, path)
    waivers.apply_all(con)


def _write_fetch_ledger(con: Connection, now: dt.datetime) -> None:
    """The fetch row of every day that was listed or has mail; whether it is complete, the listings say."""
    days = con.execute(
        "SELECT day FROM listings UNION SELECT day FROM messages WHERE day IS NOT NULL ORDER BY day"
    ).fetchall()
    for (day,) in days:
        digest, count = ledger.mail_digest(con, day)
        ledger.write_stage(
            con,
            ledger.FETCH,
            day,
            input_digest="",
            output_digest=digest,
            row_count=count,
            version="rebuild",
            now=now,
            run_id=None,
        )
