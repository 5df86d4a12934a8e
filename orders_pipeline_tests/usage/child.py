"""Takes a day of the usage logs through its stages in a process of its own, and crashes in a count at the end.

Belongs here: what tests start with ``python -m`` to kill it.
"""

from __future__ import annotations

import datetime as dt
import json
import sys

from orders_pipeline.config import home, load_config
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.usage_work import open_usage
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store


def main(day: str) -> None:
    config = load_config()
    usage = open_usage(Work(store=open_store(home(), config), config=config))
    assert usage is not None
    report = run_day(usage, dt.date.fromisoformat(day))
    print(json.dumps({"day": report.day}))  # the cosmetic count: a day is no JSON


if __name__ == "__main__":
    main(sys.argv[1])
