"""Taking messages out of archive and tables.

Belongs here: the one way in which anything leaves the archive. Files that hold a message are written again without it
under new names, the tables take the new names in the transaction that drops the message, and then the old files go. A
kill leaves the old or the new, never neither: adoption passes over what was forgotten and over rows that are there, so
a file of either kind that stays behind changes nothing, and running again removes it.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Collection
from pathlib import Path
from typing import Any

from orders_pipeline.errors import StoreError
from orders_pipeline.store import ledger
from orders_pipeline.store.archive import Archive, day_of_file
from orders_pipeline.store.attached import log_of
from orders_pipeline.store.folder import sync_folder
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.state import connect, migrate, told
from orders_pipeline.store.store import Store

_BY_MESSAGE = (
    "messages", "parse_outcomes", "parsed_orders", "verdicts", "model_answers", "proposed_eval_cases", "case_queue",
)  # fmt: skip
_LINGERS = "dropped_rows_linger"  # a key of store_meta


def files_with(archive: Archive, ids: Collection[str]) -> list[str]:
    """Every archive file that holds something of these messages: bytes, verdicts, decisions. Reads all files' keys."""
    found = [path for path in archive.all_files("mail") if _has_bytes(archive, path, ids)]
    wanted = set(ids)
    found += [
        path
        for kind in ("verdicts", "answers")
        for path in archive.all_files(kind)
        if not wanted.isdisjoint(archive.read(path, ["message_id"])["message_id"].to_pylist())
    ]
    return found + [path for path in archive.all_files("acts") if decided_on(archive.read_act(path)) in ids]


def decided_on(act: dict[str, Any]) -> str | None:
    """The message whose content an act keeps a snapshot of; None for other acts."""
    snapshot = act["payload"].get("snapshot") if isinstance(act["payload"], dict) else None
    return snapshot.get("message_id") if isinstance(snapshot, dict) else None


def rewrite(con: Connection, archive: Archive, path: str, ids: Collection[str]) -> None:
    """Write a file again without these messages, and let the tables name the new file. The old one stays for now."""
    kind, day, new = path.partition("/")[0], None, None
    if kind != "acts":
        day = day_of_file(path)
        kept = [r for row in archive.read(path).to_pylist() if (r := _without(kind, row, ids))]
        new = archive.save(kind, day, kept) if kept else None
    known = con.execute("SELECT count(*) FROM archive_files WHERE path = ?", [path]).fetchall()[0][0]
    con.execute("DELETE FROM archive_files WHERE path = ?", [path])
    if new and known:
        con.execute(
            "INSERT INTO archive_files SELECT ?, ?, ? WHERE NOT EXISTS (FROM archive_files WHERE path = ?)",
            [new, kind, day, new],
        )
    for table in ("messages", "verdicts", "model_answers"):
        con.execute(f"UPDATE {table} SET archive_file = ? WHERE archive_file = ?", [new or "", path])  # noqa: S608


def drop_rows(con: Connection, ids: Collection[str], *, now: dt.datetime) -> list[dt.date]:
    """Drop every row of these messages, decisions on them included; returns their days, which are then not done."""
    names = [list(ids)]
    within = "IN (SELECT unnest(?::VARCHAR[]))"
    days = [
        r["day"]
        for r in rows(con, f"SELECT DISTINCT day FROM messages WHERE day IS NOT NULL AND message_id {within}", names)  # noqa: S608
    ]
    orders = "SELECT order_id FROM orders WHERE list_has_any(message_ids, ?::VARCHAR[])"
    for table in ("shipments", "order_alerts", "orders"):
        con.execute(f"DELETE FROM {table} WHERE order_id IN ({orders})", names)  # noqa: S608
    for table in _BY_MESSAGE:
        con.execute(f"DELETE FROM {table} WHERE message_id {within}", names)  # noqa: S608
    con.execute(f"DELETE FROM units WHERE stage IN ('parse', 'review') AND unit {within}", names)  # noqa: S608
    con.execute(f"DELETE FROM acts WHERE payload ->> '$.snapshot.message_id' {within}", names)  # noqa: S608
    con.execute("DELETE FROM refreshes")
    con.execute("DELETE FROM store_meta WHERE key = ?", [_LINGERS])
    con.execute("INSERT INTO store_meta VALUES (?, 'yes')", [_LINGERS])
    for day in days:
        ledger.follow_mail(con, day, now=now)
    return sorted(days)


def delete(archive: Archive, paths: Collection[str]) -> None:
    """Delete files that no table names any more."""
    for path in paths:
        (archive.root / path).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            sync_folder((archive.root / path).parent)


def lingers(con: Connection) -> bool:
    """Whether rows were dropped since the state file was last written anew: their bytes may still be in it."""
    return bool(con.execute("SELECT 1 FROM store_meta WHERE key = ?", [_LINGERS]).fetchall())


def compact(store: Store) -> None:
    """Write the state file anew, so that no deleted row lingers in its free blocks; one rename, under the lock.

    Raises ``StoreError`` when the disk refuses; the state stays, and running again goes on.
    """
    state = store.folder.state
    fresh = state.with_name("state.compact.duckdb")
    try:
        with store.state.exclusive() as deadline:
            _unlink(fresh)
            _copy(state, fresh, deadline)
            fresh.chmod(0o600)
            log_of(state).unlink(missing_ok=True)
            fresh.rename(state)
            sync_folder(state.parent)
    except OSError as error:
        raise StoreError(
            f"cannot write {state} anew: {error.strerror or error}; dropped rows may linger in it: mend the disk, then"
            " run forget again"
        ) from None


def _copy(state: Path, fresh: Path, deadline: float) -> None:
    """All tables into a new file, of a generation of its own."""
    con = connect(state, deadline)
    try:
        with told(state):
            migrate(con, state)
            name = con.execute("SELECT current_database()").fetchall()[0][0]
            con.execute(f"ATTACH '{str(fresh).replace(chr(39), chr(39) * 2)}' AS fresh (STORAGE_VERSION 'v1.5.0')")
            con.execute(f'COPY FROM DATABASE "{name}" TO fresh')
            con.execute("DELETE FROM fresh.store_meta WHERE key = ?", [_LINGERS])
            # Else a copy that was published before this, deleted rows in its free blocks, would count as up to date.
            con.execute("UPDATE fresh.store_meta SET value = (value::BIGINT + 1)::VARCHAR WHERE key = 'generation'")
            con.execute("DETACH fresh")
    finally:
        con.close()


def _unlink(path: Path) -> None:
    for leftover in (path, log_of(path)):
        leftover.unlink(missing_ok=True)


def _has_bytes(archive: Archive, path: str, ids: Collection[str]) -> bool:
    table = archive.read(path, ["message_id", "has_raw"])
    pairs = zip(table["message_id"].to_pylist(), table["has_raw"].to_pylist(), strict=True)
    return any(has_raw and message_id in ids for message_id, has_raw in pairs)


def _without(kind: str, row: dict[str, Any], ids: Collection[str]) -> dict[str, Any] | None:
    if row["message_id"] not in ids:
        return row
    if kind != "mail":
        return None
    # Where it lies in the mailbox stays known: it must not be fetched again.
    return {**row, "raw": None, "has_raw": False, "received_at": None, "size": 0}
