"""A Dagster home in which every day of a ledger shows as materialized, made in seconds.

Belongs here: the events of years, as Dagster's SQLite storage keeps them. The first and the last day are
reported by Dagster itself; the rows between are copies of the first day's with another partition and digest, for an
event by Dagster's own way costs 30 ms and three a day make eleven thousand.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import dagster as dg

from orders_pipeline.defs.events import late_materialization
from orders_pipeline.defs.names import ASSET_OF
from orders_pipeline.progress import DayLedger, StageMark

_EVENTS = "history/runs/index.db"


def show_days(instance: dg.DagsterInstance, ledger: Mapping[dt.date, DayLedger]) -> None:
    """Let an instance on disk show every day of the ledger; the days must have all three marks."""
    days = sorted(ledger)
    _report(instance, days[0], ledger[days[0]])
    with contextlib.closing(sqlite3.connect(Path(instance.root_directory) / _EVENTS)) as con, con:
        first = {name: _event(con, name) for name in ASSET_OF.values()}
        for day in days[1:-1]:
            for stage, mark in _marks(ledger[day]).items():
                _copy(con, first[ASSET_OF[stage]], str(days[0]), str(day), mark.output_digest)
    if len(days) > 1:
        _report(instance, days[-1], ledger[days[-1]])


def _report(instance: dg.DagsterInstance, day: dt.date, row: DayLedger) -> None:
    for stage, mark in _marks(row).items():
        instance.report_runless_asset_event(late_materialization(stage, day, mark.output_digest))


def _marks(row: DayLedger) -> dict[str, StageMark]:
    assert row.fetch
    assert row.parse
    assert row.review
    return {"fetch": row.fetch, "parse": row.parse, "review": row.review}


def _event(con: sqlite3.Connection, asset: str) -> tuple[dict[str, object], dict[str, object], str]:
    """The last event of an asset: its row, the row of its data version, and that version."""
    con.row_factory = sqlite3.Row
    key = dg.AssetKey(asset).to_string()
    event = dict(con.execute("SELECT * FROM event_logs WHERE asset_key = ? ORDER BY id DESC", [key]).fetchone())
    tag = dict(con.execute("SELECT * FROM asset_event_tags WHERE event_id = ?", [event.pop("id")]).fetchone())
    del tag["id"]
    return event, tag, str(tag["value"])


def _copy(
    con: sqlite3.Connection, like: tuple[dict[str, object], dict[str, object], str], first: str, day: str, digest: str
) -> None:
    event, tag, version = like
    body = str(event["event"]).replace(first, day).replace(version, digest)
    row = {**event, "partition": day, "event": body}
    number = con.execute(_insert("event_logs", list(row)), list(row.values())).lastrowid
    label = {**tag, "event_id": number, "value": digest}
    con.execute(_insert("asset_event_tags", list(label)), list(label.values()))


def _insert(table: str, columns: Sequence[str]) -> str:
    names = ", ".join(f'"{name}"' for name in columns)
    return f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
