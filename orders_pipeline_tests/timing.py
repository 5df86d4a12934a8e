"""Timing for people: what `make bench` and the measurements beside it share."""

from __future__ import annotations

import time
from collections.abc import Callable


def best(work: Callable[[], object]) -> float:
    """The least of three timings in seconds: what else the machine does only ever adds."""
    taken = []
    for _ in range(3):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)
