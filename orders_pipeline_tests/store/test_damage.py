"""A damaged store opens with what was committed, or says in one line what to do; a rebuild makes it whole."""

from __future__ import annotations

import contextlib
import datetime as dt
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from orders_pipeline.errors import StoreDamaged
from orders_pipeline.models import Decision
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.salvage import set_aside_damaged
from orders_pipeline_tests.harness import Dump, Scene, different_tables, select
from orders_pipeline_tests.support import skip_or_fail

CHILD = ("-m", "orders_pipeline_tests.store.damage")
READ = "import sys; from orders_pipeline.cli import main; sys.argv = ['x', 'status', '--json']; main()"
IGNORE = ("stage_days.version",)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scene, Dump]:
    """A store of two days with a decision, and its tables; made once."""
    scene = Scene(tmp_path_factory.mktemp("made"), start=dt.datetime.now(dt.UTC).date() - dt.timedelta(days=2))
    for day in (scene.start, scene.start + dt.timedelta(days=1)):
        scene.add_day(day)
        run_day(scene.work(), day)
    case = select(scene.work().store, "SELECT min(case_id) FROM eval_cases")[0][0]
    decide(scene.work(), case, Decision.ACCEPTED)
    refresh_current(scene.work())
    return scene, scene.dump(ignore=IGNORE)


@pytest.fixture
def scene(made: tuple[Scene, Dump], tmp_path: Path) -> Scene:
    """A copy of it."""
    shutil.copytree(made[0].root, tmp_path / "scene")
    return Scene(tmp_path / "scene", start=made[0].start)


def read(scene: Scene) -> subprocess.CompletedProcess[str]:
    """``status`` in a process of its own: a damaged file may take its reader down."""
    return scene.run("-c", READ, timeout=60)


def assert_told_or_fine(scene: Scene) -> bool:
    """Whether it opened; if not, the one line names the file and the remedy."""
    result = read(scene)
    assert result.returncode in (0, 1, 2), result.stderr
    assert "Traceback" not in result.stderr
    if result.returncode == 2:
        assert len(result.stderr.strip().splitlines()) == 1
        assert "state.duckdb" in result.stderr
        assert "orders-pipeline rebuild" in result.stderr
    return result.returncode != 2


def rebuild(scene: Scene) -> Dump:
    """The tables after the command `rebuild`, which must not fail whatever became of the state."""
    result = scene.run("-m", "orders_pipeline.cli", "rebuild")
    assert result.returncode == 0, result.stderr
    return scene.dump(ignore=IGNORE)


def leave_log(scene: Scene, commits: int = 5) -> Path:
    """Commits in the write-ahead log, as a process that was killed leaves them."""
    assert scene.run(*CHILD, "die", str(commits)).returncode == -9
    log = scene.home / "state.duckdb.wal"
    assert log.stat().st_size > 1000
    return log


def test_commits_in_the_log_of_a_killed_process_are_all_there(scene: Scene) -> None:
    """Killed after a commit and before a checkpoint: what was committed counts."""
    leave_log(scene)
    assert assert_told_or_fine(scene)
    assert select(scene.work().store, "SELECT DISTINCT input_digest FROM refreshes") == [("4",)]


@pytest.mark.parametrize("seed", range(3))
def test_a_log_that_is_cut_opens_with_a_whole_commit(scene: Scene, seed: int) -> None:
    """A torn tail is a commit that was not finished: some whole commit before it stands, never half of one."""
    log = leave_log(scene)
    data = log.read_bytes()
    log.write_bytes(data[: random.Random(seed).randrange(1, len(data))])
    if assert_told_or_fine(scene):
        found = select(scene.work().store, "SELECT input_digest, count(*) FROM refreshes GROUP BY 1")
        assert len(found) == 1
        assert found[0][1] in (3, 50)


@pytest.mark.parametrize("seed", range(3))
def test_a_log_with_a_flipped_byte_opens_or_is_told_and_a_rebuild_is_whole(
    made: tuple[Scene, Dump], scene: Scene, seed: int
) -> None:
    """Bits rot: no traceback, no wrong table, and one command makes it good."""
    log = leave_log(scene)
    data = bytearray(log.read_bytes())
    data[random.Random(seed).randrange(len(data))] ^= 0xFF
    log.write_bytes(data)
    assert_told_or_fine(scene)
    assert different_tables(made[1], rebuild(scene)) == {}


@pytest.mark.parametrize("how", ["zeros", "cut", "empty", "noise", "header", "missing"])
def test_a_damaged_state_file_is_told_and_a_rebuild_gives_the_same_tables(
    made: tuple[Scene, Dump], scene: Scene, how: str
) -> None:
    """Everything in the state follows from the archive: decisions, verdicts, cases, orders. The wreck is kept."""
    path = scene.home / "state.duckdb"
    data = bytearray(path.read_bytes())
    rng = random.Random(how)
    if how == "missing":
        path.unlink()
    else:
        middle = len(data) // 2
        header = bytes([*data[:20], *(b ^ 0xFF for b in data[20:60]), *data[60:]])
        noise = data.copy()
        for _ in range(200):
            noise[rng.randrange(len(data))] ^= rng.randrange(1, 256)
        path.write_bytes(
            {
                "zeros": bytes(len(data)),
                "cut": bytes(data[:middle]),
                "empty": b"",
                "noise": bytes(noise),
                "header": header,
            }[how]
        )
    opened = how == "missing" or assert_told_or_fine(scene)
    assert different_tables(made[1], rebuild(scene)) == {}
    if how not in ("missing", "empty") and not opened:
        assert list(scene.home.glob("state.damaged-*.duckdb"))


def test_only_damage_is_set_aside(scene: Scene) -> None:
    """A sound state is never renamed."""
    assert set_aside_damaged(DataFolder(scene.home), now=dt.datetime.now(dt.UTC)) is None
    (scene.home / "state.duckdb").write_bytes(b"x" * 5000)
    with pytest.raises(StoreDamaged):
        scene.work()
    aside = set_aside_damaged(DataFolder(scene.home), now=dt.datetime.now(dt.UTC))
    assert aside is not None
    assert aside.read_bytes() == b"x" * 5000


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    """A disk of this size over a folder; the test is skipped where mounting is not allowed."""
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        skip_or_fail("mount", "no permission to mount a small disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_refuses_in_one_line_and_loses_no_commit(scene: Scene) -> None:
    """Disk full in the middle of a commit: what was committed stays, what was not is not there, and room heals it."""
    kept = scene.root / "kept"
    scene.home.rename(kept)
    size = sum(-(-p.stat().st_size // 4096) * 4 for p in kept.rglob("*")) + 3000  # in KiB
    scene.home.mkdir(mode=0o700)
    with small_disk(scene.home, f"{size}k"):
        shutil.copytree(kept, scene.home, dirs_exist_ok=True)
        result = scene.run(*CHILD, "limit", str(1 << 40))
        committed = result.stdout.count("committed")
        assert result.returncode == 2, result.stderr + result.stdout
        last = result.stdout.splitlines()[-1]
        assert last.startswith("refused: ")
        assert "make room" in last
        assert committed > 0
        shutil.copytree(scene.home, kept, dirs_exist_ok=True)  # a larger disk
    scene.home.rmdir()
    kept.rename(scene.home)
    assert select(scene.work().store, "SELECT count(*) FROM acts WHERE kind = 'note'") == [(committed * 4000,)]
    assert read(scene).returncode in (0, 1)


def test_a_file_size_limit_refuses_in_one_line_and_loses_no_commit(scene: Scene) -> None:
    """A quota in place of a full disk; it needs no permission to mount."""
    size = (scene.home / "state.duckdb").stat().st_size
    result = scene.run(*CHILD, "limit", str(size + 1_000_000))
    committed = result.stdout.count("committed")
    assert result.returncode == 2, result.stderr + result.stdout
    assert "Traceback" not in result.stderr
    assert select(scene.work().store, "SELECT count(*) FROM acts WHERE kind = 'note'") == [(committed * 4000,)]


def test_a_folder_that_cannot_be_written_is_told_in_one_line(scene: Scene) -> None:
    """A read-only disk: the command says which folder and ends with 2, and nothing changes."""
    before = (scene.home / "state.duckdb").read_bytes()
    with small_disk(scene.root / "inbox", "1m"):
        pass  # skips where mounting is not allowed
    subprocess.run(["mount", "--bind", str(scene.home), str(scene.home)], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(scene.home)], check=True)
        result = read(scene)
    finally:
        subprocess.run(["umount", "-l", str(scene.home)], check=True)
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert str(scene.home) in result.stderr
    assert (scene.home / "state.duckdb").read_bytes() == before
    assert assert_told_or_fine(scene)
