"""What the sensor, the checks and the status command read of the store, in one short transaction.

Belongs here: reads over all days. Not here: deciding anything from them (progress.py, quality/).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from orders_pipeline.progress import DayLedger, StageMark
from orders_pipeline.store.frames import Connection, rows


def read_ledger(con: Connection) -> dict[dt.date, DayLedger]:
    """Every day that the store knows anything of."""
    marks: dict[tuple[str, dt.date], StageMark] = {}
    days: set[dt.date] = set()
    for row in rows(con, "SELECT stage, day, input_digest, output_digest FROM stage_days"):
        days.add(row["day"])
        marks[row["stage"], row["day"]] = StageMark(
            input_digest=row["input_digest"], output_digest=row["output_digest"]
        )
    listed: dict[dt.date, dict[str, dt.datetime]] = {}
    for row in rows(con, "SELECT day, mailbox, listed_at FROM listings WHERE listed_at IS NOT NULL"):
        listed.setdefault(row["day"], {})[row["mailbox"]] = row["listed_at"]
    units = {
        row["day"]: row
        for row in rows(
            con,
            "SELECT day, count(*) FILTER (state = 'pending') AS pending,"
            " count(*) FILTER (state = 'exhausted') AS exhausted,"
            # One that was never tried waits for nothing.
            " CASE WHEN count(*) FILTER (state = 'pending' AND next_try_at IS NULL) = 0"
            " THEN min(next_try_at) FILTER (state = 'pending') END AS next_try_at"
            " FROM units WHERE day IS NOT NULL GROUP BY day",
        )
    }
    tries = {row["day"]: row for row in rows(con, "SELECT * FROM day_tries")}
    out = {}
    for day in days | set(listed) | set(units) | set(tries):
        unit, tried = units.get(day), tries.get(day)
        out[day] = DayLedger(
            day=day,
            fetch=marks.get(("fetch", day)),
            parse=marks.get(("parse", day)),
            review=marks.get(("review", day)),
            listed=listed.get(day, {}),
            pending=unit["pending"] if unit else 0,
            exhausted=unit["exhausted"] if unit else 0,
            next_unit_try_at=unit["next_try_at"] if unit else None,
            tries=tried["tries"] if tried else 0,
            next_try_at=tried["next_try_at"] if tried else None,
            error=tried["error"] if tried else None,
        )
    return out


def parse_state_digest(con: Connection) -> str:
    """A digest of every day's parses and cases and of the decisions: when it changes, current state is behind."""
    return con.execute(
        """
        SELECT md5(coalesce((SELECT string_agg(stage || day || output_digest, ',' ORDER BY stage, day) FROM stage_days
            WHERE stage IN ('parse', 'review')), '') || (SELECT count(*)::VARCHAR FROM acts))
        """
    ).fetchall()[0][0]


def refreshed_digests(con: Connection) -> dict[str, tuple[str, dt.datetime]]:
    """For each unpartitioned table: the digest it was computed from, and when."""
    found = rows(con, "SELECT name, input_digest, refreshed_at FROM refreshes")
    return {r["name"]: (r["input_digest"], r["refreshed_at"]) for r in found}


def last_relisted(con: Connection, mailboxes: Mapping[str, dt.date | None]) -> dict[dt.date, dt.datetime]:
    """For each listed day the oldest of its mailboxes' last tries to list it, whether they succeeded or not.

    ``mailboxes`` maps a name to the first day that it owes (None: all). What nobody owes any more is not looked at: it
    would be due for ever.
    """
    sql = "SELECT day, mailbox, coalesce(tried_at, listed_at) AS tried FROM listings WHERE listed_at IS NOT NULL"
    out: dict[dt.date, dt.datetime] = {}
    for row in rows(con, sql):
        since = mailboxes.get(row["mailbox"], dt.date.max)
        if since is None or since <= row["day"]:
            out[row["day"]] = min(row["tried"], out.get(row["day"], row["tried"]))
    return out
