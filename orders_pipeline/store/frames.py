"""DataFrames in and out of DuckDB, with the table's own types.

Belongs here: the one way rows cross the store's boundary. Columns go by name; types come from the table, never from
the values (an all-None column must not become another type).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

Connection = duckdb.DuckDBPyConnection


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: pd.DataFrame | Sequence[Mapping[str, Any]]) -> int:
    """Insert rows by name and return their count.

    Whatever pandas calls missing (None, NaN, NA, NaT) is NULL, of either form of rows. Raises ``ValueError`` when the
    columns are not the table's, or a value would be changed (a naive time, a time for a date, a fraction for a whole
    number), and ``pyarrow.ArrowException`` when a value has no place in the column's type (too many digits, say).
    """
    schema = schema_of(con, table)
    names = set(schema.names)
    if isinstance(rows, pd.DataFrame):
        if set(rows.columns) != names or len(rows.columns) != len(names):
            odd = sorted(map(str, set(rows.columns) ^ names)) or ["a name is there twice"]
            raise ValueError(f"columns of {table} differ: {', '.join(odd)}")
        columns = {name: rows[name].tolist() for name in schema.names}
    else:
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
    found = _arrow(con, f"SELECT * FROM {table} LIMIT 0").schema  # noqa: S608
    # JSON columns come as an extension type that takes no plain text; they hold text.
    return pa.schema([f.with_type(pa.string()) if isinstance(f.type, pa.BaseExtensionType) else f for f in found])


def query(con: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] = ()) -> pd.DataFrame:
    """The result of a query as a DataFrame with Arrow-backed types: decimals stay decimals, missing stays missing."""
    return _arrow(con, sql, parameters).to_pandas(types_mapper=pd.ArrowDtype)


def rows(con: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """The result of a query as plain dictionaries; for small results."""
    cursor = con.execute(sql, list(parameters))
    names = [d[0] for d in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def records(frame: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """The rows of a frame as dictionaries; whatever pandas calls missing is None, lists are lists."""
    columns = [[_plain(value) for value in frame[name].tolist()] for name in frame.columns]
    for values in zip(*columns, strict=True):
        yield dict(zip(frame.columns, values, strict=True))


def _plain(value: Any) -> Any:
    """The value, None when it is missing, and a list for an array."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    # NaN and NaT, of floats and decimals too, are what does not equal itself; NA has no truth value.
    return None if value is pd.NA or (not isinstance(value, list | str) and value != value) else value


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


def _arrow(con: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] = ()) -> pa.Table:
    # The relation's way: a cursor's Arrow output makes a further copy of the rows and warns.
    relation = con.sql(sql, params=list(parameters)) if parameters else con.sql(sql)
    return relation.to_arrow_table()
