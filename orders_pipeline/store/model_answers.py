"""What a model read in mails that no rule reads: paid for, so saved as files first.

Belongs here: saving, adopting and finding answers. The last answer on a message stands, whatever version gave it. Not
here: what an answer means.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

from orders_pipeline.encoding import canonical_json
from orders_pipeline.store.archive import Archive, day_of_file
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.fresh_files import fresh_files
from orders_pipeline.store.tombstones import FORGOTTEN

KIND = "answers"


def save(
    archive: Archive, day: dt.date, message_id: str, version: str, answer: Mapping[str, Any], now: dt.datetime
) -> None:
    """Save one answer on a message of a day."""
    row = {"message_id": message_id, "version": version, "answer": canonical_json(answer), "answered_at": now}
    archive.save(KIND, day, [row])


def adopt(con: Connection, archive: Archive, day: dt.date) -> int:
    """Take the day's answer files that no table knows yet into the table; returns how many files."""
    fresh = fresh_files(con, archive, KIND, day)
    for path in fresh:
        adopt_file(con, archive, path)
    return len(fresh)


def adopt_file(con: Connection, archive: Archive, path: str) -> None:
    """Take one answer file into the table; one on a forgotten message, or that is there already, is passed over."""
    day = day_of_file(path)
    con.register("saved_answers", archive.read(path))
    try:
        con.execute(
            f"""
            INSERT INTO model_answers BY NAME
            SELECT ?::DATE AS day, message_id, version, answer, answered_at, ? AS archive_file FROM saved_answers s
            WHERE message_id NOT IN {FORGOTTEN} AND NOT EXISTS (
                FROM model_answers a WHERE a.message_id = s.message_id AND a.answered_at = s.answered_at
            )
            """,  # noqa: S608  (a constant)
            [day, path],
        )
    finally:
        con.unregister("saved_answers")
    con.execute("INSERT INTO archive_files VALUES (?, ?, ?)", [path, KIND, day])


def of_day(con: Connection, day: dt.date) -> dict[str, Any]:
    """The answer that stands for each message of a day that has one."""
    found = rows(
        con,
        "SELECT message_id, answer FROM model_answers WHERE day = ? QUALIFY row_number() OVER"
        " (PARTITION BY message_id ORDER BY answered_at DESC, archive_file) = 1",
        [day],
    )
    return {r["message_id"]: json.loads(r["answer"]) for r in found}
