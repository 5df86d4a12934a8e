"""``python -m bench.backfill HOME CONFIG LAST_DAY``: all days up to one through Dagster runs, from nothing.

Belongs here: what a backfill's run worker does, in one process, and what it took by stage. Not here: the comparison.
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


def main() -> int:
    """Prints a line of JSON: seconds by part, days done, peak memory of all processes together. 1 when a run failed."""
    began = time.perf_counter()
    home, config_file, last_day = sys.argv[1:]
    os.environ |= {"ORDERS_PIPELINE_HOME": home, "ORDERS_PIPELINE_CONFIG": config_file}
    with TreeMemory() as memory:
        ok, parts = _backfill(Path(home), dt.date.fromisoformat(last_day), began)
    parts["all"] = time.perf_counter() - began
    print(json.dumps({**parts, "peak_mb": memory.peak_mb, "own_mb": memory.own_mb, "ok": ok}))
    return int(not ok)


def _backfill(home: Path, last_day: dt.date, began: float) -> tuple[bool, dict[str, float]]:
    import orders_pipeline.definitions  # noqa: F401 - what a run worker loads, and does not look at again
    from orders_pipeline.config import load_config
    from orders_pipeline.days import closed_days, ranges
    from orders_pipeline.defs import launch
    from orders_pipeline.stages import day as day_stages
    from orders_pipeline.stages import work
    from orders_pipeline.store.folder import DataFolder

    config = load_config()
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
        days = closed_days(config.start_date, dt.datetime.now(dt.UTC), config.tz)
        wanted = [d for d in days if d <= last_day]
        runs = timed("runs", launch.run_days)
        done = [runs(instance, first, last) for first, last in ranges(wanted, config.sensor.max_days_per_run)]
        done.append(timed("current state", launch.run_current)(instance))
    return all(done), parts


if __name__ == "__main__":
    sys.exit(main())
