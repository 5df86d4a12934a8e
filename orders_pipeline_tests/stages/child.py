"""Takes days through the stages in a process of its own, in which the parse of chosen messages is deadly.

Belongs here: what tests start with ``python -m`` to see a process die. Prints each day's problem as JSON. The worker
processes that this one starts read this module too, so that a deadly message is deadly there as well.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import sys

from orders_pipeline.config import home, load_config
from orders_pipeline.extract import parser
from orders_pipeline.extract.extractor import ANYTHING, Reading
from orders_pipeline.extract.view import View
from orders_pipeline.stages import parser_pool
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, parse_bytes
from orders_pipeline.stages.parser_pool import ParserPool
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store

DEADLY = "DEADLY_SUBJECTS"  # words, parted by commas
AT_ONCE = "PARSE_AT_ONCE"  # several processes for however little mail


class DeadlyExtractor:
    """Kills the process that reads a message with one of the words in its subject."""

    name = "deadly"
    most = ANYTHING

    def matches(self, view: View) -> bool:
        return any(word in view.email.subject for word in os.environ.get(DEADLY, "").split(",") if word)

    def extract(self, view: View) -> list[Reading]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []


parser.EXTRACTORS = (DeadlyExtractor(), *parser.EXTRACTORS)


def parse_deadly(message: RawMessage, context: ParseContext) -> ParsedMessage:
    """``parse_bytes``, found by other processes in this module."""
    return parse_bytes(message, context)


class DeadlyWork(Work):
    """A ``Work`` whose messages are parsed by this module's function, by two processes at once when asked to."""

    def _new_parser(self) -> ParserPool[ParsedMessage]:
        from orders_pipeline_tests.stages import child  # this module's other name is __main__

        return ParserPool(child.parse_deadly, self.config.parse.processes)


def main(days: list[str]) -> None:
    config = load_config()
    if os.environ.get(AT_ONCE):
        parser_pool.PAYS_BYTES = 0
    work = DeadlyWork(store=open_store(home(), config), config=config)
    print(json.dumps({day: run_day(work, dt.date.fromisoformat(day)).problem for day in days}))


if __name__ == "__main__":
    main(sys.argv[1:])
