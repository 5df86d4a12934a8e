"""The commands for what is stuck, broken or must go: what they print, and how they end."""

from __future__ import annotations

import datetime as dt
import shlex
from pathlib import Path

import pytest

from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.store.publish import publish
from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import Interrupted, Scene, last_closed_days, select

AHEAD = str(dt.datetime.now(dt.UTC).date() + dt.timedelta(days=30))


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """Yesterday is done but for one mail that could not be read and is out of tries. Its name has a space."""
    day = last_closed_days(1)[0]
    scene = Scene(tmp_path, start=day, settings="[fetch]\nmax_tries = 1\n")
    for name, value in scene.environ.items():
        monkeypatch.setenv(name, value)
    first = scene.add_order(day)
    path = first.rename(first.with_name("0000 odd:2,S"))
    kept = path.read_bytes()
    scene.add_order(day, total="99.00")

    def spoil() -> None:
        path.unlink()
        path.mkdir()

    run_day(scene.work_with(Interrupted(scene, spoil)), day)
    path.rmdir()
    path.write_bytes(kept)
    refresh_current(scene.work())
    publish(scene.work().store)
    return scene


def typed(line: str) -> list[str]:
    """A command as a shell would read it."""
    words = shlex.split(line)
    assert words[0] == "orders-pipeline"
    return words[1:]


def test_the_commands_that_status_names_work_as_they_stand(call: Command, stuck: Scene) -> None:
    """What a person copies from `status` must be what helps, whatever is in a file's name."""
    shown = call("status")
    assert shown.status == 1
    unit = call("status", "--json").data["out_of_tries"][0]
    assert unit["retry"] in shown.out
    assert unit["waive"] in shown.out
    waived = call(*typed(unit["waive"].replace("TEXT", "'broken file'")))
    assert waived.status == 0, waived.err
    assert call("status").status == 0
    assert call(*typed(unit["retry"])).status == 0
    assert call("status").status == 1
    run_day(stuck.work(), stuck.start)
    assert call("status").status == 0
    assert select(stuck.work().store, "SELECT count(*) FROM messages") == [(2,)]


def test_retry_without_arguments_lists_what_it_released(call: Command, stuck: Scene) -> None:
    """A person sees what will be tried, and by whom; a second call has nothing to do."""
    answer = call("retry")
    assert answer.status == 0
    assert "inbox: 0000 odd" in answer.out
    assert "released 1 units" in answer.out
    assert "next:" in answer.out
    run_day(stuck.work(), stuck.start)
    assert "released 0 units and 0 days" in call("retry").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("retry", "no such thing"),
        ("retry", "2026-13-01"),
        ("retry", "2026-05-02..2026-05-01"),
        ("retry", "2026-05-02", "abcd"),
        ("waive", "inbox: 0000 odd", "--stage", "fetch", "--reason", " "),
        ("waive", "inbox: 0000 odd", "--stage", "fetch"),
        ("waive", "inbox: 0000 odd", "--stage", "cook", "--reason", "x"),
        ("waive", "inbox: 0000 odd", "--stage", "review", "--reason", "x"),
        ("alerts", "snooze", "FM-1", "--until", AHEAD),
        ("alerts", "snooze", "FM-70002", "--until", "tomorrow"),
        ("alerts", "snooze", "FM-70002", "--until", "2020-01-01"),
        ("alerts", "ack", ""),
        ("backup", "home"),
        ("restore", "nowhere"),
        ("forget", "zz", "--yes"),
        ("forget", "", "--yes"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    call: Command, stuck: Scene, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """A typing error ends with 2 and a line that helps."""
    monkeypatch.chdir(stuck.root)
    before = stuck.dump()
    answer = call(*arguments)
    assert answer.status == 2
    assert answer.err.strip()
    assert "Traceback" not in answer.err
    assert stuck.dump() == before


def test_alerts_are_silenced_and_come_back(call: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Acknowledged or snoozed orders leave the list at once; the others stay, and a rebuild keeps it so."""
    first = dt.datetime.now(dt.UTC).date() - dt.timedelta(days=20)
    scene = Scene(tmp_path, start=first)
    for name, value in scene.environ.items():
        monkeypatch.setenv(name, value)
    for _ in range(3):
        scene.add_order(first)
    run_day(scene.work(), first)
    refresh_current(scene.work())
    publish(scene.work().store)
    listed = call("alerts")
    assert listed.status == 1
    found = call("alerts", "--json").data
    assert {a["kind"] for a in found} == {"never_shipped"}
    assert found[0]["order_id"][:12] in listed.out
    assert call("alerts", "snooze", found[0]["order_id"][:8], "--until", AHEAD).status == 0
    number = select(scene.work().store, "SELECT order_number FROM orders WHERE order_id = ?", [found[1]["order_id"]])
    assert call("alerts", "ack", number[0][0].lower()).status == 0
    assert [a["order_id"] for a in call("alerts", "--json").data] == [found[2]["order_id"]]
    assert call("rebuild").status == 0
    assert [a["order_id"] for a in call("alerts", "--json").data] == [found[2]["order_id"]]
    assert call("alerts", "ack", found[2]["order_id"]).status == 0
    assert (call("alerts").status, call("alerts").out) == (0, "")


def test_backup_forget_restore_go_round(call: Command, stuck: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The three commands, one after the other, and the truth in between."""
    monkeypatch.chdir(stuck.root)
    assert "the state" in call("backup", "copy").out
    message = select(stuck.work().store, "SELECT message_id FROM messages")[0][0]
    asked = call("forget", message[:8])
    assert (asked.status, "--yes" in asked.err) == (2, True)
    assert select(stuck.work().store, "SELECT count(*) FROM messages") == [(1,)]
    assert call("forget", message[:8], "--yes").status == 0
    assert call("orders", "--json").data == []
    assert call("restore", "copy").status == 2
    answer = call("restore", "copy", "--force")
    assert answer.status == 0
    assert "before-restore-" in answer.out
    assert [o["message_ids"] for o in call("orders", "--json").data] == [[message]]


def test_a_state_that_cannot_be_read_is_rebuilt_by_the_command_that_the_error_names(
    call: Command, stuck: Scene
) -> None:
    """One line, one command, and the tables are back."""
    before = stuck.dump(ignore=["stage_days.version", "units.tries", "units.error", "units.state"])
    (stuck.home / "state.duckdb").write_bytes(b"not a database" * 1000)
    for command in (("status",), ("retry",), ("backup", "copy")):
        answer = call(*command)
        assert answer.status == 2
        assert "`orders-pipeline rebuild`" in answer.err
        assert len(answer.err.strip().splitlines()) == 1
    answer = call("rebuild")
    assert answer.status == 0
    assert "state.damaged-" in answer.out
    after = stuck.dump(ignore=["stage_days.version", "units.tries", "units.error", "units.state"])
    assert {name for name in before if before[name] != after[name]} <= {"listings", "day_tries"}
