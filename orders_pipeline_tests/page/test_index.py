"""The light lines that are kept between requests say the same as the store."""

from __future__ import annotations

import itertools
import random

from orders_pipeline.models import Decision
from orders_pipeline.page.index import Index
from orders_pipeline.stages.decide import decide, undo
from orders_pipeline.stages.work import Work
from orders_pipeline.store.frames import rows
from orders_pipeline_tests.harness import Scene, select


def agree(index: Index, work: Work) -> None:
    """The index has the view's cases, states, days and senders."""
    with work.store.state.reading() as con:
        cases = index.read(con)
        view = {
            r["case_id"]: (r["state"], r["day"], r["sender_domain"])
            for r in rows(con, "SELECT case_id, state, day, sender_domain FROM eval_cases")
        }
    assert {line.case_id: (cases.state(line.case_id), line.day, line.sender) for line in cases.lines} == view
    assert sorted(cases.lines, key=lambda line: line.rank) == list(cases.lines)


def test_it_follows_decisions_and_undos_of_any_order(cases: Scene) -> None:
    """A line that lags behind brings a decided case back, or hides one that was taken back."""
    work, index, chance = cases.work(), Index(), random.Random(7)
    agree(index, work)
    ids = [row[0] for row in select(work.store, "SELECT case_id FROM eval_cases ORDER BY 1")]
    for _ in range(14):
        case_id = chance.choice(ids)
        if chance.random() < 0.4 and select(work.store, "FROM case_decisions WHERE case_id = ?", [case_id]):
            undo(work, case_id)
        else:
            decide(work, case_id, chance.choice((Decision.ACCEPTED, Decision.REJECTED)))
        agree(index, work)


def test_it_follows_the_days_and_what_was_taken_out(cases: Scene) -> None:
    """After a run in the background the page must not show yesterday's cases; after ``forget``, none of that mail."""
    work, index = cases.work(), Index()
    agree(index, work)
    ids = [row[0] for row in select(work.store, "SELECT case_id FROM eval_cases ORDER BY 1")]
    for case_id in ids[:3]:
        decide(work, case_id, Decision.ACCEPTED)
    undo(work, ids[2])
    agree(index, work)
    for sql in (
        "DELETE FROM acts WHERE act_id = (SELECT min(act_id) FROM acts)",
        "DELETE FROM proposed_eval_cases",  # what was decided on, and what only the queue brought up, stays
        "DELETE FROM parse_outcomes WHERE message_id = (SELECT min(message_id) FROM case_queue);"
        " UPDATE refreshes SET refreshed_at = refreshed_at + INTERVAL 1 SECOND",
        "DELETE FROM case_queue; UPDATE refreshes SET refreshed_at = now()",
    ):
        with work.store.state.transaction() as con:
            con.execute(sql)
        agree(index, work)
    with work.store.state.reading() as con:
        left = {line.case_id for line in index.read(con).lines}
    assert left == set(ids[1:3])


def test_it_follows_when_as_much_was_taken_out_as_was_added(cases: Scene) -> None:
    """A count of the acts that is the same again says nothing: what was forgotten stayed decided."""
    work, index = cases.work(), Index()
    ids = [row[0] for row in select(work.store, "SELECT case_id FROM eval_cases ORDER BY 1")]
    decide(work, ids[0], Decision.ACCEPTED)
    agree(index, work)
    decide(work, ids[1], Decision.REJECTED)
    with work.store.state.transaction() as con:
        con.execute("DELETE FROM acts WHERE act_id = (SELECT min(act_id) FROM acts)")
    agree(index, work)


def test_it_reads_nothing_again_when_nothing_changed(cases: Scene) -> None:
    """With 10,000 cases each page would take a quarter of a second more."""
    work, index = cases.work(), Index()
    reads = []
    for _ in itertools.repeat(None, 2):
        with work.store.state.reading() as con:
            reads.append(index.read(con))
    assert reads[0] is reads[1]
