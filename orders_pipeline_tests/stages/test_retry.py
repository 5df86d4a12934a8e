"""What is stuck, on a person's word: retried, waived, and never the other way round by itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from orders_pipeline.extract import parser
from orders_pipeline.models import Reviewable, Verdict
from orders_pipeline.review.judge import JudgeFault
from orders_pipeline.stages import review as review_stage
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.named_units import UnknownUnit
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.retry import retry, waive
from orders_pipeline.stages.status import read_status
from orders_pipeline_tests.harness import DAY, Interrupted, Scene, different_tables, select
from orders_pipeline_tests.stages.test_parse import Raising, outcomes

ONE_TRY = "[fetch]\nmax_tries = 1\n\n[review]\nmax_tries = 1\n"


class SickJudge:
    """Refuses everything until it is well; counts its calls."""

    name, version, batch_size, asks_model = "sick", "1", 1, False

    def __init__(self) -> None:
        self.well, self.calls = False, 0

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        for item in items:
            self.calls += 1
            if self.well:
                yield Verdict(
                    message_id=item.message_id, parse_digest=item.parse_digest, judge=self.name, judge_version="1"
                )
            else:
                yield JudgeFault(message_id=item.message_id, parse_digest=item.parse_digest, error="no answer")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path, settings=ONE_TRY)


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> SickJudge:
    sick = SickJudge()
    monkeypatch.setattr(review_stage, "make_judge", lambda work: sick)
    return sick


def unreadable(scene: Scene) -> Path:
    """A mail that is listed and cannot be read: its unit is out of tries. Returns where its bytes belong."""
    path = scene.add_order()
    kept = path.read_bytes()

    def spoil() -> None:
        path.unlink()
        path.mkdir()

    run_day(scene.work_with(Interrupted(scene, spoil)), DAY)
    path.rmdir()
    path.write_bytes(kept)
    return path


def units(scene: Scene) -> list[tuple[object, ...]]:
    return select(scene.work().store, "SELECT stage, state, tries FROM units ORDER BY ALL")


def test_units_out_of_tries_are_left_alone_until_they_are_released(scene: Scene, judge: SickJudge) -> None:
    """A refused mail is not paid for in every run; after `retry` it is, and the day is done."""
    scene.add_order()
    run_day(scene.work(), DAY)
    run_day(scene.work(), DAY)
    assert judge.calls == 1
    assert units(scene) == [("review", "exhausted", 1)]
    judge.well = True
    released = retry(scene.work())
    assert [u.state for u in released.units] == ["exhausted"]
    assert released.days == (DAY,)
    assert units(scene) == [("review", "pending", 0)]
    assert select(scene.work().store, "SELECT * FROM day_tries") == []
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None


def test_an_unreadable_mail_is_fetched_after_a_retry_by_its_location(scene: Scene) -> None:
    """The name that `status` shows is the name that `retry` takes."""
    unreadable(scene)
    assert run_day(scene.work(), DAY).problem is not None
    status = read_status(scene.work(), sensor_cursor=None)
    assert [(u.stage, u.name) for u in status.stuck] == [("fetch", "inbox: 0001.order")]
    assert status.stuck[0].retry == "orders-pipeline retry 'inbox: 0001.order'"
    assert status.needs_you
    retry(scene.work(), names=["inbox: 0001.order"])
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None


def test_a_failed_parse_is_parsed_again_when_it_is_named(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a parser was mended its failures can be made good, without parsing the whole day again."""
    scene.add_order(subject="odd order")
    scene.add_order(subject="fine order")
    with monkeypatch.context() as patch:
        patch.setattr(parser, "EXTRACTORS", (Raising("odd", ValueError("x")), *parser.EXTRACTORS))
        run_day(scene.work(), DAY)
        assert retry(scene.work()).units == ()
        assert [u.state for u in retry(scene.work(), days=[DAY]).units] == ["failed parse"]
        assert scene.why_not_done() == "1 units are pending"
        assert run_day(scene.work(), DAY).reports[1].counts["newly_parsed"] == 1
        assert outcomes(scene)["odd order"][0] == "failed"
        assert scene.why_not_done() is None
    failed = select(scene.work().store, "SELECT message_id FROM parse_outcomes WHERE outcome = 'failed'")[0][0]
    retry(scene.work(), names=[failed[:8]])
    run_day(scene.work(), DAY)
    assert outcomes(scene)["odd order"][0] == "parsed"
    assert scene.why_not_done() is None


def test_other_days_are_not_released_with_a_day(scene: Scene, judge: SickJudge) -> None:
    """`retry DAY` spends nothing on other days."""
    other = DAY + dt.timedelta(days=1)
    scene.add_order(DAY)
    scene.add_order(other)
    for day in (DAY, other):
        run_day(scene.work(), day)
    retry(scene.work(), days=[other])
    found = select(scene.work().store, "SELECT day, state FROM units ORDER BY day")
    assert found == [(DAY, "exhausted"), (other, "pending")]


def test_a_waived_unit_lets_its_day_be_done_and_the_reason_is_kept(scene: Scene, judge: SickJudge) -> None:
    """A mail that nobody can judge must not hold the cursor for ever; who said so, and why, stays."""
    scene.add_order()
    run_day(scene.work(), DAY)
    message = select(scene.work().store, "SELECT message_id FROM messages")[0][0]
    waive(scene.work(), message[:10], stage="review", reason="a picture of an invoice")
    assert scene.why_not_done() is None
    assert run_day(scene.work(), DAY).problem is None
    assert judge.calls == 1
    kept = select(scene.work().store, "SELECT kind, payload ->> '$.reason', who <> '' FROM acts")
    assert kept == [("waiver", "a picture of an invoice", True)]


def test_a_waiver_outlives_a_rebuild_and_is_void_after_a_success(scene: Scene, judge: SickJudge) -> None:
    """A rebuild neither asks for what was waived nor brings back a waiver that a later success made void."""
    scene.add_order()
    run_day(scene.work(), DAY)
    message = select(scene.work().store, "SELECT message_id FROM messages")[0][0]
    waive(scene.work(), message, stage="review", reason="x")
    rebuild_store(scene.work())
    assert judge.calls == 1
    assert [u[:2] for u in units(scene)] == [("review", "waived")]
    assert scene.why_not_done() is None
    judge.well = True
    assert [u.state for u in retry(scene.work(), names=[message]).units] == ["waived"]
    assert units(scene) == [("review", "pending", 0)]
    run_day(scene.work(), DAY)
    assert units(scene) == []
    before = scene.dump()
    rebuild_store(scene.work())
    assert units(scene) == []
    assert different_tables(before, scene.dump(ignore=["stage_days.version"])).keys() <= {"stage_days", "refreshes"}


def test_a_waived_location_is_not_fetched_and_not_counted_as_missing(scene: Scene) -> None:
    """A broken file in the mailbox is given up by name, also after a rebuild."""
    unreadable(scene)
    waive(scene.work(), "inbox: 0001.order", stage="fetch", reason="broken on the disk")
    run_day(scene.work(), DAY)
    assert scene.why_not_done() is None
    rebuild_store(scene.work())
    assert [u[:2] for u in units(scene)] == [("fetch", "waived")]
    assert scene.why_not_done() is None
    retry(scene.work(), names=["0001.order"])
    run_day(scene.work(), DAY)
    assert select(scene.work().store, "SELECT count(*) FROM messages") == [(1,)]
    rebuild_store(scene.work())
    assert units(scene) == []


def test_names_that_fit_nothing_or_too_much_are_refused(scene: Scene, judge: SickJudge) -> None:
    """A typing error must not waive another mail."""
    for _ in range(40):
        scene.add_order()
    run_day(scene.work(), DAY)
    for name in ("", "0001", "zz", "*", "inbox: 0001.order", "\x1b[2J"):
        with pytest.raises(UnknownUnit) as caught:
            waive(scene.work(), name, stage="review", reason="x")
        assert str(caught.value).isprintable()
    assert select(scene.work().store, "SELECT count(*) FROM acts") == [(0,)]
