"""Starting a child, holding it at a point, killing it, and what it left.

Belongs here: processes and their deaths, copies of a prepared folder, and what is looked at after a kill. Children come
from a fork server that has imported everything, so that one costs milliseconds.
"""

from __future__ import annotations

import datetime as dt
import multiprocessing
import os
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from orders_pipeline.crash_points import STOP_AT, STOPPED
from orders_pipeline.store import ledger
from orders_pipeline.store.archive import Archive
from orders_pipeline.store.reader import published
from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.harness import Scene

Life = Callable[[str, dict[str, str]], None]
BATCH = 2  # mails a mail file, verdicts a verdict file: what one process has in flight of each
DAYS = 3
SETTINGS = f"[fetch]\nbatch_messages = {BATCH}\n\n[sensor]\nretry_first_seconds = 0\n"
_HELD_SECONDS = 120.0
_END_SECONDS = 120.0


def fork_server() -> ForkServerContext:
    """The context whose processes start with everything imported, in this test process's fork server."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["orders_pipeline_tests.crash.warm"])
    return context


@contextmanager
def fast_folder() -> Iterator[Path]:
    """A temporary folder, in memory where there is such a place: a SIGKILL loses nothing that was written either way,
    and the many small commits of Dagster cost a tenth."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None, prefix="orders-") as folder:
        yield Path(folder)


def scene_at(root: Path, start: dt.date) -> Scene:
    """The scene that lies (or comes to lie) at ``root``."""
    return Scene(root, start=start, settings=SETTINGS)


def copy_scene(scene: Scene, root: Path) -> Scene:
    """A copy of a prepared scene, mail and store and all."""
    shutil.copytree(scene.root, root)
    return scene_at(root, scene.start)


def start(life: Life, scene: Scene, **environ: str) -> BaseProcess:
    """Start a child that lives in a scene."""
    paid = {paying.LOG: str(log_of(scene)), paying.JUDGE_BATCH: str(BATCH)}
    process = fork_server().Process(target=life, args=(str(scene.root), {**scene.environ, **paid, **environ}))
    process.start()
    return process


def log_of(scene: Scene) -> Path:
    """Where the scene's children write down what they paid for."""
    return scene.root / "paid.log"


def live_on(life: Life, scene: Scene, seconds: float = _END_SECONDS) -> None:
    """A child lives to its end. Raises ``AssertionError`` with the end of its output when it fails or hangs."""
    process = start(life, scene)
    process.join(seconds)
    if process.exitcode != 0:
        kill(process)
        raise AssertionError(f"the child ended with {process.exitcode}:\n{tail(scene)}")


def kill_at(life: Life, scene: Scene, point: str, **environ: str) -> bool:
    """A child lives until it reaches ``point`` (``name`` or ``name:count``), and is killed there from outside.

    False when it came to a good end without reaching it.
    """
    stopped = scene.root / "stopped"
    stopped.unlink(missing_ok=True)
    process = start(life, scene, **{STOP_AT: point, STOPPED: str(stopped), **environ})
    deadline = time.monotonic() + _HELD_SECONDS
    try:
        while not stopped.exists():
            if not process.is_alive() and not stopped.exists():
                if process.exitcode != 0:
                    raise AssertionError(f"the child ended with {process.exitcode}:\n{tail(scene)}")
                return False
            if time.monotonic() > deadline:
                raise AssertionError(f"the child did not reach {point} in {_HELD_SECONDS:.0f} s:\n{tail(scene)}")
            time.sleep(0.005)
    finally:
        kill(process)
    return True


def kill_between(life: Life, scene: Scene, seconds: float, **environ: str) -> bool:
    """A child lives until ``seconds`` are over, or to its end when that comes first; whether it was killed."""
    process = start(life, scene, **environ)
    process.join(seconds)
    killed = process.is_alive()
    kill(process)
    if not killed and process.exitcode != 0:
        raise AssertionError(f"the child ended with {process.exitcode}:\n{tail(scene)}")
    return killed


def kill(process: BaseProcess) -> None:
    """SIGKILL, and wait until it is gone."""
    if process.is_alive() and process.pid:
        os.kill(process.pid, signal.SIGKILL)
    process.join(30)


def tail(scene: Scene) -> str:
    """The end of what the scene's children said."""
    path = scene.root / "child.log"
    return path.read_text(encoding="utf-8", errors="replace")[-3000:] if path.exists() else ""


def saved_units(scene: Scene) -> set[tuple[str, str]]:
    """What the archive holds: fetched locations and judged parses, named as in the log of what was paid for."""
    archive = Archive(scene.home / "archive")
    out: set[tuple[str, str]] = set()
    for path in archive.all_files("mail"):
        rows = archive.read(path, ["mailbox", "location"]).to_pylist()
        out |= {(paying.FETCHED, f"{r['mailbox']}/{r['location']}") for r in rows}
    for path in archive.all_files("verdicts"):
        rows = archive.read(path, ["message_id", "parse_digest"]).to_pylist()
        out |= {(paying.JUDGED, f"{r['message_id']}/{r['parse_digest']}") for r in rows}
    return out


def doubled_in_archive(scene: Scene) -> list[str]:
    """Messages whose bytes, and parses whose verdict, the archive holds more than once."""
    archive = Archive(scene.home / "archive")
    seen: Counter[str] = Counter()
    for path in archive.all_files("mail"):
        seen.update(f"mail {r['message_id']}" for r in archive.read(path).to_pylist() if r["raw"] is not None)
    for path in archive.all_files("verdicts"):
        seen.update(f"verdict {r['message_id']} {r['parse_digest']}" for r in archive.read(path).to_pylist())
    return sorted(name for name, count in seen.items() if count > 1)


def half_written(scene: Scene) -> list[str]:
    """Days whose rows are not what their ledger row says, a line each; read as the next process would."""
    out = []
    with scene.work().store.state.reading() as con:
        for stage, day, digest, count in con.execute(
            "SELECT stage, day, output_digest, row_count FROM stage_days ORDER BY ALL"
        ).fetchall():
            if stage == ledger.FETCH:
                found = ledger.mail_digest(con, day)
            elif stage == ledger.PARSE:
                pairs = con.execute(
                    "SELECT message_id, parse_digest FROM parse_outcomes WHERE day = ?", [day]
                ).fetchall()
                found = ledger.pairs_digest(pairs), len(pairs)
            else:
                cases = con.execute("SELECT count(*) FROM proposed_eval_cases WHERE day = ?", [day]).fetchall()[0][0]
                found = digest, cases
            if found != (digest, count):
                out.append(f"{stage} of {day}: {count} rows in the ledger, {found[1]} in the table")
    return out


def damaged_copy(scene: Scene) -> list[str]:
    """Why the published copy, where there is one, cannot be read."""
    if not (scene.home / "orders.duckdb").exists():
        return []
    try:
        with published(scene.home) as con:
            con.execute("SELECT count(*) FROM messages").fetchall()
    except Exception as error:  # whatever it says of the file is the finding
        return [f"orders.duckdb: {error}"]
    return []


def leftovers(scene: Scene) -> list[str]:
    """Temporary files that nobody will take up again."""
    return sorted(str(p.relative_to(scene.home)) for p in scene.home.rglob("*.tmp"))
