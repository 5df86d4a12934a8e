"""A re-listing finds what came late, reopens exactly those days, and fetches nothing."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.models import Listing, Window
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.fetch import fetch_day
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.relist import relist_days
from orders_pipeline_tests.harness import DAY, Interrupted, Scene, different_tables, select

DAYS = [DAY + dt.timedelta(days=n) for n in range(3)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Three days done, made once."""
    scene = Scene(tmp_path_factory.mktemp("made"))
    for day in DAYS:
        scene.add_day(day)
        assert run_day(scene.work(), day).problem is None
    return scene


@pytest.fixture
def done(made: Scene, tmp_path: Path) -> Scene:
    """Three days done."""
    return made.copy_to(tmp_path)


def days_done(scene: Scene) -> list[dt.date]:
    return sorted(scene.days_done())


def test_it_finds_new_mail_and_reopens_exactly_that_day(done: Scene) -> None:
    """Late mail reopens its own day; the others stay done and nothing is fetched yet."""
    done.add_order(DAYS[1])
    done.add_order(DAYS[1])
    report = relist_days(done.work(), DAYS)
    assert (report.days, report.reopened, report.failures) == (3, {DAYS[1]: 2}, {})
    assert days_done(done) == [DAYS[0], DAYS[2]]
    assert select(done.work().store, "SELECT count(*) FROM messages") == [(12,)]
    run_day(done.work(), DAYS[1])
    assert days_done(done) == DAYS


def test_a_rebuild_after_it_does_not_call_that_day_done(done: Scene) -> None:
    """What the mailbox holds and the archive does not is known to the archive too."""
    done.add_order(DAYS[1])
    relist_days(done.work(), DAYS)
    done.work().store.folder.state.unlink()
    rebuild_store(done.work())
    assert days_done(done) == [DAYS[0], DAYS[2]]
    assert run_day(done.work(), DAYS[1]).problem is None
    assert days_done(done) == DAYS


def test_nothing_new_changes_nothing(done: Scene) -> None:
    """An hourly look at an unchanged mailbox leaves no trace but its time."""
    before = done.dump()
    assert relist_days(done.work(), DAYS).reopened == {}
    assert different_tables(before, done.dump()) == {}


def test_a_mailbox_that_fails_is_told_and_undoes_nothing(done: Scene) -> None:
    """A disk that is not mounted does not reopen the past; the failure is on record."""
    (done.root / "inbox").rename(done.root / "away")
    report = relist_days(done.work(), DAYS)
    assert list(report.failures) == ["inbox"]
    assert days_done(done) == DAYS
    assert select(done.work().store, "SELECT count(*) FROM listings WHERE failed_at IS NOT NULL") == [(3,)]
    (done.root / "away").rename(done.root / "inbox")
    relist_days(done.work(), DAYS)
    assert select(done.work().store, "SELECT count(*) FROM listings WHERE failed_at IS NOT NULL") == [(0,)]


def test_days_that_were_never_fetched_are_left_alone(scene: Scene) -> None:
    """A re-listing is no fetch: it must not make a day look listed."""
    scene.add_day()
    relist_days(scene.work(), DAYS)
    assert days_done(scene) == []
    assert select(scene.work().store, "SELECT * FROM listings") == []


def test_mail_that_vanished_before_it_was_fetched_closes_the_day_again(done: Scene) -> None:
    """New mail that its owner deletes again does not hold the cursor for ever."""
    path = done.add_order(DAYS[1])
    relist_days(done.work(), DAYS)
    path.unlink()
    relist_days(done.work(), DAYS)
    assert days_done(done) == DAYS
    assert select(done.work().store, "SELECT state FROM units") == [("gone",)]


def test_a_day_that_failed_once_is_not_reopened_by_what_was_fetched(done: Scene) -> None:
    """A re-listing beside a run that has just fetched the mail finds nothing new."""
    done.add_order(DAYS[0])
    fetch_day(done.work(), DAYS[0])
    assert relist_days(done.work(), DAYS).reopened == {}


class Slow(MaildirSource):
    """Lists, and lets something happen before it hands the listing over."""

    def __init__(self, path: Path, meanwhile: object) -> None:
        super().__init__("inbox", path)
        self.meanwhile = meanwhile

    def list(self, window: Window) -> Listing:
        listing = super().list(window)
        assert callable(self.meanwhile)
        self.meanwhile()
        return listing


def test_a_fetch_that_began_before_it_does_not_call_its_find_gone(done: Scene) -> None:
    """Two looks at one mailbox at once: the older one says nothing of mail which only the younger one saw."""

    def meanwhile() -> None:
        done.add_order(DAYS[0])
        relist_days(done.work(), DAYS)

    run_day(done.work_with(Slow(done.root / "inbox", meanwhile)), DAYS[0])
    assert days_done(done) == DAYS[1:]
    assert run_day(done.work(), DAYS[0]).problem is None
    assert select(done.work().store, "SELECT count(*) FROM messages") == [(13,)]
    assert days_done(done) == DAYS


def test_mail_that_is_listed_and_never_there_does_not_reopen_its_day_for_ever(done: Scene) -> None:
    """A mailbox that goes on to list what it cannot give is asked a few times, then left alone."""
    path = done.add_order(DAYS[0])
    kept = path.read_bytes()
    opened = 0
    for _ in range(6):
        path.write_bytes(kept)
        opened += bool(relist_days(done.work(), DAYS).reopened)
        run_day(done.work_with(Interrupted(done, path.unlink)), DAYS[0])
    assert opened == 3
    assert days_done(done) == DAYS
