"""``python -m bench.backfill HOME CONFIG FIRST_DAY LAST_DAY``: one range of days, or ``current``, as one Dagster run.

Belongs here: what the process of one run does, and what it took by stage. Not here: how many runs, the comparison.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.tree_memory import TreeMemory

CURRENT = "current"  # orders, alerts and the case queue, instead of days


def main() -> int:
    """Prints a line of JSON: seconds by part, peak memory of this process and its children. 1 when the run failed."""
    began = time.perf_counter()
    home, config_file, *days = sys.argv[1:]
    os.environ |= {"ORDERS_PIPELINE_HOME": home, "ORDERS_PIPELINE_CONFIG": config_file}
    with TreeMemory() as memory:
        ok, parts = _run(Path(home), [] if days == [CURRENT] else [dt.date.fromisoformat(day) for day in days], began)
    print(json.dumps({**parts, "peak_mb": memory.peak_mb, "own_mb": memory.own_mb, "ok": ok}))
    return int(not ok)


def _run(home: Path, days: list[dt.date], began: float) -> tuple[bool, dict[str, float]]:
    import orders_pipeline.definitions  # noqa: F401 - what a run worker loads, and does not look at again
    from orders_pipeline.defs import launch
    from orders_pipeline.stages import day as day_stages
    from orders_pipeline.stages import work
    from orders_pipeline.store.folder import DataFolder

    instance = launch.prepare_instance(DataFolder(home).open())
    parts: dict[str, float] = defaultdict(float, start=time.perf_counter() - began)

    def timed(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return call(*args, **named)
            finally:
                parts[name] += time.perf_counter() - started

        return run

    stages = {"fetch_day": "fetch", "parse_day": "parse", "review_day": "review"}
    with contextlib.ExitStack() as stack:
        for call, name in stages.items():
            stack.enter_context(patch.object(day_stages, call, timed(name, getattr(day_stages, call))))
        stack.enter_context(patch.object(work, "publish", timed("copy for readers", work.publish)))
        if days:
            ok = timed("run", launch.run_days)(instance, days[0], days[-1])
        else:
            ok = timed("current state", launch.run_current)(instance)
    return ok, parts


if __name__ == "__main__":
    sys.exit(main())
