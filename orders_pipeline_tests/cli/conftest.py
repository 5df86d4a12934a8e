"""A pipeline of each test's own, and the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.store.publish import publish
from orders_pipeline_tests.cli.command import Command
from orders_pipeline_tests.harness import Scene, deliver, last_closed_days, noon, order_mail

# A title for the terminal's window, a colour, a right-to-left override, a line feed, a null, a C1 control.
HOSTILE = "=?utf-8?q?=1B=5D0=3Bowned=07_=1B=5B31m_=E2=80=AE_=0A_=00_=C2=9B31m?="


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """A configuration for an empty Maildir, named by the environment; no store yet."""
    scene = Scene(tmp_path, start=last_closed_days(2)[0])
    for name, value in scene.environ.items():
        monkeypatch.setenv(name, value)
    return scene


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Two days up to yesterday, done and published; one mail is hostile to terminals."""
    days = last_closed_days(2)
    scene = Scene(tmp_path_factory.mktemp("made"), start=days[0])
    for day in days:
        scene.add_day(day)
    hostile = order_mail("FM-666", noon(days[0]), subject=f"Your order {HOSTILE}", shop="Fennmark", total="31.00")
    hostile = hostile.replace(b"From: Fennmark Supplies", f"From: {HOSTILE} Shop".encode())
    deliver(scene.root / "inbox", hostile.replace(b"Oak bookend", b"Oak \x1b[31m bookend\x07"), "hostile")
    for day in days:
        assert run_day(scene.work(), day).problem is None
    refresh_current(scene.work())
    publish(scene.work().store)
    return scene


@pytest.fixture
def done(made: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """The same, to do with as a test likes."""
    scene = made.copy_to(tmp_path)
    for name, value in scene.environ.items():
        monkeypatch.setenv(name, value)
    return scene
