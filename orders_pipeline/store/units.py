"""Units that are not simply done: pending with its tries, gone, exhausted, waived.

Belongs here: the ``units`` table, within a transaction of the caller. A unit that succeeds has no row.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from orders_pipeline.encoding import printable_line
from orders_pipeline.models import UnitState
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.ledger import spaced

# A unit that was gone and is named again is taken up again, a few times: a file may have been replaced at the wrong
# moment; a mailbox that goes on to list what it cannot give must not keep a day open.
_BACK = "state = 'gone' AND tries < 3"


def set_state(
    con: Connection,
    stage: str,
    unit: str,
    state: UnitState,
    *,
    day: dt.date | None,
    mailbox: str | None,
    now: dt.datetime,
    error: str | None = None,
) -> None:
    """Set the state of a unit, keeping its tries; each time that it is gone counts as one."""
    tries = _tries(con, stage, unit, mailbox) + (1 if state is UnitState.GONE else 0)
    _write(con, stage, unit, state, day=day, mailbox=mailbox, tries=tries, error=error, now=now, next_try_at=None)


def record_fault(
    con: Connection,
    stage: str,
    unit: str,
    *,
    day: dt.date | None,
    mailbox: str | None,
    error: str,
    uses_try: bool,
    max_tries: int,
    now: dt.datetime,
    first: float,
    limit: float,
    not_before: dt.datetime | None = None,
) -> UnitState:
    """Record that a unit failed once more: pending with a spaced next try, or exhausted when its tries are used up.

    The next try is not before ``not_before``, when that is given.
    """
    tries = _tries(con, stage, unit, mailbox) + (1 if uses_try else 0)
    state = UnitState.EXHAUSTED if uses_try and tries >= max_tries else UnitState.PENDING
    next_try_at = None if state is UnitState.EXHAUSTED else spaced(now, max(tries, 1), first, limit)
    if next_try_at is not None and not_before is not None:
        next_try_at = max(next_try_at, not_before)
    _write(
        con,
        stage,
        unit,
        state,
        day=day,
        mailbox=mailbox,
        tries=tries,
        error=printable_line(error, 500),
        now=now,
        next_try_at=next_try_at,
    )
    return state


def clear(con: Connection, stage: str, units: Iterable[str], *, mailbox: str | None = None) -> None:
    """These units succeeded: no row is kept, a waiver is void."""
    con.execute(
        "DELETE FROM units WHERE stage = ? AND mailbox IS NOT DISTINCT FROM ?"
        " AND unit IN (SELECT unnest(?::VARCHAR[]))",
        [stage, mailbox, list(units)],
    )


def clear_day(con: Connection, stage: str, day: dt.date, *, mailbox: str) -> None:
    """No unit of this stage and mailbox is owed on a day any more; what is waived stays so."""
    con.execute(
        "DELETE FROM units WHERE stage = ? AND day = ? AND mailbox = ? AND state <> 'waived'", [stage, day, mailbox]
    )


def release(con: Connection, keys: Iterable[tuple[str, str | None, str]]) -> None:
    """Make units, each (stage, mailbox, unit), pending and due now, with all their tries before them."""
    for stage, mailbox, unit in keys:
        con.execute(
            "UPDATE units SET state = 'pending', tries = 0, next_try_at = NULL"
            " WHERE stage = ? AND unit = ? AND mailbox IS NOT DISTINCT FROM ?",
            [stage, unit, mailbox],
        )


def open_missing(
    con: Connection, stage: str, units: Iterable[str], *, day: dt.date, mailbox: str, now: dt.datetime, why: str
) -> None:
    """Make units pending that have no state yet, or were gone and are back; exhausted and waived ones stay so."""
    names = sorted(set(units))
    con.execute(
        "UPDATE units SET state = 'pending', day = $day, error = $why, tried_at = $now, next_try_at = NULL"  # noqa: S608
        f" WHERE stage = $stage AND mailbox = $mailbox AND {_BACK} AND unit IN (SELECT unnest($units::VARCHAR[]))",
        {"stage": stage, "day": day, "mailbox": mailbox, "why": why, "now": now, "units": names},
    )
    con.execute(
        """
        INSERT INTO units (stage, day, mailbox, unit, state, tries, error, tried_at, next_try_at)
        SELECT $stage, $day, $mailbox, unit, 'pending', 0, $why, $now, NULL
        FROM (SELECT unnest($units::VARCHAR[]) AS unit)
        WHERE unit NOT IN (SELECT unit FROM units WHERE stage = $stage AND mailbox = $mailbox)
        """,
        {"stage": stage, "day": day, "mailbox": mailbox, "why": why, "now": now, "units": names},
    )


def not_due(con: Connection, stage: str, *, mailbox: str | None) -> set[str]:
    """Units that are not worked on now: exhausted, waived, and gone for good."""
    found = con.execute(
        "SELECT unit FROM units WHERE stage = ? AND mailbox IS NOT DISTINCT FROM ?"  # noqa: S608
        f" AND state <> 'pending' AND NOT ({_BACK})",
        [stage, mailbox],
    )
    return {row[0] for row in found.fetchall()}


def open_count(con: Connection, day: dt.date, stage: str | None = None, *, mailbox: str | None = None) -> int:
    """How many units of a day are open: pending or exhausted."""
    sql = (
        "SELECT count(*) FROM units WHERE day = ? AND state IN ('pending', 'exhausted')"
        " AND (?::VARCHAR IS NULL OR stage = ?) AND (?::VARCHAR IS NULL OR mailbox = ?)"
    )
    return con.execute(sql, [day, stage, stage, mailbox, mailbox]).fetchall()[0][0]


def _tries(con: Connection, stage: str, unit: str, mailbox: str | None) -> int:
    found = con.execute(
        "SELECT tries FROM units WHERE stage = ? AND unit = ? AND mailbox IS NOT DISTINCT FROM ?",
        [stage, unit, mailbox],
    ).fetchall()
    return found[0][0] if found else 0


def _write(
    con: Connection,
    stage: str,
    unit: str,
    state: UnitState,
    *,
    day: dt.date | None,
    mailbox: str | None,
    tries: int,
    error: str | None,
    now: dt.datetime,
    next_try_at: dt.datetime | None,
) -> None:
    con.execute(
        "DELETE FROM units WHERE stage = ? AND unit = ? AND mailbox IS NOT DISTINCT FROM ?", [stage, unit, mailbox]
    )
    con.execute(
        "INSERT INTO units (stage, day, mailbox, unit, state, tries, error, tried_at, next_try_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [stage, day, mailbox, unit, state.value, tries, error, now, next_try_at],
    )
