"""Ways to measure that every area shares: in turn, in a process of its own, with its peak memory.

Belongs here: clocks and processes. Not here: what is measured.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a process took: seconds on the clock, and of processor time with that of the children that it waited for.

    Not its memory: the most that the system counts for a child includes what its parent held when it started it.
    """

    seconds: float
    cpu_seconds: float
    output: str


def in_turn(
    *works: Callable[[], object], times: int = 3, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, ...]:
    """The least seconds that each took, of ``times`` rounds in which all run one after another.

    Measured in turn, so that what else the machine does falls on all of them alike. ``time.process_time`` counts this
    process alone.
    """
    least = [float("inf")] * len(works)
    for _ in range(times):
        for place, work in enumerate(works):
            started = clock()
            work()
            least[place] = min(least[place], clock() - started)
    return tuple(least)


def run(command: Sequence[str | Path], *, environ: Mapping[str, str] | None = None) -> Spent:
    """Run a command in the project's folder and wait for it. Raises ``RuntimeError`` with its last lines on failure."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=PROJECT,
        env={**os.environ, **(environ or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout:
        output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}:\n{output[-3000:]}")
    return Spent(
        seconds=time.perf_counter() - started,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        output=output,
    )


def run_module(module: str, *arguments: str, environ: Mapping[str, str] | None = None) -> Spent:
    """Run a module of this project by its interpreter; what it prints last as a line of JSON is for ``last_json``."""
    return run([sys.executable, "-m", module, *arguments], environ=environ)


def last_json(spent: Spent) -> dict[str, float]:
    """The object in the last line that a process printed."""
    return json.loads(spent.output.strip().splitlines()[-1])


def own_peak_mb() -> float:
    """The most memory that this process ever held, in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 * 1024)  # macOS counts in bytes
