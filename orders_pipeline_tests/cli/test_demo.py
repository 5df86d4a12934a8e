"""The demo, whole: twice, and killed in the middle. Every run here is a real one, in a process of its own."""

from __future__ import annotations

import datetime as dt
import json
import os
import random
import re
import time
from collections.abc import Collection
from pathlib import Path

import duckdb
import pytest

from orders_pipeline.crash_points import STOP_AT
from orders_pipeline.sample.config import sample_config_toml
from orders_pipeline.sample.generate import write_sample_mailbox
from orders_pipeline_tests.harness import ZONE, Dump, different_tables, dump_tables
from orders_pipeline_tests.stages.killing import kill_at, kill_group, start
from orders_pipeline_tests.support import PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("killed")]

DEMO = ("-m", "orders_pipeline.cli", "demo")
DAYS, PER_DAY = 3, 6


class Demo:
    """A data folder for the demo, and its output."""

    def __init__(self, folder: Path, *, days: int | None = None) -> None:
        self.folder, self.home = folder, folder / "home"
        self.home.mkdir(parents=True)
        if days:
            # The configuration and the mailbox that the demo would write, with less mail, and the same in each home.
            last = dt.datetime.now(ZONE).date() - dt.timedelta(days=1)
            made = write_sample_mailbox(self.home / "sample-mail", last_day=last, days=days, per_day=PER_DAY)
            text = sample_config_toml(Path("sample-mail"), ZONE.key, made.days[0])
            (self.home / "orders_pipeline.toml").write_text(text, encoding="utf-8")

    @property
    def environ(self) -> dict[str, str]:
        return {**os.environ, "ORDERS_PIPELINE_HOME": str(self.home), "PYTHONPATH": str(PROJECT), "COLUMNS": "160"}

    def run(self, *command: str) -> tuple[int, str]:
        """Run a command to its end; exit status and output."""
        log = self.folder / "child.log"
        log.unlink(missing_ok=True)
        child = start(command or DEMO, self.environ, self.folder)
        try:
            status = child.wait(timeout=240)
        finally:
            kill_group(child)
        return status, log.read_text(encoding="utf-8")

    def dump(self, *, ignore: Collection[str] = ()) -> Dump:
        """The published tables by content (see ``dump_tables``)."""
        with duckdb.connect(self.home / "orders.duckdb", read_only=True) as con:
            con.execute("SET TimeZone = 'UTC'")
            return dump_tables(con, ignore=ignore)

    def status(self) -> dict[str, object]:
        """What ``status --json`` says."""
        return json.loads(self.run("-m", "orders_pipeline.cli", "status", "--json")[1])

    def verdict_files(self) -> int:
        return len(list((self.home / "archive" / "verdicts").rglob("*.parquet")))


def yesterday() -> str:
    return str(dt.datetime.now(ZONE).date() - dt.timedelta(days=1))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dump, int, str]:
    """The tables, the number of verdict files and the output of a demo that nobody disturbed."""
    demo = Demo(tmp_path_factory.mktemp("undisturbed"), days=DAYS)
    status, out = demo.run()
    assert status == 0, out
    return demo.dump(), demo.verdict_files(), yesterday()


def test_the_demo_takes_fourteen_days_and_a_second_one_has_nothing_to_do(tmp_path: Path) -> None:
    """What a first user sees; and that a repeated command doubles nothing."""
    demo = Demo(tmp_path)
    status, out = demo.run()
    assert status == 0, out
    assert "14 of 14 done" in out
    assert "Traceback" not in out
    before, verdicts = demo.dump(), demo.verdict_files()
    assert verdicts == 14
    status, out = demo.run()
    assert status == 0, out
    assert "nothing to do" in out
    assert demo.verdict_files() == verdicts
    assert different_tables(before, demo.dump()) == {}
    said = demo.status()
    assert said["days_done"] == said["days_expected"] == 14
    assert said["cursor"] == said["sensor_cursor"] == yesterday()
    assert said["not_done"] == []
    assert (said["pending"], said["exhausted"]) == (0, 0)
    assert re.search(r"^orders +[1-9]", out, re.MULTILINE)


@pytest.mark.parametrize("point", [f"event.before:{3 * DAYS}", "publish.copied"])
def test_a_demo_killed_at_a_point_ends_as_an_undisturbed_one(
    point: str, tmp_path: Path, undisturbed: tuple[Dump, int, str]
) -> None:
    """Kill -9 between the last day's commit and its last event, and in publishing; then run it again."""
    demo = Demo(tmp_path, days=DAYS)
    kill_at(point, DEMO, demo.environ, demo.folder)
    finish_and_compare(demo, undisturbed)


def test_a_demo_killed_at_any_moment_ends_as_an_undisturbed_one(
    tmp_path: Path, undisturbed: tuple[Dump, int, str]
) -> None:
    """Two kills in a row at moments of chance, from the first saved mail on; each run goes on from what is saved."""
    chance = random.Random()
    demo = Demo(tmp_path, days=DAYS)
    mail = demo.home / "archive" / "mail"
    for _ in range(2):
        child = start(DEMO, demo.environ, demo.folder)
        try:
            deadline = time.monotonic() + 120
            while child.poll() is None and time.monotonic() < deadline and not (mail.exists() and list(mail.iterdir())):
                time.sleep(0.01)
            time.sleep(chance.uniform(0.0, 1.5))
        finally:
            kill_group(child)
    finish_and_compare(demo, undisturbed)


def finish_and_compare(demo: Demo, undisturbed: tuple[Dump, int, str]) -> None:
    tables, verdicts, day = undisturbed
    assert STOP_AT not in demo.environ
    status, out = demo.run()
    assert status == 0, out
    if yesterday() != day:
        pytest.skip("midnight fell into this test: the two demos had different days")
    assert different_tables(tables, demo.dump()) == {}
    assert demo.verdict_files() == verdicts
    said = demo.status()
    assert (said["days_done"], said["cursor"], said["sensor_cursor"]) == (DAYS, day, day)
