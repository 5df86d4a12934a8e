"""The commands of usage logs, as a person types them."""

from __future__ import annotations

import json
import re

import pytest

from orders_pipeline_tests.harness import Scene, last_closed_days
from orders_pipeline_tests.llm.stub_server import StubServer
from orders_pipeline_tests.support import PROJECT
from orders_pipeline_tests.usage.translator import configure, judging, log_rows, write_log

COMMAND = ("-m", "orders_pipeline.cli")


@pytest.fixture
def logged(scene: Scene, server: StubServer) -> Scene:
    (scene.start,) = last_closed_days(1)
    configure(scene, server.url)
    write_log(scene.root / "calls.jsonl", log_rows(6, 2, scene.start))
    return scene


def test_a_day_from_the_log_to_cases_and_out_of_a_backup_again(logged: Scene, server: StubServer) -> None:
    """What was paid for must survive the disk, and be shown in full."""
    day = str(logged.start)
    judging(server, sick=["translate-1"])
    assert logged.run(*COMMAND, "usage", "run", day).returncode == 1
    status = json.loads(logged.run(*COMMAND, "status", "--json").stdout)["usage"]
    assert (status["rows"], status["cases"], status["pending"], status["days_done"]) == (6, 2, 1, 0)
    judging(server)
    assert logged.run(*COMMAND, "usage", "retry").returncode == 0
    assert logged.run(*COMMAND, "usage", "run", day).returncode == 0
    cases = json.loads(logged.run(*COMMAND, "usage", "cases", "--json").stdout)
    assert sorted(case["input"] for case in cases) == ["translate-0", "translate-3"]
    assert "2 cases" in logged.run(*COMMAND, "usage", "cases").stdout
    backup = str(logged.root / "backup")
    assert logged.run(*COMMAND, "backup", backup).returncode == 0
    logged.home.rename(logged.root / "lost")
    assert logged.run(*COMMAND, "restore", backup).returncode == 0
    assert json.loads(logged.run(*COMMAND, "usage", "cases", "--json").stdout) == cases
    assert len(server.asked) == 7


def test_rows_that_are_missing_in_a_backup_are_told_by_it_and_by_the_restore(logged: Scene) -> None:
    """A backup that says nothing of the rows that it lacks is found out on the day when it is needed."""
    assert logged.run(*COMMAND, "usage", "run", str(logged.start)).returncode == 0
    (saved,) = (logged.home / "usage" / "archive" / "mail").rglob("*.parquet")
    saved.unlink()
    backup = str(logged.root / "backup")
    done = logged.run(*COMMAND, "backup", backup)
    assert (done.returncode, "1 archive files are missing" in done.stderr) == (1, True), done
    assert f"usage/mail/{saved.parent.name}/{saved.name}" in done.stderr
    done = logged.run(*COMMAND, "restore", backup, "--force")
    assert (done.returncode, "1 archive files are missing" in done.stdout) == (1, True), done
    assert done.stdout.count("before-restore-") == 2


def test_judging_again_asks_about_every_row_and_says_which_days_were_never_read(
    logged: Scene, server: StubServer
) -> None:
    """Nought verdicts and a status of 0 look like a rubric that nothing fails."""
    day = str(logged.start)
    done = logged.run(*COMMAND, "usage", "rejudge", day)
    assert (done.returncode, f"not parsed yet, skipped: {day}" in done.stdout) == (1, True), done
    assert logged.run(*COMMAND, "usage", "run", day).returncode == 0
    done = logged.run(*COMMAND, "usage", "rejudge", day)
    assert (done.returncode, done.stdout.startswith("this takes 6 calls of the model ")) == (2, True), done
    assert "add --yes" in done.stderr
    assert len(server.asked) == 6
    done = logged.run(*COMMAND, "usage", "rejudge", day, "--yes")
    assert (done.returncode, done.stdout.endswith("1 days judged again, 6 verdicts\n")) == (0, True), done
    assert len(server.asked) == 12


def test_without_a_log_the_commands_say_what_is_missing(scene: Scene) -> None:
    """An empty list would say that nothing fails."""
    scene.settings = ""
    scene.write_config()
    done = scene.run(*COMMAND, "usage", "cases")
    assert (done.returncode, done.stdout) == (2, "")
    assert "[[usage]]" in done.stderr


def test_the_commands_of_the_page_run(logged: Scene, server: StubServer) -> None:
    """A reader who types what docs/usage-logs.md says meets no error."""
    judging(server)
    page = (PROJECT / "docs" / "usage-logs.md").read_text(encoding="utf-8")
    block = "".join(re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    typed = [line.partition(" > ")[0] for line in block.splitlines()]
    assert len(typed) == 2
    for line in typed:
        words = re.sub(r"\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d", f"{logged.start}..{logged.start}", line).split()[1:]
        done = logged.run(*COMMAND, *words)
        assert (done.returncode, done.stderr) == (0, ""), (line, done.stderr)
