"""Rows in and out of DuckDB, through Arrow, with the table's own types.

Belongs here: the one way rows cross the store's boundary. Columns go by name; types come from the table, never from
the values (an all-None column must not become another type).
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

import duckdb
import pyarrow as pa

Connection = duckdb.DuckDBPyConnection


class _NoPandas:
    """An import of pandas finds none while this stands first among the finders."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _make_arrays_without_pandas() -> None:
    """Let pyarrow look for pandas now and find none: it would import it with the first array, 0.2 s of every process,
    and no frame is made into an array here. Who asks it for a frame later still gets one."""
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, cast(Any, _NoPandas))
        try:
            pa.array([])
        finally:
            sys.meta_path.remove(cast(Any, _NoPandas))


_make_arrays_without_pandas()
# Arrow's own allocator keeps what it once had: after half a month of heavy mail a run held 30 MB more by it, and took
# as long.
pa.set_memory_pool(pa.system_memory_pool())


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert rows by name and return their count.

    What is missing (None, NaN) is NULL. Raises ``ValueError`` when the columns are not the table's, or a value would be
    changed (a naive time, a time for a date, a fraction for a whole number), and ``pyarrow.ArrowException`` when a
    value has no place in the column's type (too many digits, say).
    """
    schema = schema_of(con, table)
    names = set(schema.names)
    for row in rows:
        if row.keys() != names:
            raise ValueError(f"columns of {table} differ: {', '.join(sorted(row.keys() ^ names))}")
    columns = {name: [row[name] for row in rows] for name in schema.names}
    data = arrow_table(columns, schema)
    if data.num_rows == 0:
        return 0
    con.register("incoming_rows", data)
    try:
        con.execute(f"INSERT INTO {table} BY NAME SELECT * FROM incoming_rows")  # noqa: S608  (our own table names)
    finally:
        con.unregister("incoming_rows")
    return data.num_rows


def arrow_table(columns: Mapping[str, Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Columns of values as a table of exactly this schema. Raises as ``insert`` does."""
    return pa.table([_column(f, columns[f.name]) for f in schema], schema=schema)


def schema_of(con: duckdb.DuckDBPyConnection, table: str) -> pa.Schema:
    """The table's columns as an Arrow schema: the migrations are the one place where types are named."""
    found = con.sql(f"SELECT * FROM {table} LIMIT 0").to_arrow_table().schema  # noqa: S608
    # JSON columns come as an extension type that takes no plain text; they hold text.
    return pa.schema([f.with_type(pa.string()) if isinstance(f.type, pa.BaseExtensionType) else f for f in found])


def rows(con: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """The result of a query as plain dictionaries: decimals, days, aware times and lists as Python has them."""
    cursor = con.execute(sql, list(parameters))
    names = [d[0] for d in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _plain(value: Any) -> Any:
    """The value, or None when it is missing: NaN, of floats and decimals, is what does not equal itself."""
    return None if not isinstance(value, list | str) and value != value else value


def _column(field: pa.Field, values: Sequence[Any]) -> pa.Array:
    plain = [_plain(v) for v in values]
    given = [v for v in plain if v is not None]
    if pa.types.is_timestamp(field.type):
        odd = next((v for v in given if isinstance(v, dt.datetime) and v.utcoffset() is None), None)
        why = "has no time zone"
    elif pa.types.is_date(field.type):
        odd, why = next((v for v in given if isinstance(v, dt.datetime)), None), "is a time, not a day"
    elif pa.types.is_integer(field.type):
        odd, why = next((v for v in given if isinstance(v, float) and not v.is_integer()), None), "is no whole number"
    else:
        odd, why = None, ""
    if odd is not None:
        raise ValueError(f"{field.name}: {odd!r} {why}")
    return pa.array(plain, type=field.type)
