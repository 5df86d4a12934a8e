"""What the sensor, the checks and the status command read of the store, in one short transaction.

Belongs here: reads over all days. Not here: deciding anything from them (progress.py, quality/).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from orders_pipeline.progress import DayLedger, StageMark
from orders_pipeline.store.frames import Connection, rows

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
# One that was never tried waits for nothing.
_OPEN = """
    SELECT day, count(*) FILTER (state = 'pending') AS pending, count(*) FILTER (state = 'exhausted') AS exhausted,
        CASE WHEN count(*) FILTER (state = 'pending' AND next_try_at IS NULL) = 0
        THEN min(next_try_at) FILTER (state = 'pending') END AS next_try_at FROM units
"""


def read_ledger(con: Connection, days: Collection[dt.date] | None = None) -> dict[dt.date, DayLedger]:
    """Every day that the store knows anything of, or those of ``days`` that it does."""
    if days is not None and not days:
        return {}
    wanted = [] if days is None else [sorted(days)]
    of_days = "" if days is None else "AND day IN (SELECT unnest(?::DATE[]))"
    marks: dict[str, dict[dt.date, StageMark]] = {}
    known: set[dt.date] = set()
    sql = f"SELECT stage, day, input_digest, output_digest FROM stage_days WHERE true {of_days}"  # noqa: S608
    for stage, day, given, made in con.execute(sql, wanted).fetchall():
        known.add(day)
        marks.setdefault(stage, {})[day] = StageMark(input_digest=given, output_digest=made)
    listed: dict[dt.date, dict[str, dt.datetime]] = {}
    instants: dict[int, dt.datetime] = {}  # most days are listed by few runs; a time as DuckDB gives it costs 2 µs
    sql = f"SELECT day, mailbox, epoch_us(listed_at) FROM listings WHERE listed_at IS NOT NULL {of_days}"  # noqa: S608
    for day, mailbox, us in con.execute(sql, wanted).fetchall():
        if us not in instants:
            instants[us] = EPOCH + dt.timedelta(microseconds=us)
        listed.setdefault(day, {})[mailbox] = instants[us]
    units = {row["day"]: row for row in rows(con, f"{_OPEN} WHERE day IS NOT NULL {of_days} GROUP BY day", wanted)}
    tries = {row["day"]: row for row in rows(con, f"SELECT * FROM day_tries WHERE true {of_days}", wanted)}  # noqa: S608
    fetch, parse, review = (marks.get(stage, {}) for stage in ("fetch", "parse", "review"))
    out = {}
    for day in known | set(listed) | set(units) | set(tries):
        unit, tried = units.get(day), tries.get(day)
        out[day] = DayLedger(
            day=day,
            fetch=fetch.get(day),
            parse=parse.get(day),
            review=review.get(day),
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
    """A digest of every day's parses and cases and of the decisions: when it changes, current state is behind.

    A sum of hashes, in any order: sorting and joining the digests of ten years took a tick 3 ms more.
    """
    return con.execute(
        """
        SELECT md5(concat_ws(',', sum(hash(stage, day, output_digest)), count(*), (SELECT count(*) FROM acts)))
        FROM stage_days WHERE stage IN ('parse', 'review')
        """
    ).fetchall()[0][0]


def refreshed_digests(con: Connection) -> dict[str, tuple[str, dt.datetime]]:
    """For each unpartitioned table: the digest it was computed from, and when."""
    found = rows(con, "SELECT name, input_digest, refreshed_at FROM refreshes")
    return {r["name"]: (r["input_digest"], r["refreshed_at"]) for r in found}
