"""A judge that errors leaves its rows pending and keeps everybody else's verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from orders_pipeline.models import Outcome, ParseResult, Reason, Reviewable, Verdict
from orders_pipeline.review.judge import JudgeFault
from orders_pipeline.stages import parse_message as parse_message_stage
from orders_pipeline.stages import review as review_stage
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.fetch import fetch_day
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.review import review_day
from orders_pipeline_tests.harness import DAY, Scene, different_tables, select


@dataclass
class PaidJudge:
    """Judges one item a call and counts the calls; ``ill`` subjects are faults, ``breaks_after`` calls it raises."""

    ill: frozenset[str] = frozenset()
    uses_try: bool = True
    breaks_after: int | None = None
    silent: bool = False
    batch_size: int = 1
    asks_model: bool = False
    calls: list[str] = field(default_factory=list)
    name: str = "paid"
    version: str = "7"

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        for item in items:
            if self.breaks_after is not None and len(self.calls) >= self.breaks_after:
                raise ConnectionError("line\x1b[2J is\ndown")
            self.calls.append(item.message_id)
            number = item.result.orders[0].order_number if item.result.orders else ""
            if self.silent:
                continue
            if number in self.ill:
                yield JudgeFault(
                    message_id=item.message_id, parse_digest=item.parse_digest, error="529", uses_try=self.uses_try
                )
                continue
            yield Verdict(
                message_id=item.message_id,
                parse_digest=item.parse_digest,
                judge=self.name,
                judge_version=self.version,
                reasons=(Reason(code="odd", detail="looks odd"),),
            )


@pytest.fixture
def parsed(scene: Scene) -> Scene:
    """Three orders, FM-70001 to FM-70003, fetched and parsed."""
    for _ in range(3):
        scene.add_order()
    fetch_day(scene.work(), DAY)
    parse_day(scene.work(), DAY)
    return scene


def test_a_judge_that_errors_leaves_its_row_pending_and_saves_the_others(parsed: Scene) -> None:
    """One bad call among paid ones: their verdicts are saved, the day is not done, and only that row is paid again."""
    judge = PaidJudge(ill=frozenset({"FM-70002"}))
    report = review_day(parsed.work(), DAY, judge=judge)
    assert report.problems == ("1 outcomes have no verdict yet (529)",)
    assert (report.counts["newly_judged"], report.counts["unjudged"]) == (2, 1)
    assert len(parsed.verdict_files()) == 2
    assert parsed.why_not_done() == "1 units are pending"
    assert select(parsed.work().store, "SELECT state, tries, error FROM units") == [("pending", 1, "529")]
    healed = PaidJudge()
    report = review_day(parsed.work(), DAY, judge=healed)
    assert report.problems == ()
    assert len(healed.calls) == 1
    assert parsed.why_not_done() is None
    assert select(parsed.work().store, "SELECT count(*) FROM proposed_eval_cases") == [(3,)]


def test_a_row_that_errors_for_good_runs_out_of_tries_and_stays_visible(parsed: Scene) -> None:
    """Tries are bounded: the row is not paid for again, and the day waits for a person."""
    for _ in range(parsed.config().review.max_tries):
        review_day(parsed.work(), DAY, judge=PaidJudge(ill=frozenset({"FM-70002"})))
    judge = PaidJudge()
    report = review_day(parsed.work(), DAY, judge=judge)
    assert judge.calls == []
    assert report.problems
    assert parsed.why_not_done() == "1 units ran out of tries and wait for a person"


def test_a_fault_of_the_line_uses_no_try_up(parsed: Scene) -> None:
    """A night without network does not exhaust the mail of the day."""
    for _ in range(parsed.config().review.max_tries + 2):
        review_day(parsed.work(), DAY, judge=PaidJudge(ill=frozenset({"FM-70002"}), uses_try=False))
    assert select(parsed.work().store, "SELECT state, tries FROM units") == [("pending", 0)]


def test_a_judge_that_raises_keeps_what_it_said_and_leaves_the_rest_pending(parsed: Scene) -> None:
    """An exception in the middle costs no paid verdict, whatever the batch size, and exhausts no innocent row."""
    for _ in range(parsed.config().review.max_tries + 1):
        report = review_day(parsed.work(), DAY, judge=PaidJudge(breaks_after=0))
    report = review_day(parsed.work(), DAY, judge=PaidJudge(breaks_after=2, batch_size=100))
    assert report.counts["newly_judged"] == 2
    assert report.problems == (
        "1 outcomes have no verdict yet (the judge broke off: ConnectionError: line [2J is down)",
    )
    assert len(parsed.verdict_files()) == 1
    judge = PaidJudge()
    assert review_day(parsed.work(), DAY, judge=judge).problems == ()
    assert len(judge.calls) == 1


def test_a_judge_that_says_nothing_of_a_row_has_not_judged_it(parsed: Scene) -> None:
    """Absence is never success: a row that was skipped in silence is pending."""
    report = review_day(parsed.work(), DAY, judge=PaidJudge(silent=True))
    assert report.counts["unjudged"] == 3
    assert parsed.why_not_done() == "3 units are pending"


def test_a_pending_row_that_is_no_order_after_all_holds_nothing_up(
    parsed: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a new parse says that there is nothing to judge, the old row must not wait for a verdict for ever."""
    review_day(parsed.work(), DAY, judge=PaidJudge(ill=frozenset({"FM-70002"})))
    real = parse_message_stage.parse_message

    def wiser(email: object, *args: object, **kwargs: object) -> ParseResult:
        result = real(email, *args, **kwargs)  # type: ignore[arg-type]
        if result.orders and result.orders[0].order_number == "FM-70002":
            return ParseResult(message_id=result.message_id, outcome=Outcome.NOT_ORDER, reason="no_order_words")
        return result

    monkeypatch.setattr(parse_message_stage, "parse_message", wiser)
    parse_day(parsed.work(), DAY, again=True)
    assert review_day(parsed.work(), DAY, judge=PaidJudge()).problems == ()
    assert select(parsed.work().store, "SELECT * FROM units") == []
    assert parsed.why_not_done() is None


def test_verdict_files_of_a_killed_run_are_adopted_and_not_paid_for_twice(parsed: Scene) -> None:
    """38 verdicts were paid for and lost when a run died before its commit: the files are the save."""
    work = parsed.work()
    review_day(work, DAY, judge=PaidJudge())
    with work.store.state.transaction() as con:  # as after a kill between the files and the commit
        con.execute("DELETE FROM verdicts")
        con.execute("DELETE FROM proposed_eval_cases")
        con.execute("DELETE FROM archive_files WHERE kind = 'verdicts'")
        con.execute("DELETE FROM stage_days WHERE stage = 'review'")
    judge = PaidJudge()
    assert review_day(parsed.work(), DAY, judge=judge).problems == ()
    assert judge.calls == []
    assert select(parsed.work().store, "SELECT count(*) FROM proposed_eval_cases") == [(3,)]
    assert select(parsed.work().store, "SELECT count(*) FROM verdicts") == [(3,)]


def test_a_verdict_of_another_judge_stands(parsed: Scene) -> None:
    """Switching the judge pays for new mail only, until a person asks for more."""
    review_day(parsed.work(), DAY, judge=PaidJudge())
    before = parsed.dump(ignore=["version"])
    assert run_day(parsed.work(), DAY).problem is None
    assert different_tables(before, parsed.dump(ignore=["version"])) == {}


def test_parses_that_change_while_they_are_judged_are_read_again(
    parsed: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail that comes in the middle of the review is judged too, and no verdict is paid for twice."""
    judge = PaidJudge()
    real = review_stage._judge
    rounds: list[int] = []

    def slow(*args: object) -> object:
        out = real(*args)  # type: ignore[arg-type]
        if not rounds:
            parsed.add_order()
            fetch_day(parsed.work(), DAY)
            parse_day(parsed.work(), DAY)
        rounds.append(len(out[0]))
        return out

    monkeypatch.setattr(review_stage, "_judge", slow)
    assert review_day(parsed.work(), DAY, judge=judge).problems == ()
    assert rounds == [3, 1]
    assert len(judge.calls) == 4
    assert parsed.why_not_done() is None
