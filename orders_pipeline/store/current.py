"""The tables of current state: replaced whole, with the digest of what they were computed from.

Belongs here: the replacement, one transaction a table (orders with their shipments). Not here: computing the rows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from orders_pipeline.store.frames import Connection, insert

_TABLES = frozenset({"orders", "shipments", "order_alerts", "case_queue"})


def replace(con: Connection, table: str, rows: Sequence[Mapping[str, Any]], digest: str, now: dt.datetime) -> int:
    """Replace a table and note its input digest; returns the row count."""
    count = _swap(con, table, rows)
    con.execute("DELETE FROM refreshes WHERE name = ?", [table])
    con.execute("INSERT INTO refreshes VALUES (?, ?, ?, ?)", [table, digest, count, now])
    return count


def replace_orders(
    con: Connection,
    orders: Sequence[Mapping[str, Any]],
    shipments: Sequence[Mapping[str, Any]],
    digest: str,
    now: dt.datetime,
) -> int:
    """Replace orders and their shipments together; returns the number of orders."""
    _swap(con, "shipments", shipments)
    return replace(con, "orders", orders, digest, now)


def _swap(con: Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> int:
    if table not in _TABLES:
        raise ValueError(f"{table} is no table of current state")
    con.execute(f"DELETE FROM {table}")  # noqa: S608  (a name of the list above)
    return insert(con, table, rows)
