"""``python -m bench.one_day FIRST LAST``: these days as one Dagster run in a process from nothing, as ``demo`` does.

Belongs here: the process and where its time goes, printed as JSON. Not here: what is made of it (quiet_day).
The store and its configuration are the environment's.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
import time
from typing import Any

_spent: dict[str, float] = {}


def _timed(owner: Any, name: str, label: str) -> None:
    real = getattr(owner, name)

    def timed(*args: Any, **kwargs: Any) -> Any:
        started = time.process_time()
        try:
            return real(*args, **kwargs)
        finally:
            _spent[label] = _spent.get(label, 0.0) + time.process_time() - started

    setattr(owner, name, timed)


def main() -> int:
    """Run the days. Returns the exit status."""
    first, last = (dt.date.fromisoformat(text) for text in sys.argv[1:3])
    marks = [("the interpreter", time.process_time())]
    import dagster  # noqa: F401

    marks.append(("import dagster", time.process_time()))
    import orders_pipeline.definitions  # noqa: F401

    marks.append(("import and build the definitions", time.process_time()))
    from orders_pipeline.config import home
    from orders_pipeline.defs import checks, days, launch
    from orders_pipeline.store.folder import DataFolder

    instance = launch.prepare_instance(DataFolder(home()).open())
    marks.append(("open Dagster's instance (SQLite)", time.process_time()))
    _timed(days, "run_day", "the day's three stages")
    _timed(days.Work, "publish", "publish the copy for readers")
    _timed(checks, "read_facts", "read what the checks look at")
    _timed(type(instance.event_log_storage), "store_event", "store Dagster's events")
    ok = launch.run_days(instance, first, last)
    end = time.process_time()
    parts, before = {}, 0.0
    for name, at in marks:
        parts[name], before = at - before, at
    parts |= _spent
    parts["the rest of the run"] = end - before - sum(_spent.values())
    print(json.dumps(parts))
    return int(not ok)


if __name__ == "__main__":
    sys.exit(main())
