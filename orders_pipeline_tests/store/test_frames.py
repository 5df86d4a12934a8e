"""Rows in and out: by name, with the table's types, and never changed on the way."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.store.frames import insert, rows, schema_of
from orders_pipeline_tests.support import PROJECT

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


def stored(con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    return rows(con, "SELECT * FROM things")


def test_columns_go_by_name_in_any_order(con: duckdb.DuckDBPyConnection) -> None:
    """By position, two text columns are swapped and nobody sees it."""
    assert insert(con, "things", [dict(reversed(ROW.items()))]) == 1
    assert stored(con) == [ROW]


def test_other_columns_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    """A column that the table does not have would be dropped, one that is missing would be NULL."""
    lacking, more = {k: v for k, v in ROW.items() if k != "m"}, ROW | {"extra": 1}
    for row in (lacking, more):
        with pytest.raises(ValueError, match=r"columns of things differ: (m|extra)$"):
            insert(con, "things", [row])
    assert stored(con) == []


@pytest.mark.parametrize("missing", [None, float("nan"), Decimal("NaN")], ids=repr)
def test_whatever_is_missing_is_null(con: duckdb.DuckDBPyConnection, missing: object) -> None:
    """NaT in a column of days was stored as the first of January of the year 1."""
    row = dict.fromkeys(ROW, missing)
    insert(con, "things", [row, ROW])
    assert stored(con) == [dict.fromkeys(ROW), ROW]


def test_a_column_without_a_value_keeps_its_type(con: duckdb.DuckDBPyConnection) -> None:
    """A first day without amounts made the column of another type for ever after."""
    insert(con, "things", [dict.fromkeys(ROW)])
    kinds = rows(
        con,
        "SELECT column_name AS name, data_type AS kind FROM duckdb_columns()"
        " WHERE table_name = 'things' ORDER BY column_index",
    )
    assert ", ".join(f"{k['name']} {k['kind']}" for k in kinds) == TYPES.replace(", 4", ",4").replace(
        "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE"
    )
    assert stored(con) == [dict.fromkeys(ROW)]


def test_no_rows_are_no_rows(con: duckdb.DuckDBPyConnection) -> None:
    """A day without orders is the most common day."""
    assert insert(con, "things", []) == 0
    assert stored(con) == []


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


@pytest.mark.parametrize(("column", "value"), WRONG.values(), ids=WRONG.keys())
def test_a_value_that_would_be_changed_is_refused(con: duckdb.DuckDBPyConnection, column: str, value) -> None:
    """1.5 became 1, a naive time became UTC, an evening became the day of another zone: all without a word."""
    with pytest.raises((ValueError, TypeError, ArithmeticError, pa.ArrowException, duckdb.Error)):
        insert(con, "things", [ROW, ROW | {column: value}])
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
    )
)
@settings(max_examples=40)
def test_rows_come_back_as_they_went_in(found: list[dict[str, Any]]) -> None:
    """Whatever is changed here is changed in every day's rows."""
    with fresh() as con:
        insert(con, "things", found)
        # As instants: Python holds no time that a zone leaves out or has twice for equal to one of another zone.
        assert stored(con) == [{**row, "t": row["t"] and row["t"].astimezone(dt.UTC)} for row in found]


def test_a_time_is_the_same_instant_whatever_its_zone(con: duckdb.DuckDBPyConnection) -> None:
    """The second 02:30 of a night in October is an hour after the first."""
    zone = ZoneInfo("Europe/Berlin")
    first, second = (dt.datetime(2026, 10, 25, 2, 30, tzinfo=zone, fold=fold) for fold in (0, 1))
    insert(con, "things", [ROW | {"t": first}, ROW | {"t": second}])
    assert [r["t"] for r in stored(con)] == [first.astimezone(dt.UTC), second.astimezone(dt.UTC)]


def test_lists_come_back_as_lists(con: duckdb.DuckDBPyConnection) -> None:
    """An array has no truth value: `if row["tracking_numbers"]` raised for two and lied for one."""
    insert(con, "things", [ROW, ROW | {"l": []}])
    assert [r["l"] for r in stored(con)] == [["a", "b"], []]


def test_the_schema_is_the_tables(con: duckdb.DuckDBPyConnection) -> None:
    """JSON comes from DuckDB as a type of its own, which takes no text."""
    assert str(schema_of(con, "things").field("j").type) == "string"
    assert schema_of(con, "things").names == list(ROW)


def test_a_days_rows_take_no_time(con: duckdb.DuckDBPyConnection) -> None:
    """Row by row, two thousand orders took longer than their parsing."""
    began = time.process_time()
    insert(con, "things", [ROW] * 2000)
    assert time.process_time() - began < 2


def test_rows_go_in_without_pandas_and_frames_come_out_with_it() -> None:
    """pyarrow imports pandas with its first array, 0.2 s of every run; a notebook that asks for a frame gets one."""
    code = (
        "import sys, duckdb, pyarrow as pa\nfrom orders_pipeline.store.frames import insert, rows\n"
        "con = duckdb.connect()\ncon.execute('CREATE TABLE things (n BIGINT)')\n"
        "insert(con, 'things', [{'n': 7}])\nassert rows(con, 'SELECT * FROM things') == [{'n': 7}]\n"
        "assert 'pandas' not in sys.modules\n"
        "assert con.sql('SELECT * FROM things').to_arrow_table().to_pandas()['n'].tolist() == [7]\n"
        "import pandas as pd\nassert pa.array(pd.Series([1.5, None])).null_count == 1"
    )
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True)
