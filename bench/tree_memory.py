"""The memory of this process and all its children together, sampled while they run.

Belongs here: sampling. A page that two processes share counts half in each (Linux; elsewhere whole in each, so that the
sum is no less than what is held). A child that is not yet its own program (vfork) has the memory of the one that starts
it, and does not count.
"""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path
from typing import Self

_EVERY_SECONDS = 0.2


class TreeMemory:
    """Use as a context: ``peak_mb`` is the most that was seen, in MB, ``own_mb`` what this process had of it."""

    def __init__(self) -> None:
        self.peak_mb = self.own_mb = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _sample(self) -> None:
        own = os.getpid()
        while True:
            sizes = _sizes(own)
            if (total := sum(sizes.values()) / 1024) > self.peak_mb:
                self.peak_mb, self.own_mb = total, sizes.get(own, 0) / 1024
            if self._over.wait(_EVERY_SECONDS):
                return


def _sizes(root: int) -> dict[int, int]:
    """KB of each process of the tree that lives now."""
    if Path("/proc/self/smaps_rollup").exists():
        return _by_proc(root)
    listing = subprocess.run(["ps", "-axo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    table = [tuple(map(int, line.split())) for line in listing.splitlines()]
    found: dict[int, int] = {}
    wanted = {root}
    while wanted:
        found |= {pid: size for pid, _, size in table if pid in wanted}
        wanted = {pid for pid, parent, _ in table if parent in wanted} - found.keys()
    return found


def _by_proc(root: int) -> dict[int, int]:
    found: dict[int, int] = {}
    wanted = [(root, b"")]
    while wanted:
        pid, parents_line = wanted.pop()
        folder = Path(f"/proc/{pid}")
        try:
            line = (folder / "cmdline").read_bytes()
            if line == parents_line:
                continue
            found[pid] = _held(folder)
            for task in (folder / "task").iterdir():
                wanted += [(int(child), line) for child in (task / "children").read_text().split()]
        except (OSError, ValueError):  # it ended meanwhile
            continue
    return found


def _held(folder: Path) -> int:
    """KB of memory, shared pages by their share. Raises ``ValueError`` for a process that has none any more."""
    for line in (folder / "smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    raise ValueError("no memory")
