"""What the commands print: for people without control characters, for programs as JSON."""

from __future__ import annotations

import json
import mailbox
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from orders_pipeline.cli.app import app
from orders_pipeline.stages import parser_pool
from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import DAY, Scene, noon, order_mail, select

READING = (
    ("status",), ("orders",), ("alerts",), ("cases", "list"), ("cases", "list", "--state", "all"),
)  # fmt: skip


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield path
    else:
        for name, child in children.items():
            yield from leaves(child, (*path, name))


LEAVES = tuple(leaves(typer.main.get_command(app)))


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_every_command_answers_help_with_an_example(call: Command, path: tuple[str, ...]) -> None:
    """The shortest way to use a command is to copy a line."""
    answer = call(*path, "--help")
    assert answer.status == 0
    assert f"Example: orders-pipeline {' '.join(path)}" in answer.out


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["statsu"], ["parse", "--help"]], ids=" ".join)
def test_what_needs_no_store_loads_no_library_of_it(scene: Scene, arguments: list[str]) -> None:
    """The list of commands took a second, the time to import what all of them together need."""
    heavy = {"dagster", "duckdb", "pyarrow", "pandas", "numpy", "requests", "googleapiclient", "jinja2", "starlette"}
    code = (
        "import sys; from orders_pipeline.cli import main; sys.argv[0] = 'orders-pipeline'\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"sys.exit(', '.join({heavy} & set(sys.modules)) or 0)"
    )
    done = scene.run("-c", code, *arguments)
    assert done.returncode == 0, done.stderr


def test_without_arguments_it_lists_its_commands(call: Command) -> None:
    """The first thing typed shows what there is."""
    answer = call()
    assert {path[0] for path in LEAVES} <= set((answer.out + answer.err).split())


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_nothing_that_a_mail_says_steers_the_terminal(call: Command, done: Scene, command: tuple[str, ...]) -> None:
    """A subject or a shop's name may hold escape sequences: they never reach the terminal."""
    answer = call(*command)
    assert answer.status in (0, 1, 2)
    printed = answer.out + answer.err
    assert [c for c in printed if not c.isprintable() and c != "\n"] == []


def test_a_hostile_mail_is_shown_clean(call: Command, done: Scene) -> None:
    """The case of the hostile mail itself, in words and as JSON, and its parse from the file."""
    (case,) = [r for r in call("cases", "list", "--json", "--limit", "100").data if "FM-666" in str(r["reasons"])]
    for arguments in (("cases", "show", case["case_id"]), ("parse", str(done.root / "inbox"))):
        for json_too in ((), ("--json",)):
            answer = call(*arguments, *json_too)
            assert answer.status == 0
            assert "FM-666" in answer.out
            assert [c for c in answer.out + answer.err if not c.isprintable() and c != "\n"] == []


def test_a_check_in_error_is_not_told_as_nothing_to_do(call: Command, done: Scene) -> None:
    """Every day may be done while its mailbox has been out of reach for days."""
    with done.work().store.state.transaction() as con:
        con.execute("UPDATE listings SET failed_at = now() - INTERVAL 3 DAY, error = 'out of reach'")
    answer = call("status")
    assert answer.status == 1
    assert "do what the findings say: failed_relisting" in answer.out
    assert "error failed_relisting:" in answer.out


def test_status_of_a_store_that_is_done(call: Command, done: Scene) -> None:
    """All is well: status 0, the cursor at yesterday, nothing to do."""
    answer = call("status", "--json")
    assert answer.status == 0
    data = answer.data
    assert (data["days_done"], data["days_expected"]) == (2, 2)
    assert data["cursor"] == str(max(done.days_done()))
    assert data["sensor_cursor"] is None
    assert data["not_done"] == []
    assert data["messages"] == {"parsed": 7, "not_order": 2}
    assert "2 of 2 done" in call("status").out


def test_status_says_what_is_missing_and_why(call: Command, done: Scene) -> None:
    """Late mail: status 1, the day, the reason, the next step."""
    done.add_order(done.start)
    assert call("relist", str(done.start)).status == 0
    answer = call("status", "--json")
    assert answer.status == 1
    assert [n["day"] for n in answer.data["not_done"]] == [str(done.start)]
    assert "1 units are pending" in answer.data["not_done"][0]["why"]
    assert answer.data["cursor"] is None
    assert answer.data["next_step"]
    assert call("status").status == 1


def test_relist_tells_what_it_reopened(call: Command, done: Scene) -> None:
    """A person who looks for late mail sees how much there is."""
    assert "0 reopened" in call("relist", f"{done.start}..{max(done.days_done())}").out
    done.add_order(done.start)
    assert f"{done.start}: 1 new" in call("relist", str(done.start)).out


def test_reparse_and_rebuild_change_nothing_without_a_reason(call: Command, done: Scene) -> None:
    """The same parser gives the same tables; days that were never fetched are named."""
    before = done.dump(ignore=["stage_days.version"])
    assert call("reparse", f"{done.start}..{max(done.days_done())}").status == 0
    assert done.dump(ignore=["stage_days.version"]) == before
    answer = call("rebuild")
    assert answer.status == 0
    assert "2 days rebuilt" in answer.out
    assert done.dump(ignore=["stage_days.version"]) == before


def test_lists_as_json(call: Command, done: Scene) -> None:
    """Programs read the same as people."""
    orders = call("orders", "--json").data
    assert len(orders) == select(done.work().store, "SELECT count(*) FROM orders")[0][0]
    assert {"merchant", "order_number", "status", "total", "currency"} <= set(orders[0])
    fm = next(o for o in orders if o["order_number"] == "FM-70001")
    assert (fm["merchant"], fm["status"], float(fm["total"]), fm["currency"]) == (
        "Fennmark Supplies", "confirmed", 24.5, "EUR",
    )  # fmt: skip
    assert call("orders", "--status", "delivered", "--json").data == []
    assert len(call("orders", "--limit", "1", "--json").data) == 1


def test_decisions_go_round(call: Command, done: Scene) -> None:
    """Accept, look, change one's mind: each list shows what stands."""

    def ids(state: str) -> set[str]:
        return {r["case_id"] for r in call("cases", "list", "--state", state, "--json").data}

    case, *others = sorted(ids("proposed"))
    assert call("cases", "accept", case[:8], "--note", "worth keeping").status == 0
    assert (ids("accepted"), ids("proposed")) == ({case}, set(others))
    shown = call("cases", "show", case, "--json").data
    assert (shown["state"], shown["note"]) == ("accepted", "worth keeping")
    assert shown["expected"] == shown["produced"]
    assert call("cases", "reject", case).status == 0
    assert (ids("accepted"), ids("rejected")) == (set(), {case})
    assert call("cases", "show", case, "--json").data["expected"] is None
    assert ids("all") == {case, *others}


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A folder with an .eml file, an mbox with two messages, and a Maildir with one."""
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "one.eml").write_bytes(order_mail("FM-1", noon(DAY)))
    box = mailbox.mbox(folder / "two.mbox")
    for number in ("FM-2", "FM-3"):
        box.add(mailbox.mboxMessage(order_mail(number, noon(DAY)).replace(b"\r\n", b"\n")))
    box.close()
    (folder / "box" / "cur").mkdir(parents=True)
    (folder / "box" / "new").mkdir()
    (folder / "box" / "cur" / "x:2,S").write_bytes(order_mail("FM-4", noon(DAY)))
    return folder


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("one.eml", ["FM-1"]), ("two.mbox", ["FM-2", "FM-3"]), ("box", ["FM-4"]), ("", ["FM-4", "FM-1", "FM-2", "FM-3"])],
)
def test_parse_reads_files_mboxes_maildirs_and_folders(
    call: Command, letters: Path, name: str, numbers: list[str]
) -> None:
    """One JSON object a message, from whatever holds messages; no store is made."""
    answer = call("parse", str(letters / name), "--json")
    assert answer.status == 0
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert sorted(o["order_number"] for r in found for o in r["orders"]) == sorted(numbers)
    for record in found:
        assert set(record) == {"file", "outcome", "reason", "orders"}
        order = record["orders"][0]
        assert (record["outcome"], order["merchant"], order["total"], order["currency"], order["status"]) == (
            "parsed", "Fennmark Supplies", "24.50", "EUR", "confirmed",
        )  # fmt: skip
        assert order["evidence"]
    assert not (letters.parent / ".orders").exists()


def test_parse_of_much_mail_says_the_same_in_the_same_order(
    call: Command, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read by several processes, a mail must not be told under the name of another."""
    alone = call("parse", str(letters), "--json")
    monkeypatch.setattr(parser_pool, "PAYS_BYTES", 0)
    monkeypatch.setattr(parser_pool, "usable_cores", lambda: 2)
    assert call("parse", str(letters), "--json") == alone


def test_parse_for_people(call: Command, letters: Path) -> None:
    """One line a mail and one an order."""
    lines = call("parse", str(letters / "one.eml")).out.splitlines()
    assert lines[0].endswith("one.eml: parsed (order_found)")
    assert lines[1].split(" · ") == ["  Fennmark Supplies", "FM-1", "confirmed", "24.50 EUR"]


def test_parse_of_an_empty_folder_needs_a_look(call: Command, tmp_path: Path) -> None:
    """Nothing found is not the same as fine."""
    (tmp_path / "empty").mkdir()
    answer = call("parse", str(tmp_path / "empty"))
    assert answer.status == 1
    assert "no messages" in answer.err


def test_the_sample_mailbox_comes_with_its_configuration(call: Command, tmp_path: Path) -> None:
    """What the command prints is a configuration that works."""
    answer = call("mailbox", "sample", str(tmp_path / "mail"), "--days", "2", "--per-day", "3")
    assert answer.status == 0
    text = answer.out[answer.out.index("zone =") :]
    (tmp_path / "orders_pipeline.toml").write_text(text, encoding="utf-8")
    assert call("status", "--json").data["days_expected"] == 2
    shutil.rmtree(tmp_path / ".orders")
    assert call("mailbox", "sample", str(tmp_path / "mail2"), "--zone", "Nowhere/City").status == 2
