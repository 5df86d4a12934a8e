"""What people decided: saved as files first, then in the tables.

Belongs here: saving and adopting acts (decisions and their undoing, waivers, snoozes, acknowledgements, tombstones). An
act is never changed or overwritten; a later one on the same subject stands.
"""

from __future__ import annotations

import datetime as dt
import getpass
import secrets
from collections.abc import Mapping
from typing import Any

from orders_pipeline.encoding import canonical_json
from orders_pipeline.errors import SavedNotShown, StoreError
from orders_pipeline.store import waivers
from orders_pipeline.store.archive import Archive
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.store import Store

DECISION, UNDO, SNOOZE, ACK = "decision", "undo", "snooze", "ack"


def save(store: Store, kind: str, subject: str, payload: Mapping[str, Any], *, now: dt.datetime) -> str:
    """Save an act in the archive, then take it into the tables; returns its id. The file is the save."""
    with store.state.reading() as con:
        last = con.execute("SELECT max(acted_at) FROM acts WHERE subject = ?", [subject]).fetchall()[0][0]
    return save_after(store, kind, subject, payload, last=last, now=now)


def save_after(
    store: Store, kind: str, subject: str, payload: Mapping[str, Any], *, last: dt.datetime | None, now: dt.datetime
) -> str:
    """As ``save``, where the caller knows when the ``last`` act on the subject was.

    Raises ``SavedNotShown`` when the act is saved, and the tables cannot take it in now.
    """
    if last is not None and last >= now:
        now = last + dt.timedelta(microseconds=1)  # a clock set back must not put this act before an older one
    act_id = f"{now.astimezone(dt.UTC):%Y%m%dT%H%M%S%fZ}-{secrets.token_hex(4)}"
    act = {
        "act_id": act_id,
        "kind": kind,
        "subject": subject,
        "payload": dict(payload),
        "who": whoami(),
        "acted_at": now.isoformat(),
    }
    store.archive.save_act(act)
    try:
        with store.state.transaction() as con:
            adopt(con, store.archive)
    except StoreError as error:
        raise SavedNotShown(f"this is saved, and shows once the store has taken it in: {error}") from None
    return act_id


def adopt(con: Connection, archive: Archive) -> int:
    """Take acts that no table knows yet into the tables; returns how many."""
    fresh = {path: archive.read_act(path) for path in unknown(con, archive)}
    for path, act in fresh.items():
        con.execute(
            "INSERT INTO acts (act_id, kind, subject, payload, who, acted_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                act["act_id"],
                act["kind"],
                act["subject"],
                canonical_json(act["payload"]),
                act["who"],
                dt.datetime.fromisoformat(act["acted_at"]),
            ],
        )
        con.execute("INSERT INTO archive_files VALUES (?, 'acts', NULL)", [path])
    found = [
        {**act, "acted_at": dt.datetime.fromisoformat(act["acted_at"])}
        for act in fresh.values()
        if act["kind"] == waivers.WAIVER
    ]
    waivers.apply(con, found)
    return len(fresh)


def unknown(con: Connection, archive: Archive) -> list[str]:
    """The saved acts that no table knows: those of a process that was killed before it took them in."""
    known = {row[0] for row in con.execute("SELECT path FROM archive_files WHERE kind = 'acts'").fetchall()}
    return [path for path in archive.all_files("acts") if path not in known]


def whoami() -> str:
    """The name of the user who acts; "unknown" when the system does not tell."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
