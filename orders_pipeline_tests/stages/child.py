"""Takes days through the stages in a process of its own, in which the parse of chosen messages is deadly.

Belongs here: what tests start with ``python -m`` to see a process die. Prints each day's problem as JSON. The worker
processes that this one spawns read this module too, so that a deadly message is deadly there as well.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import sys

from orders_pipeline.config import home, load_config
from orders_pipeline.extract import parser
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.view import View
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store

DEADLY = "DEADLY_SUBJECTS"  # words, parted by commas


class DeadlyExtractor:
    """Kills the process that reads a message with one of the words in its subject."""

    name = "deadly"

    def matches(self, view: View) -> bool:
        return any(word in view.email.subject for word in os.environ.get(DEADLY, "").split(",") if word)

    def extract(self, view: View) -> list[Reading]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []


parser.EXTRACTORS = (DeadlyExtractor(), *parser.EXTRACTORS)


def main(days: list[str]) -> None:
    config = load_config()
    work = Work(store=open_store(home(), config), config=config)
    print(json.dumps({day: run_day(work, dt.date.fromisoformat(day)).problem for day in days}))


if __name__ == "__main__":
    main(sys.argv[1:])
