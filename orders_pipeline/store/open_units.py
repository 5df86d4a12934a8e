"""Finding the units that a person names, and releasing them.

Belongs here: the queries behind ``retry`` and ``waive``, within a transaction of the caller. Not here: what a command
says of them (stages/).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from orders_pipeline.store import ledger
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.waivers import Key

_COLUMNS = "stage, day, mailbox, unit, state, tries, error"
FAILED_PARSE = "failed parse"
NO_OUTCOME = "no outcome"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit as the tables know it. A failed parse (state "failed parse") has an outcome and no row of its own."""

    stage: str
    day: dt.date | None
    mailbox: str | None
    unit: str
    state: str
    tries: int = 0
    error: str | None = None

    @property
    def key(self) -> Key:
        """What the tables know it by."""
        return self.stage, self.mailbox, self.unit


def every(con: Connection) -> list[Unit]:
    """Every unit with a row: pending, exhausted, gone and waived."""
    return [Unit(**r) for r in rows(con, f"SELECT {_COLUMNS} FROM units ORDER BY day, stage, mailbox, unit")]  # noqa: S608


def failed_parses(con: Connection) -> list[Unit]:
    """Every message whose parse failed and that is not about to be parsed again."""
    found = rows(
        con,
        "SELECT day, message_id AS unit, reason AS error FROM parse_outcomes WHERE outcome = 'failed'"
        " AND message_id NOT IN (SELECT unit FROM units WHERE stage = 'parse') ORDER BY day, message_id",
    )
    return [Unit(stage=ledger.PARSE, mailbox=None, state=FAILED_PARSE, **r) for r in found]


def without_outcome(con: Connection) -> list[Unit]:
    """Every message with a day that has no outcome (its day fails before it gets one), and no row yet."""
    found = rows(
        con,
        "SELECT day, message_id AS unit FROM messages WHERE day IS NOT NULL"
        " AND message_id NOT IN (SELECT message_id FROM parse_outcomes)"
        " AND message_id NOT IN (SELECT unit FROM units WHERE stage = 'parse') ORDER BY day, message_id",
    )
    return [Unit(stage=ledger.PARSE, mailbox=None, state=NO_OUTCOME, **r) for r in found]


def open_parse(con: Connection, units: Iterable[Unit], *, now: dt.datetime) -> None:
    """Give failed parses a pending unit: their days reopen, and they are parsed again."""
    for unit in units:
        con.execute(
            "INSERT INTO units (stage, day, mailbox, unit, state, tries, error, tried_at, next_try_at)"
            " SELECT 'parse', ?, NULL, ?, 'pending', 0, ?, ?, NULL"
            " WHERE NOT EXISTS (FROM units WHERE stage = 'parse' AND unit = ?)",
            [unit.day, unit.unit, f"to be parsed again; before: {unit.error}"[:500], now, unit.unit],
        )


def waiting_days(con: Connection) -> list[dt.date]:
    """The days that ended badly and wait for their next try."""
    return [r["day"] for r in rows(con, "SELECT day FROM day_tries ORDER BY day")]


def release_days(con: Connection, days: Sequence[dt.date]) -> None:
    """Let days be tried at once, with all their tries before them."""
    con.execute("DELETE FROM day_tries WHERE day IN (SELECT unnest(?::DATE[]))", [list(days)])
