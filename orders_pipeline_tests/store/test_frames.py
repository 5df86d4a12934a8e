"""Rows in and out: by name, with the table's types, and never changed on the way."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.store.frames import insert, query, records, rows, schema_of

ROW: dict[str, Any] = {
    "s": "x",
    "d": 1.5,
    "n": 7,
    "m": Decimal("12.3450"),
    "t": dt.datetime(2026, 5, 11, 10, 30, 0, 123456, tzinfo=dt.UTC),
    "day": dt.date(2026, 5, 11),
    "l": ["a", "b"],
    "j": '{"a":1}',
    "b": True,
}
TYPES = "s VARCHAR, d DOUBLE, n BIGINT, m DECIMAL(18, 4), t TIMESTAMPTZ, day DATE, l VARCHAR[], j JSON, b BOOLEAN"


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with fresh() as con:
        yield con


def fresh() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute("SET TimeZone = 'UTC'")
    con.execute(f"CREATE TABLE things ({TYPES})")
    return con


def framed(found: list[dict[str, Any]], dtype: Any = object) -> pd.DataFrame:
    return pd.DataFrame({n: pd.Series([r[n] for r in found], dtype=dtype) for n in ROW})


def stored(con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    return rows(con, "SELECT * FROM things")


both_ways = pytest.mark.parametrize("form", [list, framed], ids=["dictionaries", "frame"])


@both_ways
def test_columns_go_by_name_in_any_order(con: duckdb.DuckDBPyConnection, form) -> None:
    """By position, two text columns are swapped and nobody sees it."""
    turned = dict(reversed(ROW.items()))
    data: Any = [turned] if form is list else framed([ROW])[list(turned)]
    assert insert(con, "things", data) == 1
    assert stored(con) == [ROW]


@both_ways
def test_other_columns_are_refused(con: duckdb.DuckDBPyConnection, form) -> None:
    """A column that the table does not have would be dropped, one that is missing would be NULL."""
    lacking, more = {k: v for k, v in ROW.items() if k != "m"}, ROW | {"extra": 1}
    for row in (lacking, more):
        data = [row] if form is list else pd.DataFrame([row])
        with pytest.raises(ValueError, match=r"columns of things differ: (m|extra)$"):
            insert(con, "things", data)
    assert stored(con) == []


def test_a_column_that_is_there_twice_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    """Which of the two would it be?"""
    frame = framed([ROW])
    with pytest.raises(ValueError, match="twice"):
        insert(con, "things", pd.concat([frame, frame[["s"]]], axis=1))


@both_ways
@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, pd.NA, pd.NaT, Decimal("NaN")], ids=repr)
def test_whatever_is_missing_is_null(con: duckdb.DuckDBPyConnection, form, missing: object) -> None:
    """NaT in a column of days was stored as the first of January of the year 1."""
    row = dict.fromkeys(ROW, missing)
    insert(con, "things", form([row, ROW]))
    assert stored(con) == [dict.fromkeys(ROW), ROW]


@both_ways
def test_a_column_without_a_value_keeps_its_type(con: duckdb.DuckDBPyConnection, form) -> None:
    """A first day without amounts made the column of another type for ever after."""
    insert(con, "things", form([dict.fromkeys(ROW)]))
    kinds = rows(
        con,
        "SELECT column_name AS name, data_type AS kind FROM duckdb_columns()"
        " WHERE table_name = 'things' ORDER BY column_index",
    )
    assert ", ".join(f"{k['name']} {k['kind']}" for k in kinds) == TYPES.replace(", 4", ",4").replace(
        "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE"
    )
    frame = query(con, "SELECT * FROM things")
    assert frame.dtypes["m"] == pd.ArrowDtype(pa.decimal128(18, 4))
    assert frame.dtypes["t"] == pd.ArrowDtype(pa.timestamp("us", tz="UTC"))
    assert list(records(frame)) == [dict.fromkeys(ROW)]


@both_ways
def test_no_rows_are_no_rows(con: duckdb.DuckDBPyConnection, form) -> None:
    """A day without orders is the most common day."""
    assert insert(con, "things", form([])) == 0
    assert stored(con) == []
    frame = query(con, "SELECT * FROM things")
    assert list(frame.columns) == list(ROW)
    assert list(records(frame)) == []
    assert insert(con, "things", frame) == 0


WRONG = {
    "too many decimals": ("m", Decimal("1.23456")),
    "too many digits": ("m", Decimal("123456789012345")),
    "infinite": ("m", Decimal("Infinity")),
    "money as float": ("m", 1.1),
    "money as text": ("m", "1.10"),
    "naive time": ("t", dt.datetime(2026, 5, 11, 12)),
    "time for a day": ("day", dt.datetime(2026, 5, 11, 23, tzinfo=dt.timezone(dt.timedelta(hours=-5)))),
    "fraction for a whole number": ("n", 1.5),
    "number too large": ("n", 2**63),
    "number for text": ("s", 5),
    "text that is no JSON": ("j", "{'a': 1}"),
    "half a character": ("s", "a\udcff"),
}


@both_ways
@pytest.mark.parametrize(("column", "value"), WRONG.values(), ids=WRONG.keys())
def test_a_value_that_would_be_changed_is_refused(con: duckdb.DuckDBPyConnection, form, column: str, value) -> None:
    """1.5 became 1, a naive time became UTC, an evening became the day of another zone: all without a word."""
    with pytest.raises((ValueError, TypeError, ArithmeticError, pa.ArrowException, duckdb.Error)):
        insert(con, "things", form([ROW, ROW | {column: value}]))
    assert stored(con) == [], "nothing of the rows is in"


money = st.decimals(-(10**14) + 1, 10**14 - 1, places=4)
times = st.datetimes(
    dt.datetime(1970, 1, 1), dt.datetime(2100, 1, 1), timezones=st.timezones().filter(lambda z: "right" not in z.key)
)
text = st.text(st.characters(exclude_categories=["Cs"]))


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "s": st.none() | text,
                "d": st.none() | st.floats(allow_nan=False),
                "n": st.none() | st.integers(-(2**63), 2**63 - 1),
                "m": st.none() | money,
                "t": st.none() | times,
                "day": st.none() | st.dates(dt.date(1, 1, 2), dt.date(9999, 12, 30)),
                "l": st.none() | st.lists(text, max_size=3),
                "j": st.none() | st.just('{"a":[1,"ü"]}'),
                "b": st.none() | st.booleans(),
            }
        ),
        max_size=5,
    ),
    st.booleans(),
)
@settings(max_examples=40)
def test_rows_come_back_as_they_went_in(found: list[dict[str, Any]], as_frame: bool) -> None:
    """Whatever is changed here is changed in every day's rows."""
    with fresh() as con:
        insert(con, "things", framed(found) if as_frame else found)
        assert stored(con) == found
        back = query(con, "SELECT * FROM things")
        assert list(records(back)) == found
        con.execute("DELETE FROM things")
        insert(con, "things", back)
        assert stored(con) == found


def test_a_time_is_the_same_instant_whatever_its_zone(con: duckdb.DuckDBPyConnection) -> None:
    """The second 02:30 of a night in October is an hour after the first."""
    zone = ZoneInfo("Europe/Berlin")
    first, second = (dt.datetime(2026, 10, 25, 2, 30, tzinfo=zone, fold=fold) for fold in (0, 1))
    insert(con, "things", [ROW | {"t": first}, ROW | {"t": second}])
    assert [r["t"] for r in stored(con)] == [first.astimezone(dt.UTC), second.astimezone(dt.UTC)]


def test_a_frame_of_plain_pandas_types_is_taken(con: duckdb.DuckDBPyConnection) -> None:
    """A column of counts with one missing is a column of floats to pandas."""
    frame = pd.DataFrame([ROW, ROW | {"n": None, "d": None, "t": None, "b": None}])
    frame["t"] = pd.to_datetime(frame["t"], utc=True)
    assert frame.dtypes["n"] == "float64"
    insert(con, "things", frame)
    assert [(r["n"], r["d"], r["t"], r["b"]) for r in stored(con)] == [(7, 1.5, ROW["t"], True), (None,) * 4]


def test_lists_come_back_as_lists(con: duckdb.DuckDBPyConnection) -> None:
    """An array has no truth value: `if row["tracking_numbers"]` raised for two and lied for one."""
    insert(con, "things", [ROW, ROW | {"l": []}])
    assert [r["l"] for r in records(query(con, "SELECT * FROM things"))] == [["a", "b"], []]


def test_the_schema_is_the_tables(con: duckdb.DuckDBPyConnection) -> None:
    """JSON comes from DuckDB as a type of its own, which takes no text."""
    assert str(schema_of(con, "things").field("j").type) == "string"
    assert schema_of(con, "things").names == list(ROW)


def test_a_days_rows_take_no_time(con: duckdb.DuckDBPyConnection) -> None:
    """Row by row, two thousand orders took longer than their parsing."""
    began = time.process_time()
    insert(con, "things", [ROW] * 2000)
    assert time.process_time() - began < 2
