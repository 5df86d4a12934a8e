"""The history of the golden set's scores in the tables.

Belongs here: appending and reading it. Not here: scoring. The history is no one's decision and can be lost: a store
made again from its archive begins a new one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from orders_pipeline.store.frames import Connection, insert, rows

NAME = "parser_scores"
KEPT = 1000  # reports are some 300 bytes a case


def last_row(con: Connection) -> dict[str, Any] | None:
    """The last score."""
    found = rows(con, f"SELECT * FROM {NAME} ORDER BY scored_at DESC LIMIT 1")  # noqa: S608
    return found[0] if found else None


def baseline_rows(con: Connection, before: dt.datetime | None) -> list[dict[str, Any]]:
    """The last score in which nothing was broken and those after it, oldest first: what a new one is held against.

    ``before`` leaves out that instant and what is later. At most 50 rows.
    """
    earlier = f"SELECT * FROM {NAME} WHERE ?::TIMESTAMPTZ IS NULL OR scored_at < ?"  # noqa: S608
    return rows(
        con,
        f"WITH earlier AS ({earlier}) SELECT * FROM earlier"  # noqa: S608
        " WHERE scored_at >= (SELECT max(scored_at) FROM earlier WHERE broken = 0) ORDER BY scored_at LIMIT 50",
        [before, before],
    )


def history(con: Connection, limit: int) -> list[dict[str, Any]]:
    """The last scores without their reports, oldest first."""
    sql = f"SELECT * EXCLUDE (report) FROM {NAME} ORDER BY scored_at DESC LIMIT ?"  # noqa: S608
    return rows(con, sql, [limit])[::-1]


def append(con: Connection, row: Mapping[str, Any]) -> None:
    """Add a score, and drop the oldest beyond what is kept."""
    insert(con, NAME, [row])
    con.execute(
        f"DELETE FROM {NAME} WHERE scored_at < (SELECT min(scored_at) FROM (SELECT scored_at FROM {NAME}"  # noqa: S608
        " ORDER BY scored_at DESC LIMIT ?))",
        [KEPT],
    )


def note_refresh(con: Connection, digest: str, cases: int, now: dt.datetime) -> None:
    """Note what the scores were last computed from."""
    con.execute("DELETE FROM refreshes WHERE name = ?", [NAME])
    con.execute("INSERT INTO refreshes VALUES (?, ?, ?, ?)", [NAME, digest, cases, now])


def refreshed_digest(con: Connection) -> str | None:
    """What the scores were last computed from; None when they never were."""
    found = con.execute("SELECT input_digest FROM refreshes WHERE name = ?", [NAME]).fetchall()
    return found[0][0] if found else None
