"""Every table again from the archive alone, the same by content."""

from __future__ import annotations

import datetime as dt
import os
import shutil
from pathlib import Path

import pytest

from orders_pipeline.errors import StoreError
from orders_pipeline.models import Decision, Email, Outcome, ParseResult
from orders_pipeline.stages import parse_message as parse_message_stage
from orders_pipeline.stages import rebuild as rebuild_stage
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import UnknownCase, decide
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store.reader import published
from orders_pipeline_tests.harness import DAY, Interrupted, Scene, different_tables, select

DAYS = [DAY + dt.timedelta(days=n) for n in range(3)]
# A rebuilt fetch row says that it is one.
IGNORE = ("stage_days.version",)


def no_order(email: Email, *args: object, **kwargs: object) -> ParseResult:
    """A parser that finds no order in anything."""
    return ParseResult(message_id=email.message_id, outcome=Outcome.NOT_ORDER, reason="no_order_words")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Three days, mail of every kind, late mail, unplaced mail, two decisions, current state; made once."""
    scene = Scene(tmp_path_factory.mktemp("made"))
    for day in DAYS:
        scene.add_day(day)
    dateless = scene.root / "inbox" / "new" / "dateless"
    dateless.write_bytes(b"Subject: no date\r\n\r\nbody\r\n")
    os.utime(dateless, (2_145_916_800, 2_145_916_800))
    gone = scene.add_order(DAYS[2])
    for day in DAYS[:2]:
        run_day(scene.work(), day)
    run_day(scene.work_with(Interrupted(scene, gone.unlink)), DAYS[2])
    scene.add_order(DAYS[0], total="77.00")
    run_day(scene.work(), DAYS[0])
    work = scene.work()
    refresh_current(work)
    ids = [case for (case,) in select(work.store, "SELECT case_id FROM eval_cases ORDER BY 1")]
    assert len(ids) == 4
    decide(work, ids[0], Decision.ACCEPTED, note="keep")
    decide(work, ids[1][:10], Decision.REJECTED)
    refresh_current(work)
    return scene


@pytest.fixture
def full(made: Scene, tmp_path: Path) -> Scene:
    """The same, to do with as a test likes."""
    return made.copy_to(tmp_path)


def test_the_rebuilt_tables_are_those_of_before_with_the_archive_alone(full: Scene) -> None:
    """The mailbox is gone, the state is lost: mail, parses, verdicts, cases, decisions, orders are all there again."""
    before, verdicts = full.dump(ignore=IGNORE), full.verdict_files()
    shutil.rmtree(full.root / "inbox")
    full.work().store.folder.state.unlink()
    full.work().store.folder.published.unlink()
    assert rebuild_store(full.work()) == (3, ())
    different = different_tables(before, full.dump(ignore=IGNORE))
    # That a mail was once listed and gone is not kept: nobody owes it, and nobody has it.
    assert {name: rows for name, rows in different.items() if name != "units"} == {}
    assert full.verdict_files() == verdicts
    assert set(DAYS) <= full.days_done()
    with published(full.home) as con:
        assert con.execute("SELECT count(*) FROM messages").fetchall() == [(14,)]


def test_rebuilding_twice_changes_nothing(full: Scene) -> None:
    """It may be run at any time, also when nothing is wrong."""
    rebuild_store(full.work())
    once = full.dump()
    rebuild_store(full.work())
    assert different_tables(once, full.dump()) == {}


def test_a_damaged_archive_file_leaves_the_old_state(full: Scene) -> None:
    """A rebuild that cannot read all mail must not replace the tables by fewer."""
    before = full.dump()
    store = full.work().store
    path = store.archive.root / store.archive.all_files("mail")[0]
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StoreError, match=r"cannot be read .* restore it from a backup"):
        rebuild_store(full.work())
    assert different_tables(before, full.dump()) == {}


def test_a_decision_keeps_a_snapshot_of_what_was_decided_on(full: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that reads the mail otherwise, or rightly, does not erase an accepted case."""
    work = full.work()
    accepted = "SELECT case_id, state, expected, snapshot FROM (SELECT e.*, d.snapshot FROM eval_cases e"
    accepted += " JOIN case_decisions d USING (case_id)) WHERE state = 'accepted'"
    before = select(work.store, accepted)
    monkeypatch.setattr(parse_message_stage, "parse_message", no_order)
    for day in DAYS:
        parse_day(work, day, again=True)
        review_day(work, day)
    refresh_current(work)
    assert select(work.store, "SELECT count(*) FROM proposed_eval_cases") == [(0,)]
    assert select(work.store, accepted) == before
    assert before[0][2] is not None
    still = "SELECT state, still_proposed FROM eval_cases ORDER BY 1"
    assert select(work.store, still) == [("accepted", False), ("rejected", False)]


def test_a_case_id_that_fits_none_or_several_is_refused(full: Scene) -> None:
    """A typing error must not decide on another case."""
    for wrong in ("", "zz", "0123456789abcdef0"):
        with pytest.raises(UnknownCase):
            decide(full.work(), wrong, Decision.ACCEPTED)
    assert select(full.work().store, "SELECT count(*) FROM acts") == [(2,)]


def test_the_last_decision_stands(full: Scene) -> None:
    """A person may change their mind; both decisions are kept."""
    work = full.work()
    case = select(work.store, "SELECT case_id FROM eval_cases WHERE state = 'accepted'")[0][0]
    decide(work, case, Decision.REJECTED)
    assert select(work.store, "SELECT state FROM eval_cases WHERE case_id = ?", [case]) == [("rejected",)]
    assert select(work.store, "SELECT count(*) FROM case_decisions WHERE case_id = ?", [case]) == [(2,)]


def test_a_day_that_cannot_be_parsed_costs_no_other(full: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """One bad day would leave all that follow without rows, and orders and the published copy as they were."""
    real = rebuild_stage.parse_day

    def parse(work: Work, day: dt.date, *, pays: bool) -> StageReport:
        if day == DAYS[0]:
            raise MemoryError("too big")
        return real(work, day, pays=pays)

    monkeypatch.setattr(rebuild_stage, "parse_day", parse)
    assert rebuild_store(full.work()) == (3, (DAYS[0],))
    assert full.why_not_done(DAYS[0]) == "not parsed"
    assert full.why_not_done(DAYS[1]) is None
