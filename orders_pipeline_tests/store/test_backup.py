"""A backup holds everything that its state names, and a restore ends in the truth."""

from __future__ import annotations

import datetime as dt
import shutil
import threading
from pathlib import Path

import duckdb
import pytest

from orders_pipeline.errors import StoreError, StoreLocked
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.forget import forget
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.store import locks
from orders_pipeline.store.archive import Archive
from orders_pipeline.store.backup import MANIFEST, back_up
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.restore import restore
from orders_pipeline_tests.harness import DAY, Scene, different_tables, select

DAYS = [DAY + dt.timedelta(days=n) for n in range(3)]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    scene = Scene(tmp_path)
    scene.add_day(DAY)
    run_day(scene.work(), DAY)
    return scene


def backup(scene: Scene, target: Path | None = None):
    work = scene.work()
    return back_up(work.store, target or scene.root / "backup", now=work.now())


def put_back(scene: Scene, *, force: bool = False, home: Path | None = None) -> Path | None:
    now = dt.datetime.now(dt.UTC)
    return restore(DataFolder(home or scene.home), scene.root / "backup", force=force, now=now)


def test_a_restored_backup_is_the_store_it_was_made_from(scene: Scene) -> None:
    """Into an empty folder: the same tables, every archive file, done days done."""
    before = scene.dump()
    done = backup(scene)
    assert done.copied == done.files == 3
    assert done.missing == ()
    shutil.rmtree(scene.home)
    assert put_back(scene) is None
    assert different_tables(before, scene.dump()) == {}
    assert scene.why_not_done() is None
    assert reconcile(scene.work()).missing == []
    assert run_day(scene.work(), DAY).reports[1].counts["newly_parsed"] == 0


def test_the_second_backup_copies_only_what_is_new(scene: Scene) -> None:
    """A nightly backup of ten years must not copy ten years; its state is that of tonight."""
    backup(scene)
    assert backup(scene).copied == 0
    old = {p: p.stat().st_mtime_ns for p in (scene.root / "backup" / "archive").rglob("*.parquet")}
    scene.add_order(DAY)
    run_day(scene.work(), DAY)
    assert backup(scene).copied == 3
    assert {p: p.stat().st_mtime_ns for p in old} == old
    assert stored_messages(scene) == 5


def test_a_file_that_was_cut_short_is_copied_again(scene: Scene) -> None:
    """After a loss of power a backup heals itself."""
    backup(scene)
    path = next((scene.root / "backup" / "archive" / "mail").rglob("*.parquet"))
    path.write_bytes(path.read_bytes()[:100])
    assert backup(scene).copied == 1


def test_a_backup_during_a_run_misses_nothing_that_its_state_names(scene: Scene) -> None:
    """State first, archive second: whenever it is made, the copy is whole, and what is newer is adopted."""
    stop, problems = threading.Event(), []

    def work_on() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            scene.add_order(DAYS[number % 3])
            problems.append(run_day(scene.work(), DAYS[number % 3]).problem)

    worker = threading.Thread(target=work_on)
    worker.start()
    try:
        for number in range(6):
            target = scene.root / f"backup-{number}"
            assert backup(scene, target).missing == ()
            with duckdb.connect(target / "state.duckdb", read_only=True) as con:
                named = {r[0] for r in con.execute("SELECT path FROM archive_files").fetchall()}
            archive = Archive(target / "archive")
            assert named <= {p for k in ("mail", "listings", "verdicts", "acts") for p in archive.all_files(k)}
    finally:
        stop.set()
        worker.join()
    assert set(problems) == {None}


def test_a_backup_is_refused_where_it_would_do_harm(scene: Scene, tmp_path: Path) -> None:
    """Not into the data folder, not over other files, not over another store's backup."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "photo.jpg").write_bytes(b"x")
    for target in (scene.home / "backup", scene.home, tmp_path, tmp_path / "other"):
        with pytest.raises(StoreError, match=r"another place|no backup"):
            backup(scene, target)
    backup(scene)
    (tmp_path / "second").mkdir()
    second = Scene(tmp_path / "second")
    second.add_order(DAYS[1])
    run_day(second.work(), DAYS[1])
    with pytest.raises(StoreError, match="another store"):
        backup(second, scene.root / "backup")


def test_a_backup_of_a_store_that_lost_a_file_says_so_and_keeps_its_own_copy(scene: Scene) -> None:
    """The backup is what is left of the file: it must not be pruned to match the damage."""
    backup(scene)
    path = next((scene.home / "archive" / "mail").rglob("*.parquet"))
    path.unlink()
    assert backup(scene).missing == ()
    assert (scene.root / "backup" / path.relative_to(scene.home)).exists()
    assert backup(scene, scene.root / "fresh").missing == (str(path.relative_to(scene.home / "archive")),)


def test_what_was_forgotten_leaves_the_backup_with_the_next_run(scene: Scene) -> None:
    """A backup must not be the place where forgotten mail lives on."""
    backup(scene)
    message = select(scene.work().store, "SELECT min(message_id) FROM messages")[0][0]
    forget(scene.work(), {message})
    assert backup(scene).removed >= 1
    archive = Archive(scene.root / "backup" / "archive")
    for path in archive.all_files("mail"):
        table = archive.read(path)
        held = dict(zip(table["message_id"].to_pylist(), table["has_raw"].to_pylist(), strict=True))
        assert not held.get(message, False)
    put_back(scene, force=True)
    assert reconcile(scene.work()).missing == []
    assert stored_messages(scene) == 3


def test_what_was_there_is_moved_aside_and_everything_else_stays(scene: Scene) -> None:
    """--force deletes nothing: the old store, the configuration and Dagster's history are all still there."""
    backup(scene)
    scene.add_day(DAYS[1])
    run_day(scene.work(), DAYS[1])
    (scene.home / "orders_pipeline.toml").write_text("# mine")
    (scene.home / "dagster" / "dagster.yaml").write_text("# mine")
    with pytest.raises(StoreError, match="--force"):
        put_back(scene)
    aside = put_back(scene, force=True)
    assert aside is not None
    assert (aside / "state.duckdb").exists()
    assert len(list((aside / "archive" / "mail").rglob("*.parquet"))) == 2
    assert (scene.home / "orders_pipeline.toml").read_text() == "# mine"
    assert (scene.home / "dagster" / "dagster.yaml").exists()
    assert stored_messages(scene) == 4
    assert scene.why_not_done(DAYS[1]) is not None


def test_a_store_in_use_is_not_replaced(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither under a run that holds a day, nor under a notebook that has the state open; the error names who it is."""
    backup(scene)
    monkeypatch.setattr("orders_pipeline.store.restore._WAIT", 0.2)
    with scene.work().store.day_lock(DAY), pytest.raises(StoreLocked, match=r"day 2026.*process \d+"):
        put_back(scene, force=True)
    with (
        locks.locked(scene.home / "locks" / "state.lock", timeout=1, what="x"),
        pytest.raises(StoreLocked, match=r"process \d+"),
    ):
        put_back(scene, force=True)
    assert stored_messages(scene) == 4
    assert scene.why_not_done() is None


@pytest.mark.parametrize("harm", ["manifest", "state", "archive", "damaged", "format"])
def test_a_broken_backup_changes_nothing(scene: Scene, harm: str) -> None:
    """What cannot be restored is told in one line, before anything is moved."""
    backup(scene)
    source = scene.root / "backup"
    if harm == "archive":
        shutil.rmtree(source / "archive")
    elif harm == "damaged":
        (source / "state.duckdb").write_bytes(b"\0" * 8192)
    elif harm == "format":
        (source / MANIFEST).write_text('{"format": 9, "zone": "Europe/Berlin"}')
    else:
        (source / {"manifest": MANIFEST, "state": "state.duckdb"}[harm]).unlink()
    before = scene.dump()
    with pytest.raises(StoreError) as caught:
        put_back(scene, force=True)
    assert "\n" not in str(caught.value)
    assert different_tables(before, scene.dump()) == {}
    assert not list(scene.home.glob("before-restore-*"))
    assert not (scene.home / ".restore.tmp").exists()


def test_a_backup_that_lost_archive_files_is_red_after_the_restore(scene: Scene) -> None:
    """A state newer than its archive claims nothing: the files are named, their day is not done."""
    backup(scene)
    next((scene.root / "backup" / "archive" / "mail").rglob("*.parquet")).unlink()
    put_back(scene, force=True)
    assert len(reconcile(scene.work()).missing) == 1
    assert scene.why_not_done() is not None


def test_a_backup_is_private(scene: Scene) -> None:
    """It holds mail: nobody else may read it."""
    backup(scene)
    assert {p.stat().st_mode & 0o077 for p in [scene.root / "backup", *(scene.root / "backup").rglob("*")]} == {0}


def stored_messages(scene: Scene) -> int:
    return select(scene.work().store, "SELECT count(*) FROM messages")[0][0]
