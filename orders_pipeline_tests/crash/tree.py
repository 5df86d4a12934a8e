"""The whole tree of processes over a data folder: daemon, its code server, and the workers that it starts.

Belongs here: starting it as one process group, knowing what lives in it, and killing all of it at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from orders_pipeline.store.folder import DataFolder
from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.kills import BATCH, log_of
from orders_pipeline_tests.harness import Scene
from orders_pipeline_tests.support import PROJECT, ending_with_us

_WORKSPACE = """\
load_from:
  - python_module:
      module_name: orders_pipeline_tests.crash.definitions
      location_name: orders_pipeline
"""


class Tree:
    """A running daemon with everything below it."""

    def __init__(self, scene: Scene, **environ: str) -> None:
        self._scene = scene
        home = scene.home / "dagster"
        workspace = scene.root / "workspace.yaml"
        workspace.write_text(_WORKSPACE, encoding="utf-8")
        ours = {"DAGSTER_HOME": str(home), "PYTHONPATH": str(PROJECT)}
        paid = {paying.LOG: str(log_of(scene)), paying.JUDGE_BATCH: str(BATCH)}
        with (scene.root / "tree.log").open("ab") as log:
            self.process = subprocess.Popen(
                ending_with_us([Path(sys.executable).with_name("dagster-daemon"), "run", "-w", workspace]),
                cwd=home,
                env={**os.environ, **scene.environ, **paid, **ours, **environ},
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip

    def pids(self) -> list[int]:
        """Every process of the group, by ``ps``."""
        shown = subprocess.run(["ps", "-eo", "pid=,pgid="], capture_output=True, text=True, check=True).stdout
        pairs = (line.split() for line in shown.splitlines())
        return [int(pid) for pid, group in pairs if int(group) == self.process.pid]

    def kill(self) -> None:
        """SIGKILL to the group, and wait until nobody of it is left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(30)
        deadline = time.monotonic() + 30
        while [p for p in self.pids() if p != self.process.pid] and time.monotonic() < deadline:
            time.sleep(0.05)

    def log(self) -> str:
        """The end of what all trees of this scene said."""
        lines = (self._scene.root / "tree.log").read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join([line for line in lines if " - DEBUG - " not in line][-30:])


@contextmanager
def tree(scene: Scene, **environ: str) -> Iterator[Tree]:
    """A tree that is killed at the end, whatever happens. ``prepare`` must have been called for its scene."""
    running = Tree(scene, **environ)
    try:
        yield running
    finally:
        running.kill()


def prepare(scene: Scene) -> None:
    """Make the instance of a scene ready, in a process of its own: this one's DAGSTER_HOME stays as it is."""
    code = (
        "from orders_pipeline.config import home; from orders_pipeline.defs.launch import prepare_instance;"
        "from orders_pipeline.store.folder import DataFolder; prepare_instance(DataFolder(home()).open())"
    )
    DataFolder(scene.home).open()
    done = scene.run("-c", code)
    assert done.returncode == 0, done.stderr
