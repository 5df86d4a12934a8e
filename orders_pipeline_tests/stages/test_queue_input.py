"""The queue over a real store: what the days' tables give to the comparisons, and what becomes of a decision."""

from __future__ import annotations

import datetime as dt
import json

from orders_pipeline.models import Decision, Outcome
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline.stages.queue_input import outcome_rows, read_queue_input
from orders_pipeline_tests.harness import DAY, Scene, select

ALL_FINE = "[review]\nsample_of_fine = 1.0\nmax_sample = 2\n"


def queue(scene: Scene) -> list[tuple[str, list[str]]]:
    work = scene.work()
    refresh_current(work)
    found = select(work.store, "SELECT case_id, reasons FROM case_queue ORDER BY position")
    return [(case, [reason["code"] for reason in json.loads(reasons)]) for case, reasons in found]


def test_fine_mail_of_the_sample_is_queued_last_and_can_be_decided(scene: Scene) -> None:
    """What the judge misses shows only when a person looks at what it found fine, too."""
    scene.settings = ALL_FINE
    scene.write_config()
    scene.add_day()
    for _ in range(2):
        scene.add_order(DAY)
    run_day(scene.work(), DAY)
    first = queue(scene)
    assert [codes for _, codes in first] == [["total_does_not_add_up"], ["sample_of_fine"], ["sample_of_fine"]]
    sampled = first[1][0]
    assert select(scene.work().store, "SELECT state FROM eval_cases WHERE case_id = ?", [sampled]) == [("proposed",)]
    decide(scene.work(), sampled, Decision.REJECTED)
    then = queue(scene)
    assert sampled not in [case for case, _ in then]
    assert [codes for _, codes in then] == [codes for _, codes in first], "the next of the sample moves up"


def test_a_day_that_is_done_later_changes_nobody_elses_place_in_the_sample(scene: Scene) -> None:
    """The order in which days are done must not decide what a person sees."""
    scene.settings = "[review]\nsample_of_fine = 0.5\n"
    scene.start = DAY - dt.timedelta(days=1)
    scene.write_config()
    other = scene.copy_to(scene.root / "other")
    for one in (scene, other):
        for day in (scene.start, DAY):
            for number in range(4):
                one.add_order(
                    day, number=f"FM-{day.day}{number}", subject=f"Order {day.day}-{number}", shop=f"S{number}"
                )
    for day in (scene.start, DAY):
        run_day(scene.work(), day)
        queue(scene)
    for day in (DAY, scene.start):
        run_day(other.work(), day)
        queue(other)
    assert queue(scene) == queue(other)
    assert 0 < len(queue(scene)) < 8


def test_an_outcome_is_fine_only_by_a_verdict(scene: Scene) -> None:
    """Before anybody judged it nothing is known of a parse, and a doubted one is not fine."""
    scene.add_day()
    run_day(scene.work(), DAY, ["fetch", "parse"])
    with scene.work().store.state.reading() as con:
        assert not any(row.fine for row in outcome_rows(con))
    run_day(scene.work(), DAY)
    with scene.work().store.state.reading() as con:
        found = read_queue_input(con)
    parsed = [row for row in found.outcomes if row.outcome is Outcome.PARSED]
    assert sorted(row.fine for row in parsed) == [False, True, True]
    assert not next(row for row in found.outcomes if row.outcome is Outcome.NOT_ORDER).fine
    (facts,) = parsed[0].orders
    assert facts.order_key is not None
    assert facts.forms[:2] == ("fennmark supplies", "A-9")
