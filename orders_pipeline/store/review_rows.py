"""Verdicts and proposed cases in the tables.

Belongs here: what the review stage reads and replaces. Not here: judging, or deriving cases.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orders_pipeline.encoding import digest_of
from orders_pipeline.store import ledger
from orders_pipeline.store.archive import Archive, day_of_file
from orders_pipeline.store.frames import Connection, insert, rows
from orders_pipeline.store.fresh_files import fresh_files
from orders_pipeline.store.tombstones import FORGOTTEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewInput:
    """What a day has to review: the digest of its parses, its outcomes, the verdicts that stand, and units put aside.

    ``outcomes`` are rows of parse_outcomes, ``verdicts`` those of verdicts, of each judge the last one on each
    parse. ``panels`` names, for each (message, parse) that was judged, the judges that were asked when it first was.
    ``put_aside`` holds the units (mailbox, message) that are not worked on, ``waived`` those that a person waived.
    """

    parse_digest: str
    outcomes: Sequence[Mapping[str, Any]]
    verdicts: Sequence[Mapping[str, Any]]
    panels: Mapping[tuple[str, str], frozenset[str]]
    put_aside: frozenset[tuple[str | None, str]]
    waived: frozenset[tuple[str | None, str]]


def adopt(con: Connection, archive: Archive, day: dt.date) -> int:
    """Take the day's verdict files that no table knows yet into the tables; returns how many files."""
    fresh = fresh_files(con, archive, "verdicts", day)
    for path in fresh:
        adopt_verdicts(con, archive, path)
    return len(fresh)


def adopt_verdicts(con: Connection, archive: Archive, path: str) -> None:
    """Take one verdict file into the tables. Of two verdicts of one judge on one parse the later stands.

    A verdict that is there already (its file was rewritten), or one on a forgotten message, is passed over.
    """
    day = day_of_file(path)
    con.register("saved_verdicts", archive.read(path))
    try:
        con.execute(
            f"""
            INSERT INTO verdicts BY NAME
            SELECT ?::DATE AS day, message_id, parse_digest, judge, judge_version, reasons <> '[]' AS suspect, reasons,
                judged_at, ? AS archive_file, panel, confidence
            FROM saved_verdicts s
            WHERE message_id NOT IN {FORGOTTEN} AND NOT EXISTS (
                FROM verdicts v WHERE v.day = ?::DATE AND v.message_id = s.message_id
                    AND v.parse_digest = s.parse_digest AND v.judge = s.judge AND v.judged_at = s.judged_at
            )
            """,  # noqa: S608  (a constant)
            [day, path, day],
        )
    finally:
        con.unregister("saved_verdicts")
    con.execute("INSERT INTO archive_files VALUES (?, 'verdicts', ?)", [path, day])


def read_input(con: Connection, day: dt.date) -> ReviewInput | None:
    """The input of a day's review; None when the day was never parsed."""
    parsed = ledger.read_stage(con, ledger.PARSE, day)
    if parsed is None:
        return None
    put_aside = rows(
        con,
        "SELECT mailbox, unit, state FROM units WHERE stage = ? AND day = ? AND state <> 'pending'",
        [ledger.REVIEW, day],
    )
    # Verdicts of before there were several judges name no panel: they were the one judge's.
    first = rows(
        con,
        "SELECT message_id, parse_digest, arg_min(coalesce(panel, judge), judged_at) AS panel FROM verdicts"
        " WHERE day = ? GROUP BY ALL",
        [day],
    )
    return ReviewInput(
        parse_digest=parsed.output_digest,
        outcomes=rows(con, "SELECT * FROM parse_outcomes WHERE day = ? ORDER BY message_id", [day]),
        verdicts=rows(
            con,
            "SELECT * FROM verdicts WHERE day = ? QUALIFY row_number() OVER"
            " (PARTITION BY message_id, parse_digest, judge ORDER BY judged_at DESC, archive_file) = 1"
            " ORDER BY message_id, judge",
            [day],
        ),
        panels={(r["message_id"], r["parse_digest"]): frozenset(r["panel"].split(",")) for r in first},
        put_aside=frozenset((r["mailbox"], r["unit"]) for r in put_aside),
        waived=frozenset((r["mailbox"], r["unit"]) for r in put_aside if r["state"] == "waived"),
    )


def drop_units_of_others(con: Connection, day: dt.date, mailboxes: Sequence[str | None]) -> None:
    """Drop the open units of judges that are no longer asked; ``mailboxes`` are those of the judges that are."""
    con.execute(
        "DELETE FROM units WHERE stage = ? AND day = ? AND state <> 'waived' AND coalesce(mailbox, '')"
        " NOT IN (SELECT unnest(?::VARCHAR[]))",
        [ledger.REVIEW, day, [m or "" for m in mailboxes]],
    )


def replace(
    con: Connection,
    day: dt.date,
    *,
    parse_digest: str,
    cases: Sequence[Mapping[str, Any]],
    judged: int,
    version: str,
    now: dt.datetime,
    run_id: str | None,
) -> ledger.StageDay:
    """Replace the day's proposed cases and write the ledger; ``judged`` is the number of verdicts that stand.

    Raises ``StaleInput`` when the day's parses are no longer what ``parse_digest`` names.
    """
    ledger.require_input(con, ledger.PARSE, day, parse_digest)
    con.execute("DELETE FROM proposed_eval_cases WHERE day = ?", [day])
    insert(con, "proposed_eval_cases", cases)
    content = digest_of([str(judged), *(f"{c['case_id']} {c['message_id']} {c['reasons']}" for c in cases)])
    return ledger.write_stage(
        con,
        ledger.REVIEW,
        day,
        input_digest=parse_digest,
        output_digest=content,
        row_count=len(cases),
        version=version,
        now=now,
        run_id=run_id,
    )
