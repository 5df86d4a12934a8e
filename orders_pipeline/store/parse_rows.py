"""Parses in the tables: what a day has to parse, and committing what came of it.

Belongs here: what the parse stage reads and replaces, as rows by column name. Not here: parsing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orders_pipeline.store import ledger, units
from orders_pipeline.store.frames import Connection, insert, rows

BY_MODEL = "model"  # the mailbox of the units of mails that a model is to read


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseInput:
    """What a day has to parse: the digest of its mail, its messages, and the ids that are parsed already.

    ``messages`` has the columns message_id, received_at, size (bytes), archive_file, without those that a person
    waived. What a person wants parsed once more does not count as parsed, nor what a model is to be asked about again.
    ``aside`` are the messages about which no model is asked: out of tries, or waived.
    """

    fetch_digest: str
    messages: Sequence[Mapping[str, Any]]
    parsed: frozenset[str]
    aside: frozenset[str]


def read_input(con: Connection, day: dt.date) -> ParseInput | None:
    """The input of a day's parsing; None when the day was never fetched."""
    fetched = ledger.read_stage(con, ledger.FETCH, day)
    if fetched is None:
        return None
    messages = rows(
        con,
        "SELECT message_id, received_at, size, archive_file FROM messages WHERE day = ? AND message_id NOT IN"
        " (SELECT unit FROM units WHERE stage = 'parse' AND state = 'waived' AND mailbox IS NULL) ORDER BY message_id",
        [day],
    )
    done = rows(
        con,
        "SELECT message_id FROM parse_outcomes WHERE day = ? AND message_id NOT IN"
        " (SELECT unit FROM units WHERE stage = 'parse' AND state <> 'waived'"
        " AND (mailbox IS NULL OR state = 'pending'))",
        [day],
    )
    aside = rows(
        con,
        "SELECT unit FROM units WHERE stage = 'parse' AND day = ? AND mailbox = ? AND state <> 'pending'",
        [day, BY_MODEL],
    )
    return ParseInput(
        fetch_digest=fetched.output_digest,
        messages=messages,
        parsed=frozenset(r["message_id"] for r in done),
        aside=frozenset(r["unit"] for r in aside),
    )


def replace(
    con: Connection,
    day: dt.date,
    *,
    fetch_digest: str,
    outcomes: Sequence[Mapping[str, Any]],
    orders: Sequence[Mapping[str, Any]],
    version: str,
    now: dt.datetime,
    run_id: str | None,
) -> ledger.StageDay:
    """Replace the parses of the messages in ``outcomes``, drop those of messages that are no more, write the ledger.

    Raises ``StaleInput`` when the day's mail is no longer what ``fetch_digest`` names.
    """
    ledger.require_input(con, ledger.FETCH, day, fetch_digest)
    ids = [row["message_id"] for row in outcomes]
    for table in ("parse_outcomes", "parsed_orders"):
        con.execute(
            f"DELETE FROM {table} WHERE day = ? AND (message_id IN (SELECT unnest(?::VARCHAR[]))"  # noqa: S608
            " OR message_id NOT IN (SELECT message_id FROM messages WHERE day = ?))",
            [day, ids, day],
        )
    insert(con, "parse_outcomes", outcomes)
    insert(con, "parsed_orders", orders)
    units.clear(con, ledger.PARSE, ids)
    pairs = con.execute("SELECT message_id, parse_digest FROM parse_outcomes WHERE day = ?", [day]).fetchall()
    oldest = con.execute("SELECT min(parser_version) FROM parse_outcomes WHERE day = ?", [day]).fetchall()[0][0]
    return ledger.write_stage(
        con,
        ledger.PARSE,
        day,
        input_digest=fetch_digest,
        output_digest=ledger.pairs_digest(pairs),
        row_count=len(pairs),
        version=oldest or version,
        now=now,
        run_id=run_id,
    )
