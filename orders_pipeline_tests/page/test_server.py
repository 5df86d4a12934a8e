"""``orders-pipeline review`` as a process: its link, its port, its end."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
import requests

from orders_pipeline.store.frames import rows
from orders_pipeline.store.reader import published
from orders_pipeline_tests.harness import Scene
from orders_pipeline_tests.page.serving import Served, fields_of

pytestmark = pytest.mark.slow


class Command:
    """The command, started; ``link`` is what it printed first."""

    def __init__(self, scene: Scene, *arguments: str) -> None:
        command = [sys.executable, "-m", "orders_pipeline.cli", "review", "--no-open", *arguments]
        self.process = subprocess.Popen(
            command, cwd=scene.root, env=scene.process_environ(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/start\?token=\S+", line)
        self.link, self.port = (found[0], int(found[1])) if found else ("", 0)

    def end(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        """Send a signal; exit status, the rest of its output, its errors."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture
def command(cases: Scene) -> Iterator[Command]:
    command = Command(cases, "--port", "0")
    yield command
    command.process.kill()
    command.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_well_and_leaves_the_copy_for_readers_renewed(command: Command, cases: Scene, number: int) -> None:
    """However it ends: a decision of the last second is in the archive, and ``cases list`` shows it."""
    browser = requests.Session()
    assert browser.get(command.link, timeout=20).status_code == 200
    base = command.link.partition("/start")[0]
    first = browser.get(f"{base}/", timeout=20)
    case_id = first.url.rsplit("/", 1)[1]
    fields = {**fields_of(first.text, f"/case/{case_id}/decide"), "decision": "accepted"}
    answer = browser.post(
        f"{base}/case/{case_id}/decide", data=fields, headers={"Origin": base}, timeout=20, allow_redirects=False
    )
    assert answer.status_code == 303
    status, out, err = command.end(number)
    assert (status, err) == (0, "")
    assert re.search(r"for another browser  http://127\.0\.0\.1:\d+/start\?token=", out)
    with published(cases.home) as con:
        assert rows(con, "SELECT state FROM eval_cases WHERE case_id = ?", [case_id]) == [{"state": "accepted"}]


def test_two_pages_over_one_store_do_not_share_their_browsers(command: Command, cases: Scene) -> None:
    """Cookies know no ports: with one name for both, each would log the other's browser out."""
    other = Command(cases)
    try:
        assert other.port not in (0, command.port)
        browser = requests.Session()
        for link in (command.link, other.link):
            assert browser.get(link, timeout=20).status_code == 200
        for link in (command.link, other.link):
            assert browser.get(link.partition("/start")[0] + "/queue", timeout=20).status_code == 200
        assert len(browser.cookies) == 2
    finally:
        assert other.end()[0] == 0


def test_a_port_that_is_taken_is_one_line(command: Command, cases: Scene) -> None:
    """A traceback from a socket tells nobody what to do."""
    other = Command(cases, "--port", str(command.port))
    status, _, err = other.end()
    assert status == 2
    assert re.fullmatch(rf"orders-pipeline: cannot listen on 127\.0\.0\.1:{command.port}: .*; try --port 0\n", err)


def test_a_fault_of_ours_is_a_page_and_the_next_page_works(page: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """One case that cannot be shown must not end the evening."""
    case_id = page.cases()[0]
    monkeypatch.setattr("orders_pipeline.page.desk.orders_shown", lambda *_: 1 / 0)
    answer = page.get(f"/case/{case_id}", headers={"Connection": "close"})  # as the server will after a fault
    assert answer.status_code == 500
    assert "This page failed (ZeroDivisionError)" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    monkeypatch.undo()
    assert page.get(f"/case/{case_id}").status_code == 200
