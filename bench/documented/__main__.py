"""``python -m bench.documented MAILDIR ZONE FIRST_DAY DAYS HOME``: a run a day, from nothing; prints what it took.

Belongs here: the instance (SQLite, in HOME) and the loop. With one day it is what Dagster's daemon has for each run: a
process of its own.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
import time
from pathlib import Path
from statistics import mean

import dagster as dg
import duckdb

from bench.documented.assets import definitions
from bench.measuring import own_peak_mb

_WARM_UP = 2  # days


def main() -> None:
    """Prints a line of JSON: messages, how many had a value of each kind, the seconds of a day once all is warm."""
    maildir, zone, first, days, home = sys.argv[1:]
    root, first_day = Path(home), dt.date.fromisoformat(first)
    os.environ["DAGSTER_HOME"] = home
    (root / "dagster.yaml").write_text("telemetry:\n  enabled: false\n", encoding="utf-8")
    instance = dg.DagsterInstance.get()
    database = root / "mailbox.duckdb"
    job = definitions(Path(maildir), zone, first_day, database).resolve_job_def("days")
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    seconds: list[tuple[float, float]] = []
    for number in range(int(days)):
        began, busy = time.perf_counter(), time.process_time()
        key = (first_day + dt.timedelta(days=number)).isoformat()
        job.execute_in_process(instance=instance, partition_key=key, run_config=quiet)
        seconds.append((time.perf_counter() - began, time.process_time() - busy))
    with duckdb.connect(str(database), read_only=True) as con:
        found = con.execute(
            "SELECT count(*), count(order_number), count(total), count(*) FILTER (date_named NOT IN ('NaT', 'None'))"
            " FROM orders.parsed_orders"
        ).fetchone()
    assert found
    names = ("messages", "order_numbers", "totals", "dates")
    # In the first days dateparser loads its languages.
    took, busy = (mean(kind) for kind in zip(*(seconds[_WARM_UP:] or seconds), strict=True))
    took_it = {"day_seconds": took, "day_cpu_seconds": busy, "peak_mb": own_peak_mb()}
    print(json.dumps({**dict(zip(names, found, strict=True)), **took_it}))


if __name__ == "__main__":
    main()
