"""Reading logs: forms of files, of times, and what must never be read or written."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from orders_pipeline.days import day_window
from orders_pipeline.errors import MailboxError
from orders_pipeline.store.usage_log import UsageLog
from orders_pipeline.usage_settings import UsageLogSettings
from orders_pipeline_tests.harness import DAY, ZONE

WINDOW = day_window(DAY, ZONE)
ROW = {"id": "7", "time": "2026-05-11T08:00:00Z", "input": "Hail\nand well met", "output": "Heil"}


def log(source: Path, **settings: Any) -> UsageLog:
    given = {"name": "translator", "source": source, "rubric": "rubric.md", **settings}
    return UsageLog(UsageLogSettings.model_validate(given), ZONE, lambda *row: json.dumps(row).encode())


def rows(one: UsageLog) -> list[list[str]]:
    listing = one.list(WINDOW)
    return [json.loads(item.raw or b"null") for item in one.fetch(listing.refs)]


def write(path: Path, kind: str) -> Path:
    """The one row in a file of this kind; of typed kinds the time is a time and the input nested."""
    con = duckdb.connect(str(path) if kind == "duckdb" else ":memory:")
    con.execute("SET TimeZone = 'UTC'")
    con.execute("CREATE TABLE calls (id VARCHAR, time TIMESTAMPTZ, input VARCHAR, output VARCHAR)")
    con.execute("INSERT INTO calls VALUES (?, ?, ?, ?)", list(ROW.values()))
    if kind == "csv":
        con.execute(f"COPY calls TO '{path}' (HEADER)")
    elif kind == "parquet":
        con.execute(f"COPY calls TO '{path}'")
    elif kind == "jsonl":
        path.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    con.close()
    return path


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "duckdb"])
def test_every_kind_of_file_gives_the_same_row(tmp_path: Path, kind: str) -> None:
    """The same log exported in another form must not be another log, nor cost a verdict a second time."""
    one = log(write(tmp_path / f"calls.{kind}", kind), table="calls" if kind == "duckdb" else None)
    assert rows(one) == [["translator", "7", "2026-05-11T08:00:00+00:00", "Hail\nand well met", "Heil"]]


def test_a_glob_takes_all_its_files(tmp_path: Path) -> None:
    """Logs are rotated by day."""
    for number in (1, 2, 3):
        (tmp_path / f"calls-{number}.jsonl").write_text(json.dumps({**ROW, "id": str(number)}) + "\n")
    assert sorted(row[1] for row in rows(log(tmp_path / "calls-*.jsonl"))) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("time", "hour"),
    [
        ("2026-05-11T08:00:00Z", 8),
        ("2026-05-11 10:00:00", 8),  # in the partitions' zone
        ("2026-05-11T10:00:00+02:00", 8),
        (1778486400, 8),
        (1778486400000, 8),
        ("1778486400.5", 8),
        (1778486400000000, 8),
    ],
)
def test_times_are_read_as_logs_write_them(tmp_path: Path, time: object, hour: int) -> None:
    """A time read in the wrong unit puts a row on a day of 1970, where nobody looks."""
    path = tmp_path / "calls.jsonl"
    path.write_text(json.dumps({**ROW, "time": time}) + "\n")
    (ref,) = log(path).list(WINDOW).refs
    assert ref.received_at is not None
    assert ref.received_at.astimezone(dt.UTC).replace(microsecond=0) == dt.datetime(2026, 5, 11, hour, tzinfo=dt.UTC)


def test_a_time_without_a_zone_is_in_the_logs_own(tmp_path: Path) -> None:
    """A server writes UTC, whatever zone its owner lives in."""
    path = tmp_path / "calls.jsonl"
    path.write_text(json.dumps({**ROW, "time": "2026-05-11 23:30:00"}) + "\n")
    assert len(log(path).list(WINDOW).refs) == 1
    assert log(path, time_zone="UTC").list(WINDOW).refs == ()


def test_a_row_without_a_usable_time_is_unplaced_and_not_dropped(tmp_path: Path) -> None:
    """What belongs to no day is no less a row."""
    path = tmp_path / "calls.jsonl"
    odd = [{**ROW, "id": "8", "time": "yesterday"}, {**ROW, "id": "9", "time": None}]
    path.write_text("".join(json.dumps(r) + "\n" for r in (ROW, *odd)))
    listing = log(path).list(WINDOW)
    assert (len(listing.refs), len(listing.unplaced)) == (1, 2)
    assert [json.loads(f.raw or b"")[1] for f in log(path).fetch(listing.unplaced)] in (["8", "9"], ["9", "8"])


def test_rows_with_one_id_are_two_when_anything_in_them_differs(tmp_path: Path) -> None:
    """Some logs count from one each day, and some write a user's number for an id."""
    path = tmp_path / "calls.jsonl"
    others = [{**ROW, "time": "2026-05-11T09:00:00Z"}, {**ROW, "output": "Hallo"}, ROW]
    path.write_text("".join(json.dumps(r) + "\n" for r in (ROW, *others)))
    assert len(rows(log(path))) == 3


def test_nested_inputs_are_kept_as_json(tmp_path: Path) -> None:
    """An input is a list of messages as often as a text."""
    path = tmp_path / "calls.jsonl"
    path.write_text(json.dumps({**ROW, "input": [{"role": "user", "content": "Hail"}]}) + "\n")
    con = duckdb.connect(":memory:")
    con.execute(f"COPY (SELECT '7' AS id, '2026-05-11T08:00:00Z' AS time, ['a', 'b'] AS input, {{'x': 1}} AS output)"
                f" TO '{tmp_path}/calls.parquet'")  # fmt: skip
    con.close()
    assert json.loads(rows(log(path))[0][3]) == [{"role": "user", "content": "Hail"}]
    assert rows(log(tmp_path / "calls.parquet"))[0][3:] == ['["a","b"]', '{"x":1}']


def test_a_row_that_is_no_longer_there_is_gone(tmp_path: Path) -> None:
    """A log that is rotated while it is read."""
    path = write(tmp_path / "calls.jsonl", "jsonl")
    listing = log(path).list(WINDOW)
    path.write_text(json.dumps({**ROW, "id": "8"}) + "\n")
    assert [item.gone for item in log(path).fetch(listing.refs)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(None, id="no file"),
        pytest.param(json.dumps(ROW) + '\n{"id": "8", "ti', id="half a line"),
        pytest.param('{"when": 1}\n', id="other columns"),
        pytest.param("\x00\x01\x02 not json\n", id="no log"),
    ],
)
def test_a_log_that_cannot_be_read_whole_is_an_error(tmp_path: Path, text: str | None) -> None:
    """Half a log listed as a whole one makes its day done with half its rows."""
    path = tmp_path / "calls.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(MailboxError) as error:
        log(path).list(WINDOW)
    assert "\n" not in str(error.value)


def test_a_name_that_is_no_column_is_told_with_those_that_are(tmp_path: Path) -> None:
    """A slip in a column's name reads as a log of empty rows."""
    path = write(tmp_path / "calls.csv", "csv")
    with pytest.raises(MailboxError, match=r"has no column reply; it has id, time, input, output"):
        log(path, output="reply").list(WINDOW)


def test_the_log_is_not_touched(tmp_path: Path) -> None:
    """It is somebody else's database."""
    path = write(tmp_path / "calls.duckdb", "duckdb")
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    rows(log(path, table="calls"))
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert [p.name for p in tmp_path.iterdir()] == ["calls.duckdb"]


def test_names_with_quotes_are_names(tmp_path: Path) -> None:
    """A column's name from a configuration is no SQL."""
    path = tmp_path / "it's.jsonl"
    path.write_text(json.dumps({**ROW, 'a"; DROP': "x"}) + "\n")
    assert rows(log(path, output='a"; DROP'))[0][4] == "x"


def test_no_other_folder_can_be_read_through_a_log(tmp_path: Path) -> None:
    """A .duckdb file may hold a view over any path, and it came from somewhere."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.csv").write_text("id,time,input,output\n1,2026-05-11T08:00:00Z,hush,hush\n")
    (tmp_path / "log").mkdir()
    path = tmp_path / "log" / "calls.duckdb"
    con = duckdb.connect(str(path))
    con.execute(f"CREATE VIEW calls AS SELECT * FROM read_csv('{tmp_path}/secret/key.csv', all_varchar = true)")
    con.close()
    with pytest.raises(MailboxError, match="disabled by configuration"):
        log(path, table="calls").list(WINDOW)


@pytest.mark.parametrize(
    "source",
    [
        "https://logs.example/calls.csv",
        "s3://bucket/calls.parquet",
        "hf://datasets/x/y.csv",
        "file:///etc/calls.csv",
        "//host/calls.csv",
    ],
)
def test_addresses_are_refused(source: str) -> None:
    """A pipeline that fetches what a configuration names talks to whoever wrote it."""
    with pytest.raises(ValueError, match="is an address"):
        UsageLogSettings.model_validate({"name": "x", "source": source, "rubric": "r.md"})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source": "calls.log"}, "known ending"),
        ({"source": "calls.duckdb"}, "needs table"),
        ({"table": "calls"}, "needs table"),
        ({"time_zone": "Mars/North"}, "unknown time zone"),
        ({"name": "a b"}, "pattern"),
    ],
)
def test_what_cannot_be_read_is_refused_beforehand(change: dict[str, str], said: str) -> None:
    """Said at the start it costs a line; at night it costs a night."""
    with pytest.raises(ValueError, match=said):
        UsageLogSettings.model_validate({"name": "x", "source": "calls.csv", "rubric": "r.md", **change})
