"""A translator's log, a server that judges it, and a pipeline over both.

Belongs here: what the tests of usage logs share. The server fails a row whose output says BAD.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from orders_pipeline.stages.usage_work import UsageWork, open_usage
from orders_pipeline_tests.harness import DAY, ZONE, Scene
from orders_pipeline_tests.llm.stub_server import Asked, StubServer, error, saying
from orders_pipeline_tests.loopback import Reply

ROWS, FAILING = 238, 38
SICK = "translate-119"
_ID = re.compile(r"translate-\d+")


def log_row(number: int, *, bad: bool = False, day: dt.date = DAY) -> dict[str, Any]:
    at = dt.datetime.combine(day, dt.time(6), tzinfo=ZONE) + dt.timedelta(seconds=120 * number)
    said = "BAD: left in English" if bad else f"Satz Nummer {number}"
    return {"call": f"translate-{number}", "at": at.isoformat(), "prompt": f"translate-{number}", "reply": said}


def log_rows(count: int = ROWS, failing: int = FAILING, day: dt.date = DAY) -> list[dict[str, Any]]:
    """``failing`` of ``count`` rows are bad, evenly spread; number 119 of 238 is not among them."""
    apart = count // failing
    return [log_row(n, bad=n % apart == 0 and n // apart < failing, day=day) for n in range(count)]


def write_log(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def configure(scene: Scene, url: str, *lines: str, source: str = "calls.jsonl", model: str = "") -> None:
    """Let the scene have a log of one file."""
    (scene.root / "rubric.md").write_text("The output is German.\n", encoding="utf-8")
    scene.settings = "\n".join(
        [
            "[sensor]", "retry_first_seconds = 0",
            "[review.model]", f'base_url = "{url}"', 'model = "judge-1"', "calls_per_minute = 100000",
            "retries = 0", "calls_per_day = 100000", model,
            "[[usage]]", 'name = "translator"', f'source = "{source}"', 'rubric = "rubric.md"', 'id = "call"',
            'time = "at"', 'input = "prompt"', 'output = "reply"', *lines,
        ]
    )  # fmt: skip
    scene.write_config()


def usage(scene: Scene) -> UsageWork:
    """The work over the scene's logs."""
    work = open_usage(scene.work())
    assert work is not None
    return work


def judging(server: StubServer, *, sick: Iterable[str] = ()) -> None:
    """Answer by what the output says; an error for the rows that are sick."""
    ill = frozenset(sick)

    def script(asked: Asked) -> Reply:
        text = asked.data["messages"][1]["content"]
        if (found := _ID.search(text)) and found[0] in ill:
            return error(500, "overloaded")
        bad = "BAD" in text
        return saying({"passes": not bad, "faults": ["the output is English"] if bad else [], "confidence": 0.9})

    server.script = script


def asked_rows(server: StubServer) -> list[str]:
    """Which rows were asked about, in order."""
    return [found[0] for asked in server.asked if (found := _ID.search(asked.data["messages"][1]["content"]))]
