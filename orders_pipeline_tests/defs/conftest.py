"""A pipeline with a few closed days up to yesterday, its definitions, and an instance in memory."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from orders_pipeline.stages.day import run_day
from orders_pipeline_tests.defs.pipeline import DaggedScene
from orders_pipeline_tests.harness import Scene, last_closed_days


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Three days up to yesterday, with mail, all done; Dagster knows nothing of them."""
    days = last_closed_days(3)
    scene = Scene(tmp_path_factory.mktemp("made"), start=days[0], settings="[store]\nlock_timeout_seconds = 5\n")
    for day in days:
        scene.add_day(day)
        assert run_day(scene.work(), day).problem is None
    return scene


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture
def done(made: Scene, instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DaggedScene:
    """Three days that the ledger proves, and of which Dagster shows nothing."""
    return DaggedScene(made.copy_to(tmp_path), instance, monkeypatch)


@pytest.fixture
def fresh(instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DaggedScene:
    """Three closed days with mail, none of them taken."""
    days: list[dt.date] = last_closed_days(3)
    scene = Scene(tmp_path, start=days[0], settings="[store]\nlock_timeout_seconds = 5\n")
    for day in days:
        scene.add_day(day)
    return DaggedScene(scene, instance, monkeypatch)
