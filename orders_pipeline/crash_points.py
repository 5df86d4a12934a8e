"""Named points at which a test can hold a process, to kill it there from outside.

Belongs here: the one hook, and the list of names. It costs a dictionary look-up where nobody asks for a point.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

STOP_AT = "ORDERS_PIPELINE_STOP_AT"  # NAME or NAME:COUNT (the COUNT-th time that the point is reached, from 1)
STOPPED = "ORDERS_PIPELINE_STOPPED_FILE"  # written when the point is reached
HOLD_SECONDS = 600.0

POINTS = (
    "day.begin.before",
    "day.begin.after",
    "archive.mail.before",
    "archive.mail.written",
    "archive.mail.renamed",
    "archive.listings.before",
    "archive.listings.written",
    "archive.listings.renamed",
    "fetch.commit.before",
    "fetch.commit.inside",
    "fetch.commit.after",
    "parse.message.before",
    "parse.commit.before",
    "parse.commit.inside",
    "parse.commit.after",
    "archive.verdicts.before",
    "archive.verdicts.written",
    "archive.verdicts.renamed",
    "review.commit.before",
    "review.commit.inside",
    "review.commit.after",
    "day.end.after",
    "event.before",
    "event.after",
    "publish.before",
    "publish.copied",
    "publish.renamed",
    "current.commit.before",
    "current.commit.after",
    "archive.acts.before",
    "archive.acts.written",
    "archive.acts.renamed",
    "tick.before",
    "tick.planned",
    "tick.reported",
    "run.claimed",
)

_reached: dict[str, int] = {}


def reach(name: str) -> None:
    """Pass a named point; when the environment asks for it, say so in a file and wait there to be killed."""
    wanted = os.environ.get(STOP_AT)
    if not wanted:
        return
    point, _, count = wanted.partition(":")
    if point != name:
        return
    _reached[name] = _reached.get(name, 0) + 1
    if _reached[name] != int(count or 1):
        return
    Path(os.environ[STOPPED]).write_text(f"{name} {os.getpid()}", encoding="utf-8")
    time.sleep(HOLD_SECONDS)
