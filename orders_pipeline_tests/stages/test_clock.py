"""A clock that jumps, forwards and back, costs neither a day nor a decision."""

from __future__ import annotations

import datetime as dt

from orders_pipeline.config import SensorSettings
from orders_pipeline.days import closed_days
from orders_pipeline.models import Decision
from orders_pipeline.progress import Facts, plan_tick
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.store import facts
from orders_pipeline.store.survey import survey
from orders_pipeline_tests.harness import DAY, ZONE, Interrupted, Scene, different_tables, noon, select

NOW = noon(DAY) + dt.timedelta(days=1)
YEAR = dt.timedelta(days=365)


def plan(scene: Scene, now: dt.datetime, done: set[dt.date] | None = None):
    """The sensor's plan over the store at an instant."""
    with scene.work().store.state.reading() as con:
        ledger, relisted = facts.read_ledger(con), survey(con, {"inbox": None}).relisted
    expected = closed_days(DAY, now, ZONE)
    return plan_tick(
        None,
        Facts(
            expected=expected,
            ledger=ledger,
            done=done or set(),
            shown=done or set(),
            in_hand=(),
            last_relisted=relisted,
        ),
        SensorSettings(),
        now,
    )


def test_a_day_that_failed_while_the_clock_was_ahead_is_tried_when_it_is_right(scene: Scene) -> None:
    """A wait until next year, written by a wrong clock, must not hold the cursor for a year."""
    (scene.root / "inbox").rename(scene.root / "away")
    run_day(scene.work(now=lambda: NOW + YEAR), DAY)
    assert plan(scene, NOW).runs == ((DAY, DAY),)
    (scene.root / "away").rename(scene.root / "inbox")
    assert run_day(scene.work(now=lambda: NOW), DAY).problem is None
    assert scene.why_not_done() is None


def test_a_day_listed_while_the_clock_was_ahead_is_listed_again(scene: Scene) -> None:
    """A listing of the future is no proof that the present was looked at: late mail is still found."""
    scene.add_day()
    run_day(scene.work(now=lambda: NOW + YEAR), DAY)
    assert plan(scene, NOW, {DAY}).relists == ((DAY, DAY),)


def test_a_unit_of_the_future_that_vanished_is_gone(scene: Scene) -> None:
    """A mail that failed while the clock was ahead, and was then deleted, must not keep its day open for a year."""
    path = scene.add_order()

    def spoil() -> None:
        path.unlink()
        path.mkdir()

    ahead = scene.work_with(Interrupted(scene, spoil))
    ahead.now = lambda: NOW + YEAR
    run_day(ahead, DAY)
    assert select(scene.work().store, "SELECT state FROM units") == [("pending",)]
    path.rmdir()
    assert run_day(scene.work(now=lambda: NOW), DAY).problem is None
    assert select(scene.work().store, "SELECT state FROM units") == [("gone",)]
    assert scene.why_not_done() is None


def test_the_same_work_under_a_clock_that_jumps_gives_the_same_tables(scene: Scene) -> None:
    """Times of saving are of the moment; what is saved is not, and a rebuild agrees.

    Of two listings a rebuild takes the one that says it is later; the next re-listing corrects it.
    """
    scene.add_day()
    clock = iter([NOW, NOW + YEAR, NOW - YEAR] * 100)
    run_day(scene.work(now=lambda: next(clock)), DAY)
    scene.add_order(total="99.00")
    assert run_day(scene.work(now=lambda: next(clock)), DAY).problem is None
    assert scene.why_not_done() is None
    before = scene.dump()
    rebuild_store(scene.work(now=lambda: next(clock)))
    differ = different_tables(before, scene.dump())
    assert differ.keys() <= {"stage_days", "listings", "orders", "shipments", "order_alerts", "case_queue", "refreshes"}
    assert scene.why_not_done() is None


def test_the_last_decision_stands_also_when_the_clock_went_back(scene: Scene) -> None:
    """A person's second thought counts, whatever the clock says."""
    scene.add_day()
    run_day(scene.work(), DAY)
    case = select(scene.work().store, "SELECT case_id FROM eval_cases")[0][0]
    decide(scene.work(now=lambda: NOW + YEAR), case, Decision.REJECTED)
    decide(scene.work(now=lambda: NOW), case, Decision.ACCEPTED)
    assert select(scene.work().store, "SELECT state FROM eval_cases") == [("accepted",)]
    rebuild_store(scene.work())
    assert select(scene.work().store, "SELECT state FROM eval_cases") == [("accepted",)]
