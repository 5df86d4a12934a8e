"""The ledger: what each stage of each day was made from, and what it gave.

Belongs here: ``stage_days`` and ``day_tries``, within a transaction of the caller. Not here: what done means
(progress.py decides it from these rows).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from orders_pipeline.encoding import digest_of, printable_line
from orders_pipeline.errors import StaleInput
from orders_pipeline.store.frames import Connection, rows

FETCH, PARSE, REVIEW = "fetch", "parse", "review"
STAGES = (FETCH, PARSE, REVIEW)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageDay:
    """One ledger row: a stage of a day, the digest of its input and of its output, and when it was committed."""

    stage: str
    day: dt.date
    input_digest: str
    output_digest: str
    row_count: int
    version: str
    first_done_at: dt.datetime
    committed_at: dt.datetime
    run_id: str | None


def read_stage(con: Connection, stage: str, day: dt.date) -> StageDay | None:
    """The ledger row of one stage of one day, or None."""
    found = rows(con, "SELECT * FROM stage_days WHERE stage = ? AND day = ?", [stage, day])
    return StageDay(**found[0]) if found else None


def write_stage(
    con: Connection,
    stage: str,
    day: dt.date,
    *,
    input_digest: str,
    output_digest: str,
    row_count: int,
    version: str,
    now: dt.datetime,
    run_id: str | None,
) -> StageDay:
    """Replace the ledger row of a stage of a day; part of the transaction that replaces its rows."""
    before = con.execute(
        "DELETE FROM stage_days WHERE stage = ? AND day = ? RETURNING first_done_at", [stage, day]
    ).fetchall()
    row = StageDay(
        stage=stage,
        day=day,
        input_digest=input_digest,
        output_digest=output_digest,
        row_count=row_count,
        version=version,
        first_done_at=before[0][0] if before else now,
        committed_at=now,
        run_id=run_id,
    )
    con.execute(
        "INSERT INTO stage_days (stage, day, input_digest, output_digest, row_count, version, first_done_at,"
        " committed_at, run_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [stage, day, input_digest, output_digest, row_count, version, row.first_done_at, now, run_id],
    )
    return row


def require_input(con: Connection, stage: str, day: dt.date, digest: str) -> None:
    """Compare-and-set: raise ``StaleInput`` unless the stage's output still has the digest that was read."""
    now = read_stage(con, stage, day)
    if now is None or now.output_digest != digest:
        raise StaleInput(f"the {stage} output of {day} changed while it was worked on; nothing was written")


def mail_digest(con: Connection, day: dt.date) -> tuple[str, int]:
    """The digest of a day's mail, from its sorted message ids, and their count. Locations play no part."""
    ids = [r[0] for r in con.execute("SELECT message_id FROM messages WHERE day = ? ORDER BY 1", [day]).fetchall()]
    return digest_of(ids), len(ids)


def follow_mail(con: Connection, day: dt.date, *, now: dt.datetime) -> bool:
    """Let the fetch row of a day name the mail that the tables now hold, adopted or removed apart from fetching: the
    day is then not done until it is parsed. Returns whether the row changed; a day without one stays so."""
    before = read_stage(con, FETCH, day)
    if before is None:
        return False
    digest, count = mail_digest(con, day)
    if digest == before.output_digest:
        return False
    write_stage(
        con,
        FETCH,
        day,
        input_digest=before.input_digest,
        output_digest=digest,
        row_count=count,
        version=before.version,
        now=now,
        run_id=before.run_id,
    )
    return True


def pairs_digest(pairs: Iterable[tuple[str, str]]) -> str:
    """The digest of (id, content digest) pairs, in sorted order."""
    return digest_of(part for pair in sorted(pairs) for part in pair)


def begin_try(con: Connection, day: dt.date, *, now: dt.datetime, first: float, limit: float, progressed: bool) -> int:
    """Record a try of a day before its work, so that a kill counts; returns the number of this try.

    Until the day ends one way or the other its error reads as a kill, and its next try is spaced (seconds, doubling
    from ``first`` to ``limit``). A try before that left saved work behind (``progressed``) starts the count again.
    """
    found = con.execute("SELECT tries FROM day_tries WHERE day = ?", [day]).fetchall()
    tries = 1 if progressed or not found else found[0][0] + 1
    _write_try(
        con, day, tries, now, None, "the process ended before the day was done", spaced(now, tries, first, limit)
    )
    return tries


def end_try(con: Connection, day: dt.date) -> None:
    """The day ended well: its tries are forgotten."""
    con.execute("DELETE FROM day_tries WHERE day = ?", [day])


def fail_try(
    con: Connection,
    day: dt.date,
    *,
    stage: str,
    error: str,
    now: dt.datetime,
    first: float,
    limit: float,
    not_before: dt.datetime | None = None,
) -> None:
    """The day ended with an error that a person can read; the next try is spaced, and not before ``not_before``."""
    found = con.execute("SELECT tries FROM day_tries WHERE day = ?", [day]).fetchall()
    tries = found[0][0] if found else 1
    following = spaced(now, tries, first, limit)
    following = following if not_before is None else max(following, not_before)
    _write_try(con, day, tries, now, stage, printable_line(error, 500), following)


def spaced(now: dt.datetime, tries: int, first: float, limit: float) -> dt.datetime:
    """When to try again after ``tries`` tries: ``first`` seconds, doubling, at most ``limit``."""
    return now + dt.timedelta(seconds=min(limit, first * 2.0 ** min(tries - 1, 30)))


def _write_try(
    con: Connection,
    day: dt.date,
    tries: int,
    now: dt.datetime,
    stage: str | None,
    error: str,
    next_try_at: dt.datetime,
) -> None:
    con.execute("DELETE FROM day_tries WHERE day = ?", [day])
    con.execute(
        "INSERT INTO day_tries (day, tries, started_at, stage, error, next_try_at) VALUES (?, ?, ?, ?, ?, ?)",
        [day, tries, now, stage, error, next_try_at],
    )
