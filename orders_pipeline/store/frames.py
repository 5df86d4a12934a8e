"""DataFrames in and out of DuckDB, with the table's own types.

Belongs here: the one way rows cross the store's boundary. Columns go by name; types come from the table, never from
the values (an all-None column must not become another type).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa

Connection = duckdb.DuckDBPyConnection


def to_frame(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows as a DataFrame with the table's columns and Arrow-backed types; rows may be empty."""
    return pa.Table.from_pylist([dict(r) for r in rows], schema=schema_of(con, table)).to_pandas(
        types_mapper=pd.ArrowDtype
    )


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: pd.DataFrame | Sequence[Mapping[str, Any]]) -> int:
    """Insert rows by name and return their count.

    Raises ``ValueError`` when the columns are not the table's, and ``pyarrow.ArrowException`` when a value has no
    place in the column's type (a total with more digits than the column keeps, say).
    """
    schema = schema_of(con, table)
    if isinstance(rows, pd.DataFrame):
        if set(rows.columns) != set(schema.names):
            odd = sorted(set(rows.columns) ^ set(schema.names))
            raise ValueError(f"columns of {table} differ: {', '.join(map(str, odd))}")
        data = pa.Table.from_pandas(rows[schema.names], schema=schema, preserve_index=False)
    else:
        for row in rows:
            if row.keys() != set(schema.names):
                odd = sorted(row.keys() ^ set(schema.names))
                raise ValueError(f"columns of {table} differ: {', '.join(odd)}")
        data = pa.Table.from_pylist([dict(r) for r in rows], schema=schema)
    if data.num_rows == 0:
        return 0
    con.register("incoming_rows", data)
    try:
        con.execute(f"INSERT INTO {table} BY NAME SELECT * FROM incoming_rows")  # noqa: S608  (our own table names)
    finally:
        con.unregister("incoming_rows")
    return data.num_rows


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
    """The rows of a frame as dictionaries; whatever pandas calls missing is None."""
    columns = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame.columns]
    for values in zip(*columns, strict=True):
        yield dict(zip(frame.columns, values, strict=True))


def _arrow(con: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] = ()) -> pa.Table:
    # The relation's way: a cursor's Arrow output makes a further copy of the rows and warns.
    relation = con.sql(sql, params=list(parameters)) if parameters else con.sql(sql)
    return relation.to_arrow_table()
