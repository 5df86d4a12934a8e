"""What a process was working on when it died.

Belongs here: a small file that names the units in work, written before the work and removed after the commit's input is
complete. It costs a write without fsync (it must survive the death of a process, not of the machine).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path


class InFlight:
    """Use as a context: on entry ``suspects`` holds the units that were in work when an earlier process died."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / f"{name}.txt"
        self._handle = -1
        self.suspects: frozenset[str] = frozenset()

    def __enter__(self) -> InFlight:
        with contextlib.suppress(FileNotFoundError):
            self.suspects = frozenset(self._path.read_text(encoding="utf-8", errors="replace").split())
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self

    def enter(self, units: Collection[str]) -> None:
        """Name the units that are worked on from now on.

        Suspects of before stay named until the end, also when they got through: the work begins anew after a kill, and
        were they forgotten, n deadly units would cost 2^n tries instead of n + 1.
        """
        self._name(self.suspects.union(units))

    def __exit__(self, kind: object, *error: object) -> None:
        if kind and self.suspects:
            self._name(self.suspects)
        else:
            with contextlib.suppress(FileNotFoundError):
                self._path.unlink()
        os.close(self._handle)

    def _name(self, units: frozenset[str]) -> None:
        data = "\n".join(sorted(units)).encode()
        os.pwrite(self._handle, data, 0)
        os.ftruncate(self._handle, len(data))
