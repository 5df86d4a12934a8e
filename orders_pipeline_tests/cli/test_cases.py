"""``cases edit``, ``undo``, ``history`` and what ``show`` tells of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import Scene


@pytest.fixture
def case(call: Command, done: Scene) -> str:
    """The id of a case of the mail with order number FM-666."""
    (row,) = [r for r in call("cases", "list", "--json").data if "FM-666" in str(r["reasons"])]
    return row["case_id"]


def test_single_fields_are_set(call: Command, case: str) -> None:
    """The usual fault is one field: nobody writes a file for it."""
    answer = call("cases", "edit", case[:6], "--set", "total=24.50", "--set", "status=shipped", "--set", "carrier=")
    assert (answer.status, answer.out.strip()) == (0, f"edited {case}")
    shown = call("cases", "show", case, "--json").data
    assert shown["state"] == "edited"
    (expected,), (produced,) = shown["expected"]["orders"], shown["produced"]["orders"]
    assert (expected["total"], expected["status"], expected["carrier"]) == ("24.50", "shipped", None)
    assert expected["order_number"] == produced["order_number"]
    assert call("cases", "edit", case, "--set", "2.order_number=FM-667").status == 0
    assert [o["order_number"] for o in call("cases", "show", case, "--json").data["expected"]["orders"]][1] == "FM-667"
    assert "FM-667" in call("cases", "show", case).out


def test_a_file_states_the_whole_result(call: Command, case: str, tmp_path: Path) -> None:
    """Several orders, items: more than options can say."""
    file = tmp_path / "right.json"
    file.write_text(json.dumps({"orders": [{"total": "24.50", "items": [{"name": "Oak bookend"}]}]}), encoding="utf-8")
    assert call("cases", "edit", case, "--expected", str(file)).status == 0
    (order,) = call("cases", "show", case, "--json").data["expected"]["orders"]
    assert order["items"] == [{"name": "Oak bookend", "quantity": None, "price": None}]
    assert call("cases", "edit", case, "--set", "outcome=not_order").status == 0
    assert call("cases", "show", case, "--json").data["expected"]["orders"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--set FIELD=VALUE or --expected"),
        (("--set", "total"), "'total' is no change"),
        (("--set", "evidence=x"), "'evidence=x' is no change"),
        (("--set", "total=31,000"), "orders.0.total: write a number"),
        (("--set", "9.total=1"), "there are 1 orders"),
        (("--set", "x.total=1"), "there are 1 orders"),
        (("--set", "outcome=maybe"), "outcome: use parsed or not_order"),
        (("--expected", "nowhere.json"), "cannot read nowhere.json"),
        (("--expected", "bad.json"), "bad.json is no JSON"),
        (("--expected", "list.json"), "write an object"),
    ],
    ids=str,
)
def test_a_mistake_is_one_line_and_changes_nothing(
    call: Command, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    """A slip must not become an expected result."""
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text("{", encoding="utf-8")
    Path("list.json").write_text("[1]", encoding="utf-8")
    answer = call("cases", "edit", case, *arguments)
    assert answer.status == 2
    assert said in answer.err
    assert "Traceback" not in answer.err
    assert call("cases", "history", case, "--json").data == []


def test_undo_and_history_tell_who_did_what(call: Command, case: str) -> None:
    """Nothing that was decided is ever deleted, and anybody can see it."""
    call("cases", "accept", case, "--note", "fine \x1b[31m")
    call("cases", "reject", case)
    assert call("cases", "undo", case).out.strip() == f"no longer rejected: {case}"
    assert call("cases", "show", case, "--json").data["state"] == "accepted"
    acts = call("cases", "history", case, "--json").data
    assert [(a["decision"], a["undone"]) for a in acts] == [("accepted", False), ("rejected", True), ("undone", False)]
    assert all(a["who"] and a["decided_at"] for a in acts)
    told = call("cases", "history", case).out
    assert "rejected  by" in told.replace("rejected   by", "rejected  by")
    assert "undone later" in told
    assert "\x1b" not in told
    assert told.splitlines()[1:] == [
        line.removeprefix("history  ")
        for line in call("cases", "show", case).out.splitlines()
        if line[:8] == "history "
    ]
    call("cases", "undo", case)
    refused = call("cases", "undo", case)
    assert (refused.status, "nothing to undo" in refused.err) == (2, True)
