"""Decisions on cases: saved as files, never overwritten, taken back by an act of their own."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from orders_pipeline.errors import SavedNotShown, StoreLocked
from orders_pipeline.models import Decision
from orders_pipeline.review.expected import BadExpected
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import (
    DecidedMeanwhile,
    NothingToUndo,
    Shown,
    UnknownCase,
    decide,
    find_case,
    history,
    shown_of,
    undo,
)
from orders_pipeline.stages.forget import forget
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts
from orders_pipeline.store.frames import rows
from orders_pipeline_tests.harness import DAY, Scene

RIGHT = {"orders": [{"total": "24.50", "currency": "EUR", "order_number": "FM-70001"}]}


@pytest.fixture
def work(scene: Scene) -> Work:
    """A day with one case."""
    scene.add_order(total="31.00")
    work = scene.work()
    assert run_day(work, DAY).problem is None
    refresh_current(work)
    return work


def case_of(work: Work, case_id: str = "") -> dict[str, Any]:
    """The one case, or the one with this id."""
    with work.store.state.reading() as con:
        only = case_id or rows(con, "SELECT case_id FROM eval_cases")[0]["case_id"]
        return find_case(con, only)


def past(work: Work, case_id: str) -> list[tuple[str, bool]]:
    with work.store.state.reading() as con:
        return [(act["decision"], act["undone"]) for act in history(con, case_id)]


def test_an_edit_keeps_the_stated_result_and_who_and_when(work: Work) -> None:
    """A test set in which nobody knows who said so is worth as much as a guess."""
    case = case_of(work)
    decide(work, case["case_id"], Decision.EDITED, expected=RIGHT, note="from the invoice")
    after = case_of(work)
    assert (after["state"], after["note"]) == ("edited", "from the invoice")
    assert after["decided_by"]
    assert after["decided_at"].tzinfo is not None
    expected = json.loads(after["expected"])
    assert expected["orders"][0]["total"] == "24.50"
    assert expected["language"] == json.loads(case["produced"])["language"]


def test_an_edit_that_cannot_be_records_nothing(work: Work) -> None:
    """What is saved is saved for good."""
    case = case_of(work)
    with pytest.raises(BadExpected):
        decide(work, case["case_id"], Decision.EDITED, expected={"orders": [{"total": "x"}]})
    with pytest.raises(BadExpected):
        decide(work, case["case_id"], Decision.EDITED)
    assert past(work, case["case_id"]) == []
    assert work.store.archive.all_files("acts") == []


def test_undo_brings_the_decision_before_back(work: Work) -> None:
    """Taking back a correction must not take back what it corrected."""
    case_id = case_of(work)["case_id"]
    decide(work, case_id, Decision.ACCEPTED)
    decide(work, case_id, Decision.REJECTED)
    assert undo(work, case_id[:5]) == (case_id, "rejected")
    assert case_of(work)["state"] == "accepted"
    assert case_of(work)["expected"] is not None
    assert undo(work, case_id) == (case_id, "accepted")
    assert case_of(work)["state"] == "proposed"
    assert case_of(work)["expected"] is None
    with pytest.raises(NothingToUndo):
        undo(work, case_id)
    decide(work, case_id, Decision.REJECTED)
    assert case_of(work)["state"] == "rejected"
    assert past(work, case_id) == [
        ("accepted", True), ("rejected", True), ("undone", False), ("undone", False), ("rejected", False),
    ]  # fmt: skip
    assert len(work.store.archive.all_files("acts")) == 5


def test_no_rerun_changes_what_a_person_decided(scene: Scene, work: Work) -> None:
    """A machine that overwrites a person's work gets none again."""
    scene.add_order(total="40.00", number="FM-80000")
    run_day(work, DAY)
    with work.store.state.reading() as con:
        accepted, edited = (r["case_id"] for r in rows(con, "SELECT case_id FROM eval_cases ORDER BY 1"))
    decide(work, accepted, Decision.ACCEPTED)
    decide(work, edited, Decision.EDITED, expected=RIGHT)
    before = [case_of(work, accepted), case_of(work, edited)]
    parse_day(work, DAY, again=True)
    review_day(work, DAY)
    refresh_current(work)
    assert [case_of(work, accepted), case_of(work, edited)] == before
    rebuild_store(work)
    assert [case_of(work, accepted), case_of(work, edited)] == before
    with work.store.state.transaction() as con:  # a better parser proposes neither any more
        con.execute("DELETE FROM proposed_eval_cases; DELETE FROM case_queue")
    for old in before:
        now = case_of(work, old["case_id"])
        assert {**now, "still_proposed": True} == old


def test_a_case_whose_decision_was_undone_stays_although_nothing_proposes_it(work: Work) -> None:
    """Undo on a case that a better parser no longer proposes must not make it vanish with its history."""
    case = case_of(work)
    decide(work, case["case_id"], Decision.ACCEPTED)
    with work.store.state.transaction() as con:
        con.execute("DELETE FROM proposed_eval_cases; DELETE FROM case_queue")
    undo(work, case["case_id"])
    left = case_of(work)
    assert (left["state"], left["still_proposed"]) == ("proposed", False)
    assert json.loads(left["produced"]) == json.loads(case["produced"])
    decide(work, case["case_id"], Decision.REJECTED)
    assert case_of(work)["state"] == "rejected"


def test_a_decision_on_what_is_no_longer_shown_is_refused(work: Work) -> None:
    """Two people, two tabs, the command line: who comes second must see what the first one did."""
    case = case_of(work)
    shown = shown_of(case)
    decide(work, case["case_id"], Decision.ACCEPTED, shown=shown)
    for stale in (shown, Shown(last_act="another", produced=shown.produced)):
        with pytest.raises(DecidedMeanwhile, match="decided on elsewhere"):
            decide(work, case["case_id"], Decision.REJECTED, shown=stale)
        with pytest.raises(DecidedMeanwhile):
            undo(work, case["case_id"], shown=stale)
    now = shown_of(case_of(work))
    with pytest.raises(DecidedMeanwhile, match="parsed anew"):
        decide(work, case["case_id"], Decision.REJECTED, shown=Shown(last_act=now.last_act, produced="another"))
    undo(work, case["case_id"], shown=now)
    with pytest.raises(DecidedMeanwhile):
        decide(work, case["case_id"], Decision.REJECTED, shown=now)
    assert past(work, case["case_id"]) == [("accepted", True), ("undone", False)]


def test_an_act_that_a_killed_process_saved_counts(work: Work) -> None:
    """The file is the save: a decision whose process died before the tables knew it was made."""
    case = case_of(work)
    shown = shown_of(case)
    decide(work, case["case_id"], Decision.ACCEPTED)
    with work.store.state.transaction() as con:
        con.execute("DELETE FROM acts; DELETE FROM archive_files WHERE kind = 'acts'")
    with pytest.raises(DecidedMeanwhile):
        decide(work, case["case_id"], Decision.REJECTED, shown=shown)
    assert case_of(work)["state"] == "accepted"


def test_a_clock_set_back_keeps_the_order_of_decisions(work: Work) -> None:
    """The last decision stands: by the order in which people decided, not by what clocks said."""
    case_id = case_of(work)["case_id"]
    late = dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
    work.now = lambda: late
    decide(work, case_id, Decision.ACCEPTED)
    undo(work, case_id)
    work.now = lambda: late - dt.timedelta(days=900)
    decide(work, case_id, Decision.REJECTED)
    assert case_of(work)["state"] == "rejected"
    assert [name for name, _ in past(work, case_id)] == ["accepted", "undone", "rejected"]


def test_forgetting_the_mail_takes_its_decisions_and_their_undoing(work: Work) -> None:
    """A snapshot holds what the mail said."""
    case = case_of(work)
    decide(work, case["case_id"], Decision.ACCEPTED)
    undo(work, case["case_id"])
    forget(work, {case["message_id"]})
    with work.store.state.reading() as con:
        assert rows(con, "SELECT * FROM case_history") == []
        with pytest.raises(UnknownCase):
            find_case(con, case["case_id"])
    assert not any(
        case["message_id"] in str(work.store.archive.read_act(p)["payload"])
        for p in work.store.archive.all_files("acts")
    )


def test_a_decision_that_is_saved_is_not_told_as_lost(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is the save: with the tables busy the person was told that nothing was saved, and it stood later."""
    case = case_of(work)
    take_in = acts.adopt

    def busy(*given: object) -> int:
        raise StoreLocked("the store is held")

    monkeypatch.setattr(acts, "adopt", busy)
    with pytest.raises(SavedNotShown, match="saved"):
        decide(work, case["case_id"], Decision.REJECTED)
    monkeypatch.setattr(acts, "adopt", take_in)
    with pytest.raises(DecidedMeanwhile):
        decide(work, case["case_id"], Decision.ACCEPTED, shown=shown_of(case))
    assert past(work, case["case_id"]) == [("rejected", False)]
