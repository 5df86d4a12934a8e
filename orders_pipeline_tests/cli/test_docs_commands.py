"""The commands in the pages about cases, judges and the golden set run as they are written, over a small store."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import Scene, last_closed_days, select
from orders_pipeline_tests.support import PROJECT

PAGES = ("reviewing.md", "judges.md", "golden-set.md")
_BLOCK = re.compile(r"^```(?:text|sh)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_RANGE = re.compile(r"\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d")
_JSON = re.compile(r"^```json\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A server and what needs a model have tests with one; `make demo` runs in test_docs.py.
ELSEWHERE = {"review", "make", "--ask-model"}


def _commands(page: str) -> list[list[str]]:
    lines = "".join(_BLOCK.findall((PROJECT / "docs" / page).read_text(encoding="utf-8"))).splitlines()
    found = [line.removeprefix(".venv/bin/") for line in lines]
    return [shlex.split(re.split(r" {3,}", line)[0])[1:] for line in found if re.match(r"orders-pipeline [a-z]", line)]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_runs(call: Command, done: Scene, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader who types what the page says meets no error."""
    monkeypatch.chdir(done.root)
    days = last_closed_days(2)
    _write_what_the_pages_name(done.root)
    (case,) = select(done.work().store, "SELECT case_id FROM eval_cases ORDER BY outcome DESC, case_id LIMIT 1")[0]
    if page == "golden-set.md":
        assert call("cases", "accept", case).status == 0
        assert call("cases", "export", "golden").status in (0, 1)
        assert call("score", "--save", "golden-report.json").status == 0
    found = [c for c in _commands(page) if not ELSEWHERE.intersection(c)]
    assert found
    for command in found:
        typed = [_RANGE.sub(f"{days[0]}..{days[1]}", case if word == "CASE" else word) for word in command]
        answer = call(*typed)
        assert answer.status in (0, 1), (typed, answer)
        assert "Traceback" not in answer.err, typed


def _write_what_the_pages_name(folder: Path) -> None:
    (right,) = _JSON.findall((PROJECT / "docs" / "reviewing.md").read_text(encoding="utf-8"))
    (folder / "right.json").write_text(json.dumps(json.loads(right)), encoding="utf-8")
    (folder / "mails").mkdir()
    fixture = next((PROJECT / "orders_pipeline_tests" / "fixtures" / "shop_en").glob("*.eml"))
    (folder / "mails" / "a.eml").write_bytes(fixture.read_bytes())
    label = {"file": "a.eml", "kind": "order", "orders": [{"status": "confirmed"}]}
    (folder / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
