"""The published copy: new when it is behind, whole at any moment, in nobody's way."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from orders_pipeline.errors import StoreError, StoreLocked
from orders_pipeline.store import reader as reader_module
from orders_pipeline.store import state as state_module
from orders_pipeline.store.attached import MAX_LOG_BYTES, log_of
from orders_pipeline.store.publish import publish
from orders_pipeline.store.reader import published
from orders_pipeline.store.state import migrations
from orders_pipeline.store.store import Store
from orders_pipeline_tests.store.builders import process


def put(store: Store, value: str) -> None:
    with store.state.transaction() as con:
        con.execute("DELETE FROM store_meta WHERE key = 'seen'")
        con.execute("INSERT INTO store_meta VALUES ('seen', ?)", [value])


def seen(home: Path) -> str:
    with published(home) as con:
        return con.execute("SELECT value FROM store_meta WHERE key = 'seen'").fetchall()[0][0]


def test_it_is_published_only_when_it_is_behind(store: Store) -> None:
    """Copying costs time in proportion to the file."""
    put(store, "1")
    assert [publish(store), publish(store)] == [True, False]
    with store.state.reading():
        pass
    assert not publish(store)
    put(store, "2")
    assert publish(store)
    assert seen(store.folder.root) == "2"


@pytest.mark.parametrize("mark", [None, b"", b"\xff\xfe", b"999"])
def test_a_lost_copy_or_mark_is_made_again(store: Store, mark: bytes | None) -> None:
    """The mark is written after the copy: a kill between them must cost a copy, not the truth."""
    put(store, "1")
    publish(store)
    path = store.folder.root / ".published"
    path.unlink() if mark is None else path.write_bytes(mark)
    assert [publish(store), publish(store)] == [True, False]
    store.folder.published.unlink()
    assert publish(store)


def test_a_reader_keeps_the_copy_that_it_opened(store: Store) -> None:
    """A dashboard must neither see half a copy nor hold the pipeline up."""
    put(store, "1")
    publish(store)
    code = """
import duckdb, sys
con = duckdb.connect(sys.argv[1], read_only=True)
print(con.execute("SELECT value FROM store_meta WHERE key = 'seen'").fetchall()[0][0], flush=True)
sys.stdin.readline()
print(con.execute("SELECT value FROM store_meta WHERE key = 'seen'").fetchall()[0][0], flush=True)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code, store.folder.published], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "1\n"
    put(store, "2")
    assert publish(store)
    assert seen(store.folder.root) == "2"
    assert child.communicate("go\n", timeout=30)[0] == "1\n"


def test_a_copy_of_an_older_schema_is_renewed_before_it_is_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade the listing commands ask for what the old copy lacks, and no run may come for hours."""
    good = migrations()
    monkeypatch.setattr(state_module, "migrations", lambda: good[:1])
    put(store, "old")
    publish(store)
    for module in (state_module, reader_module):
        monkeypatch.setattr(module, "migrations", lambda: good)
    with published(store.folder.root) as con:
        assert con.execute("SELECT count(*) FROM case_history").fetchall() == [(0,)]
        assert con.execute("SELECT max(version) FROM schema_version").fetchall() == [(len(good),)]
    assert seen(store.folder.root) == "old"
    assert not publish(store)


def test_readers_in_a_loop_always_find_a_whole_copy(store: Store) -> None:
    """Between unlinking and writing there would be a moment without a file."""
    put(store, "0")
    publish(store)
    stop, faults, reads = threading.Event(), [], []

    def read() -> None:
        while not stop.is_set():
            try:
                reads.append(seen(store.folder.root))
            except Exception as error:
                faults.append(repr(error))

    code = f"""
from pathlib import Path
from orders_pipeline.store.reader import published
print("up", flush=True)
while True:
    with published(Path({str(store.folder.root)!r})) as con:
        assert len(con.execute("SELECT value FROM store_meta WHERE key = 'seen'").fetchall()) == 1
"""
    with process(code) as other:
        reader = threading.Thread(target=read)
        reader.start()
        for number in range(10):
            put(store, str(number))
            assert publish(store)
        stop.set()
        reader.join()
        assert other.poll() is None, other.stderr.read() if other.stderr else ""
    assert faults == []
    assert reads


def test_it_is_never_copied_beside_an_open_connection(store: Store) -> None:
    """Closing a handle on the file drops the process's lock on it: a second writer gets in, and a row is lost."""
    put(store, "1")
    with store.state.transaction(), pytest.raises(StoreLocked):
        publish(store)
    assert not store.folder.published.exists()


def test_what_a_killed_writer_committed_is_in_the_copy(store: Store) -> None:
    """Its rows are in the log and not in the file: a copy of the file alone would lack them."""
    put(store, "1")
    code = """
import os, sys
from pathlib import Path
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.state import State
with State(DataFolder(Path(sys.argv[1])), timeout=5).reading() as con:
    con.execute("ROLLBACK")
    con.execute("UPDATE store_meta SET value = '2' WHERE key = 'seen'")
    con.execute("UPDATE store_meta SET value = '77' WHERE key = 'generation'")
    os._exit(1)
"""
    subprocess.run([sys.executable, "-c", code, store.folder.root], check=False)
    assert store.folder.state.with_name("state.duckdb.wal").exists()
    assert publish(store)
    assert seen(store.folder.root) == "2"


def test_a_log_that_stays_is_not_left_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where letting the file go could not write everything into it, the copy would be older than it says."""
    put(store, "1")
    publish(store)
    put(store, "2")
    log = log_of(store.folder.state)
    connected = store.state.connected

    @contextlib.contextmanager
    def stubborn(deadline: float) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection whose end leaves a log."""
        with connected(deadline) as con:
            yield con
        log.write_bytes(b"rest")

    monkeypatch.setattr(store.state, "connected", stubborn)
    assert not publish(store)
    monkeypatch.undo()
    log.unlink()
    assert seen(store.folder.root) == "1"
    assert publish(store)
    assert seen(store.folder.root) == "2"


def test_what_is_committed_waits_in_the_log_for_the_next_copy(store: Store) -> None:
    """The log is kept between commits: a copy of the file alone would lack what it holds."""
    put(store, "1")
    publish(store)
    put(store, "2")
    assert log_of(store.folder.state).exists()
    assert publish(store)
    assert not log_of(store.folder.state).exists()
    assert seen(store.folder.root) == "2"


def test_a_log_does_not_grow_for_ever(store: Store) -> None:
    """Every opening reads it: a backfill of a year would read hundreds of megabytes for each commit."""
    put(store, "x" * (MAX_LOG_BYTES + 1))
    assert not log_of(store.folder.state).exists()


def test_a_stray_writers_log_does_not_spoil_the_next_copy(store: Store) -> None:
    """Someone wrote into orders.duckdb and was killed: DuckDB refuses the new copy beside the old log."""
    put(store, "1")
    publish(store)
    code = """
import duckdb, os, sys
con = duckdb.connect(sys.argv[1])
con.execute("CREATE TABLE mine AS SELECT 1")
os._exit(1)
"""
    subprocess.run([sys.executable, "-c", code, store.folder.published], check=False)
    assert store.folder.published.with_name("orders.duckdb.wal").exists()
    put(store, "2")
    publish(store)
    assert seen(store.folder.root) == "2"


@pytest.mark.parametrize("log", ["checkpointed", "full"])
def test_a_full_disk_keeps_the_old_copy_and_what_is_committed(store: Store, log: str) -> None:
    """An older answer is better than none, and a log that the file cannot take stays."""
    put(store, "1")
    publish(store)
    put(store, "2")
    code = """
import resource, sys
from pathlib import Path
from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.publish import publish
from orders_pipeline.store.store import Store
store = Store(DataFolder(Path(sys.argv[1])), zone="Europe/Berlin", lock_timeout=5)
with store.state.exclusive() as deadline, store.state.connected(deadline) as con:
    if sys.argv[2] == "checkpointed":
        con.execute("CHECKPOINT")
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    publish(store)
except StoreError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, store.folder.root, log], capture_output=True, text=True, check=True, timeout=60
    )
    said = "the old copy stays" if log == "checkpointed" else "make room on its disk"
    assert said in done.stdout, done.stdout + done.stderr
    assert seen(store.folder.root) == "1"
    assert not list(store.folder.root.glob(".orders.*.tmp"))
    assert publish(store)
    assert seen(store.folder.root) == "2"


def test_the_copy_is_private_and_leftovers_go(store: Store) -> None:
    """A killed publisher leaves a file as large as the store each time."""
    put(store, "1")
    (store.folder.root / ".orders.dead.tmp").write_text("x")
    before = os.umask(0)
    try:
        publish(store)
    finally:
        os.umask(before)
    assert not list(store.folder.root.glob(".orders.*.tmp"))
    for name in ("orders.duckdb", ".published"):
        assert (store.folder.root / name).stat().st_mode & 0o777 == 0o600


def test_reading_before_anything_is_published_says_what_to_do(store: Store) -> None:
    """It is the first thing that a new user tries."""
    with pytest.raises(StoreError, match=r"no store at .* yet: run `make demo`"), published(store.folder.root):
        pass
    store.folder.published.write_bytes(b"no database\nat all")
    with pytest.raises(StoreError, match=r"cannot open .*orders\.duckdb.*it is published again"):
        seen(store.folder.root)
