"""The state file: one transaction or nothing, and every trouble with it in one clear line."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from orders_pipeline.errors import StoreError, StoreLocked
from orders_pipeline.store import state as state_module
from orders_pipeline.store.attached import log_of
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.state import State, connect, migrate, migrations
from orders_pipeline.store.store import Store
from orders_pipeline_tests.store.builders import process, table

COUNT = "INSERT INTO store_meta VALUES ('count', ?)"


def values(store: Store, key: str) -> list[str]:
    return [row["value"] for row in table(store, f"SELECT value FROM store_meta WHERE key = '{key}' ORDER BY value")]


def generation(store: Store) -> int:
    return int(values(store, "generation")[0])


def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    """Half a day's rows beside the old half is what the usual IO manager leaves."""
    with store.state.transaction() as con:
        con.execute(COUNT, ["1"])
    before = generation(store)
    with contextlib.suppress(KeyError), store.state.transaction() as con:
        con.execute("DELETE FROM store_meta WHERE key = 'count'")
        con.execute(COUNT, ["2"])
        raise KeyError
    assert values(store, "count") == ["1"]
    assert generation(store) == before


def test_a_fault_in_sql_rolls_back_and_stays_what_it_is(store: Store) -> None:
    """A fault of ours that is told as a damaged file sends people to restore a backup."""
    with store.state.transaction() as con:
        con.execute(COUNT, ["0"])

    def work() -> None:
        with store.state.transaction() as con:
            con.execute(COUNT, ["1"])
            con.execute("SELECT * FROM no_such_table")

    with pytest.raises(duckdb.CatalogException):
        work()
    assert values(store, "count") == ["0"]


def test_every_commit_counts_and_reading_leaves_nothing(store: Store) -> None:
    """By the count a publisher knows that the copy is behind."""
    assert generation(store) == 0
    for number in range(3):
        with store.state.transaction() as con:
            con.execute(COUNT, [str(number)])
    assert generation(store) == 3
    with store.state.reading() as con:
        con.execute("DELETE FROM store_meta WHERE key = 'count'")
    assert generation(store) == 3
    assert values(store, "count") == ["0", "1", "2"]


def test_a_transaction_killed_in_the_middle_leaves_the_rows_as_they_were(store: Store) -> None:
    """A kill -9 is the ordinary end of a run on a laptop."""
    with store.state.transaction() as con:
        con.execute(COUNT, ["1"])
    code = """
import sys, time
from pathlib import Path
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.state import State
with State(DataFolder(Path(sys.argv[1])), timeout=5).transaction() as con:
    con.execute("UPDATE store_meta SET value = '2' WHERE key = 'count'")
    print("inside", flush=True)
    time.sleep(60)
"""
    with process(code, store.folder.root):
        pass
    assert values(store, "count") == ["1"]


WORKER = """
import sys
from pathlib import Path
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.state import State
state = State(DataFolder(Path(sys.argv[1])), timeout=120)
for n in range(20):
    with state.transaction() as con:
        con.execute("INSERT INTO store_meta VALUES (?, ?)", [sys.argv[2], str(n)])
"""


def test_eight_processes_lose_no_commit(store: Store) -> None:
    """Two writers of one file lost a committed row when a handle was closed at the wrong moment."""
    home = str(store.folder.root)
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, home, f"w{n}"]) for n in range(8)]
    assert [worker.wait(timeout=120) for worker in workers] == [0] * 8
    found = table(store, "SELECT key, count(DISTINCT value) AS n FROM store_meta WHERE key LIKE 'w%' GROUP BY key")
    assert {row["key"]: row["n"] for row in found} == {f"w{n}": 20 for n in range(8)}
    assert generation(store) == 160


HOLD = "import duckdb, sys, time; con = duckdb.connect(sys.argv[1]); print('open', flush=True); time.sleep({})"


def test_a_foreign_process_is_waited_for(store: Store) -> None:
    """Someone who looks at the file with a DuckDB shell for a moment must not fail a run."""
    generation(store)
    with process(HOLD.format(0.7), store.folder.state):
        assert generation(store) == 0


def test_a_foreign_process_that_stays_is_named(tmp_path: Path) -> None:
    """A notebook that forgot to close would stop the pipeline with a message that names nobody."""
    store = Store(DataFolder(tmp_path / "blocked by a lock").open(), zone="UTC", lock_timeout=0.8)
    generation(store)
    with process(HOLD.format(60), store.folder.state) as holder:
        began = time.monotonic()
        with pytest.raises(StoreLocked) as caught:
            generation(store)
        assert 0.7 < time.monotonic() - began < 20
        assert f"is open in process {holder.pid} ({sys.executable}" in str(caught.value)
        assert "read orders.duckdb instead" in str(caught.value)
    assert generation(store) == 0


def test_a_connection_of_another_kind_in_this_process_is_no_damage(store: Store) -> None:
    """A notebook that opened the file itself was told to rebuild it."""
    generation(store)
    con = duckdb.connect(store.folder.state, config={"default_order": "desc"})
    try:
        with pytest.raises(StoreLocked, match="in this process"):
            generation(store)
    finally:
        con.close()


DAMAGES = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[:100],
    "half": lambda data: data[: len(data) // 2],
    "another kind": lambda data: b"a block that cannot be locked\n" * 1000,
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_told_at_once_with_the_remedy(tmp_path: Path, damage) -> None:
    """Taken for a lock, damage was waited for until the deadline and blamed on a process that was not there."""
    store = Store(DataFolder(tmp_path / "blocks").open(), zone="UTC", lock_timeout=30.0)
    generation(store)
    store.folder.state.write_bytes(damage(store.folder.state.read_bytes()))
    began = time.monotonic()
    with pytest.raises(StoreError, match=r"cannot open .*state.duckdb: .*orders-pipeline rebuild") as caught:
        generation(store)
    assert not isinstance(caught.value, StoreLocked)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - began < 10


def test_a_flipped_byte_anywhere_is_read_right_or_told(store: Store) -> None:
    """A query that meets a bad block raised an error of the database that says nothing of what to do."""
    with store.state.transaction() as con:
        con.execute("INSERT INTO acts SELECT range, 'k', md5(range::VARCHAR), '{}', 'me', now() FROM range(20000)")
    sql = "SELECT count(*) AS n, sum(hash(a)) AS h FROM acts a"
    good, want = store.folder.state.read_bytes(), table(store, sql)
    told: list[str] = []
    chance = random.Random(7)
    for _ in range(30):
        place = chance.randrange(len(good))
        store.folder.state.write_bytes(
            good[:place] + bytes(b ^ 0xFF for b in good[place : place + 64]) + good[place + 64 :]
        )
        try:
            assert table(store, sql) == want
        except StoreError as error:
            told.append(str(error))
    assert len(told) > 5
    assert all("orders-pipeline rebuild" in line for line in told)


def test_a_full_disk_is_told_and_the_rows_stay_as_they_were(store: Store) -> None:
    """A day that could not be written must not look like a day without mail, nor like a damaged file."""
    with store.state.transaction() as con:
        con.execute(COUNT, ["1"])
    code = """
import resource, sys
from pathlib import Path
from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.state import State
resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))
try:
    with State(DataFolder(Path(sys.argv[1])), timeout=5).transaction() as con:
        con.execute("UPDATE store_meta SET value = '2' WHERE key = 'count'")
        con.execute(
            "INSERT INTO acts SELECT range, 'k', md5(range::VARCHAR) || random(), '{}', 'me', now() FROM range(400000)"
        )
except StoreError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(store.folder.root)], capture_output=True, text=True, check=True, timeout=60
    )
    assert "cannot write" in done.stdout, done.stdout
    assert "make room" in done.stdout
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    assert values(store, "count") == ["1"]
    assert table(store, "SELECT count(*) AS n FROM acts") == [{"n": 0}]


def test_a_newer_schema_is_refused_and_left_alone(store: Store) -> None:
    """An older program that writes into a newer file damages what it does not know."""
    with store.state.transaction() as con:
        con.execute("INSERT INTO schema_version VALUES (99, now())")
    with pytest.raises(StoreError, match=r"newer orders-pipeline \(schema 99.*upgrade orders-pipeline"):
        generation(store)


def test_a_failing_migration_rolls_back_and_the_next_try_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema changed by half fits no version of the program."""
    generation(store)
    good, more = migrations(), "CREATE TABLE later (x INTEGER); INSERT INTO later VALUES (1);"
    monkeypatch.setattr(state_module, "migrations", lambda: [*good, more, more + "SELECT * FROM no_such_table;"])
    for _ in range(2):
        with pytest.raises(duckdb.Error):
            generation(store)
    monkeypatch.setattr(state_module, "migrations", lambda: [*good, more, "ALTER TABLE later ADD COLUMN y INTEGER"])
    assert table(store, "SELECT * FROM later") == [{"x": 1, "y": None}]
    applied = [row["version"] for row in table(store, "SELECT version FROM schema_version ORDER BY 1")]
    assert applied == list(range(1, len(good) + 3))


def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    """Every opening migrates."""
    path = tmp_path / "s.duckdb"
    con = connect(path, time.monotonic())
    for _ in range(2):
        migrate(con, path)
    assert con.execute("SELECT count(*) FROM schema_version").fetchall() == [(len(migrations()),)]
    con.close()


def test_state_log_and_lock_are_private(store: Store) -> None:
    """What was bought is nobody else's business, on a shared machine too."""
    before = os.umask(0)
    try:
        with store.state.transaction() as con:
            con.execute(COUNT, ["1"])
    finally:
        os.umask(before)
    # What was committed last is in the log alone.
    for path in (store.folder.state, log_of(store.folder.state), store.folder.locks / "state.lock"):
        assert path.stat().st_mode & 0o777 == 0o600, path


def test_a_use_within_a_use_fails_instead_of_hanging(tmp_path: Path) -> None:
    """Waiting for oneself would last for ever."""
    state = State(DataFolder(tmp_path / "d").open(), timeout=0.2)
    with state.reading(), pytest.raises(StoreLocked, match=f"process {os.getpid()}"), state.reading():
        pass
