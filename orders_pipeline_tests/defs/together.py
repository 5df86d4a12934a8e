"""What processes do that all use one store at the same time.

Belongs here: the bodies of children that come from the fork server, and how long each waited for a lock.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import time
from pathlib import Path

from orders_pipeline.config import home, load_config
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store import locks
from orders_pipeline.store.publish import publish
from orders_pipeline.store.reader import published
from orders_pipeline.store.store import open_store


def take_days(name: str, environ: dict[str, str], days: list[str]) -> None:
    """Take days through all stages and publish; leave what went wrong and the longest waits in ``name``."""
    os.environ.update(environ)
    waits = _measured()
    try:
        config = load_config()
        work = Work(store=open_store(home(), config), config=config)
        problems = [p for day in days if (p := run_day(work, dt.date.fromisoformat(day)).problem)]
        publish(work.store)
    except Exception as error:
        problems = [f"{type(error).__name__}: {error}"]
    Path(name).write_text(json.dumps({"problems": problems, "longest": waits}), encoding="utf-8")


def read_in_a_loop(name: str, environ: dict[str, str], until: str) -> None:
    """Query the published copy until a file appears; leave the errors and the numbers of messages seen in ``name``."""
    os.environ.update(environ)
    seen: list[int] = []
    problems: list[str] = []
    while not Path(until).exists():
        try:
            with published(home()) as con:
                ((messages, lost),) = con.execute(
                    "SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM parse_outcomes"
                    " WHERE message_id NOT IN (SELECT message_id FROM messages))"
                ).fetchall()
            seen.append(messages)
            problems += [f"{lost} outcomes without their message"] if lost else []
        except Exception as error:
            problems.append(f"{type(error).__name__}: {error}")
        time.sleep(0.02)
    Path(name).write_text(json.dumps({"problems": problems, "seen": seen}), encoding="utf-8")


def _measured() -> dict[str, float]:
    """The longest wait of this process for each kind of lock (``state``, ``day``) from now on, in seconds."""
    waits: dict[str, float] = {}
    acquire = locks.acquire

    def timed(path: Path, *, timeout: float, what: str) -> int:
        began = time.monotonic()
        try:
            return acquire(path, timeout=timeout, what=what)
        finally:
            kind = path.name.partition("-")[0].removesuffix(".lock")
            waits[kind] = max(waits.get(kind, 0.0), time.monotonic() - began)

    locks.acquire = timed
    return waits
