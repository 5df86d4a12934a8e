"""A store over the sample mailbox in which the last days are missing, made by real runs in a process of its own.

Belongs here: the mailbox, its configuration, the first days' runs, sensor and schedules turned off (so that they do not
take the missing days before the browser does). As a module it does the runs: HOME FIRST LAST.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from orders_pipeline.sample.config import sample_config_toml
from orders_pipeline.sample.generate import write_sample_mailbox
from orders_pipeline_tests.support import PROJECT

_ZONES = ("Europe/Berlin", "America/Los_Angeles", "Asia/Tokyo")
# A person mends what broke: the sensor must not try again, and perhaps fail again, while the browser looks.
_SENSOR = "\n[sensor]\nretry_first_seconds = 3600\nretry_limit_seconds = 3600\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleStore:
    """The data folder, the environment of every process that works on it, its days and how many mails each has."""

    home: Path
    env: Mapping[str, str]
    mails: Mapping[dt.date, int]

    @property
    def days(self) -> list[dt.date]:
        """Every closed day, oldest first; the last is yesterday."""
        return sorted(self.mails)

    def status(self) -> dict[str, Any]:
        """The store's own account, ``orders-pipeline status --json``, with its exit status under ``exit``."""
        command = [sys.executable, "-m", "orders_pipeline.cli", "status", "--json"]
        done = subprocess.run(command, cwd=self.home, env=self.env, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return {**json.loads(done.stdout), "exit": done.returncode}


def make_store(home: Path, *, days: int, done: int, per_day: int = 4, broken: str | None = None) -> SampleStore:
    """A store of ``days`` closed days, the first ``done`` (at least one) of them taken through all stages.

    ``broken`` names a second mailbox that owes the last day alone and whose folder, ``home``/``broken``, is not there.
    Raises ``AssertionError`` with what the process said when it fails.
    """
    zone = _zone_far_from_midnight()
    yesterday = dt.datetime.now(ZoneInfo(zone)).date() - dt.timedelta(days=1)
    home.mkdir(mode=0o700, parents=True)
    mail = Path("sample-mail")
    sample = write_sample_mailbox(home / mail, last_day=yesterday, days=days, per_day=per_day, zone=zone)
    text = sample_config_toml(mail, zone, sample.days[0])
    if broken:
        text += f'\n[[mailbox]]\nname = "{broken}"\nkind = "maildir"\npath = "{broken}"\nsince = {yesterday}\n'
    (home / "orders_pipeline.toml").write_text(text + _SENSOR, encoding="utf-8")
    env = {**os.environ, "ORDERS_PIPELINE_HOME": str(home), "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", __name__, str(home), str(sample.days[0]), str(sample.days[done - 1])]
    made = subprocess.run(command, cwd=home, env=env, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return SampleStore(home=home, env=env, mails=sample.per_day)


def _zone_far_from_midnight() -> str:
    """A test that runs over midnight gets a day more than it counts on: take the zone where it is nearest to noon."""
    return min(_ZONES, key=lambda name: abs(dt.datetime.now(ZoneInfo(name)).hour - 12))


def _run(home: Path, first: dt.date, last: dt.date) -> None:
    from orders_pipeline.defs import launch
    from orders_pipeline.store.folder import DataFolder

    instance = launch.prepare_instance(DataFolder(home).open())
    assert launch.run_days(instance, first, last), f"the run of {first} to {last} failed"
    assert launch.run_current(instance), "the run of orders, alerts and the queue failed"
    _turn_off(instance)


def _turn_off(instance: Any) -> None:
    """What the toggles of the UI do, before there is a daemon that could be quicker."""
    from dagster._core.workspace.context import WorkspaceProcessContext
    from dagster._core.workspace.load_target import WorkspaceFileTarget

    with WorkspaceProcessContext(instance, WorkspaceFileTarget([str(PROJECT / "workspace.yaml")])) as workspace:
        for location in workspace.create_request_context().code_locations:
            for repository in location.get_repositories().values():
                for sensor in repository.get_sensors():
                    instance.stop_sensor(sensor.get_remote_origin_id(), sensor.selector_id, sensor)
                for schedule in repository.get_schedules():
                    instance.stop_schedule(schedule.get_remote_origin_id(), schedule.selector_id, schedule)


if __name__ == "__main__":
    _run(Path(sys.argv[1]), dt.date.fromisoformat(sys.argv[2]), dt.date.fromisoformat(sys.argv[3]))
