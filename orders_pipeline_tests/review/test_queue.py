"""The queue: what shows only across days, and what a person sees first."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

import pytest

from orders_pipeline.config import ReviewSettings
from orders_pipeline.models import EvalCase, OrderStatus, Outcome
from orders_pipeline.review.outcome_row import OrderFacts, OutcomeRow
from orders_pipeline.review.queue import QueueRow, build_queue
from orders_pipeline.review.reasons import reason
from orders_pipeline_tests.review.builders import DAY, sha

SETTINGS = ReviewSettings()


def case(name: str, *, code: str = "missing_key", day: int = 0, template: str | None = None) -> EvalCase:
    return EvalCase(
        day=DAY + dt.timedelta(days=day),
        case_id=sha(name)[:16],
        message_id=sha(f"{name}/{day}"),
        canonical_digest=sha(name),
        template_digest=sha(template or name),
        sender_domain="lantern-loom.example",
        outcome=Outcome.PARSED,
        reasons=(reason(code, "said"),),
        produced="{}",
        judge="rules",
    )


def row(name: str, day: int = 0, *facts: OrderFacts, **changes: Any) -> OutcomeRow:
    values: dict[str, Any] = {
        "day": DAY + dt.timedelta(days=day),
        "received_at": dt.datetime(2026, 5, 11, 9, tzinfo=dt.UTC) + dt.timedelta(days=day),
        "message_id": sha(name),
        "canonical_digest": sha(name),
        "template_digest": sha("t"),
        "sender_domain": "lantern-loom.example",
        "outcome": Outcome.PARSED,
        "order_like": True,
        "orders": facts,
    }
    return OutcomeRow(**{**values, **changes})


def total(amount: str | None, currency: str | None = "EUR", **changes: Any) -> OrderFacts:
    value = None if amount is None else Decimal(amount)
    values: dict[str, Any] = {"order_key": "lantern/LL1", "order_number": "LL-1", "total": value, "currency": currency}
    return OrderFacts(**{**values, **changes})


def ids(queue: tuple[QueueRow, ...]) -> list[str]:
    return [one.case_id for one in queue]


def case_ids(*names: str) -> list[str]:
    return [sha(name)[:16] for name in names]


def test_the_strongest_reason_comes_first_then_the_most_recent() -> None:
    """A person who looks at ten cases must look at the ten that matter."""
    cases = [case("old", day=0), case("new", day=5), case("sum", code="total_does_not_add_up", day=0)]
    queue = build_queue(cases, [], (), SETTINGS)
    assert ids(queue) == case_ids("sum", "new", "old")
    assert [one.position for one in queue] == [1, 2, 3]
    assert queue[0].score == 0.95


def test_one_input_on_several_days_is_one_row_of_its_first_day() -> None:
    """The same reminder every Monday would otherwise fill the queue."""
    cases = [case("same", day=7), case("same", day=0), case("same", code="missing_total", day=3)]
    (only,) = build_queue(cases, [], (), SETTINGS)
    assert (only.day, only.message_id) == (DAY, sha("same/0"))
    assert [r.code for r in only.reasons] == ["missing_key", "missing_total"]
    assert only.group_size == 1


def test_decided_cases_do_not_come_back() -> None:
    """A person's decision that has to be repeated is no decision."""
    cases = [case("done"), case("open"), case("done", day=4)]
    assert ids(build_queue(cases, [], set(case_ids("done")), SETTINGS)) == case_ids("open")


def test_near_duplicates_are_capped_and_their_number_is_kept() -> None:
    """One broken template gives hundreds of cases, which teach no more than three."""
    cases = [case(str(n), template="same", day=n) for n in range(9)] + [case("other")]
    queue = build_queue(cases, [], set(case_ids("0")), SETTINGS)
    assert ids(queue) == case_ids("8", "7", "6", "other")
    assert [one.group_size for one in queue] == [8, 8, 8, 1]


def test_the_queue_is_cut_at_its_limit_from_below() -> None:
    """Cutting before ordering would drop the best."""
    cases = [case(str(n), day=n) for n in range(30)]
    queue = build_queue(cases, [], (), ReviewSettings(queue_limit=2))
    assert ids(queue) == case_ids("29", "28")


def test_a_mail_that_states_another_total_of_the_same_order_is_queued() -> None:
    """Each day alone looks right; only together do they show that one was misread."""
    rows = [row("first", 0, total("27.40")), row("second", 3, total("27.4000")), row("wrong", 5, total("2740"))]
    (only,) = build_queue([], rows, (), SETTINGS)
    assert only.case_id == sha("wrong")[:16]
    assert only.reasons[0].code == "total_differs_across_mails"
    assert "27.40 EUR" in only.reasons[0].detail


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(total("9.00", status=OrderStatus.REFUNDED), id="a refund"),
        pytest.param(total(None), id="no total"),
        pytest.param(total("27.40", None), id="no currency"),
        pytest.param(total("9.00", order_key="other/LL1"), id="another shop"),
        pytest.param(total("9.00", order_key=None), id="no number"),
    ],
)
def test_statements_that_do_not_contradict_are_left_alone(other: OrderFacts) -> None:
    """A refund of a part states the part; two shops may both count from one."""
    assert build_queue([], [row("first", 0, total("27.40")), row("second", 3, other)], (), SETTINGS) == ()


def test_two_currencies_of_one_order_are_queued_also_when_a_mail_has_none() -> None:
    """ "$" read as USD on one day and as CAD on another is a wrong sum in every report."""
    rows = [row("none", 0, total("5", None)), row("usd", 1, total("5", "USD")), row("cad", 2, total("5", "CAD"))]
    assert ids(build_queue([], rows, (), SETTINGS)) == case_ids("cad")


def history(parsed: int, lost: int, *, template: str = "t", **changes: Any) -> list[OutcomeRow]:
    good = [row(f"good{n}", n) for n in range(parsed)]
    changes = {"outcome": Outcome.NOT_ORDER, "template_digest": sha(template), **changes}
    return good + [row(f"lost{n}", parsed + n, **changes) for n in range(lost)]


@pytest.mark.parametrize(
    ("rows", "queued"),
    [
        pytest.param(history(20, 3), 3, id="20 of 20, then 0 of 3"),
        pytest.param(history(20, 2, template="new"), 0, id="two may be chance"),
        pytest.param(history(4, 3), 0, id="four prove no habit"),
        pytest.param(history(20, 3, order_like=False), 0, id="newsletters"),
        pytest.param(history(20, 3, outcome=Outcome.FAILED), 3, id="the parser raises"),
        pytest.param(history(20, 3, sender_domain="other.example"), 0, id="another sender"),
        pytest.param([*history(20, 3), row("again", 40)], 0, id="healed"),
        pytest.param([*history(20, 3), row("again", 40, template_digest=sha("old"))], 3, id="another template goes on"),
        pytest.param([*history(20, 3, template="new"), row("again", 40)], 3, id="a new template beside the old"),
    ],
)
def test_a_sender_whose_yield_fell_is_queued(rows: list[OutcomeRow], queued: int) -> None:
    """When a shop changes its mail, every day reads zero orders, and zero looks like a quiet day."""
    queue = build_queue([], rows, (), ReviewSettings(max_per_template=50, max_new=0))
    assert len(queue) == queued
    assert all(one.reasons[0].code in {"sender_yield_fell", "template_stopped_parsing"} for one in queue)
    assert set(ids(queue)) <= set(case_ids("lost0", "lost1", "lost2"))


def test_a_case_and_a_comparison_of_one_mail_are_one_row() -> None:
    """Two rows for one mail would be decided twice."""
    rows = [row("first", 0, total("27.40")), row("wrong", 5, total("2740"))]
    (only,) = build_queue([case("wrong", day=5)], rows, (), SETTINGS)
    assert [r.code for r in only.reasons] == ["total_differs_across_mails", "missing_key"]


def test_the_order_of_the_inputs_changes_nothing() -> None:
    """A queue that reorders itself on every refresh cannot be worked through."""
    cases = [case(str(n % 15), day=n % 4, template=str(n % 3)) for n in range(40)]
    rows = [*history(20, 4), *(row(f"x{n}", n, total(str(n % 2))) for n in range(6))]
    expected = build_queue(cases, rows, (), SETTINGS)
    assert len(expected) > 8
    for seed in range(5):
        random.Random(seed).shuffle(cases)
        random.Random(seed).shuffle(rows)
        assert build_queue(cases, rows, (), SETTINGS) == expected
