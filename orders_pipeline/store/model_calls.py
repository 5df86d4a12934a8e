"""The record of every call of a model: archive files, and the table made from them.

Belongs here: saving and adopting calls. A record holds tokens, cost and the fault, never what was asked or answered.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from orders_pipeline.store.archive import Archive, day_of_file
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.fresh_files import fresh_files

KIND = "calls"


def save(archive: Archive, day: dt.date, row: Mapping[str, Any]) -> str:
    """Save one call, made on a local day, and return the file's path. ``row`` has the columns of ``CALL_SCHEMA``."""
    return archive.save(KIND, day, [row])


def recorded(archive: Archive, day: dt.date) -> Iterator[tuple[str, dt.datetime, Decimal | None]]:
    """A day's calls on record: id, when, cost."""
    for path in archive.files(KIND, day):
        for row in archive.read(path, ["call_id", "started_at", "cost"]).to_pylist():
            yield row["call_id"], row["started_at"], Decimal(row["cost"]) if row["cost"] is not None else None


def adopt(con: Connection, archive: Archive, days: Iterable[dt.date]) -> int:
    """Take the call files of some days that no table knows yet into the table; returns how many files."""
    count = 0
    for day in days:
        fresh = fresh_files(con, archive, KIND, day)
        for path in fresh:
            adopt_file(con, archive, path)
        count += len(fresh)
    return count


def adopt_file(con: Connection, archive: Archive, path: str) -> None:
    """Take one call file into the table."""
    con.register("saved_calls", archive.read(path))
    try:
        con.execute(
            "INSERT INTO model_calls BY NAME SELECT ?::DATE AS day, * REPLACE (cost::DECIMAL(18, 8) AS cost)"
            " FROM saved_calls",
            [day_of_file(path)],
        )
    finally:
        con.unregister("saved_calls")
    con.execute("INSERT INTO archive_files VALUES (?, ?, ?)", [path, KIND, day_of_file(path)])


def by_day(con: Connection, since: dt.date) -> list[dict[str, Any]]:
    """Calls a local day: day, calls, faults, input_tokens, output_tokens, cost."""
    return rows(
        con,
        "SELECT day, count(*) AS calls, count(*) FILTER (fault <> '') AS faults,"
        " sum(input_tokens)::BIGINT AS input_tokens, sum(output_tokens)::BIGINT AS output_tokens, sum(cost) AS cost"
        " FROM model_calls WHERE day >= ? GROUP BY day ORDER BY day",
        [since],
    )
