"""What only the comparison of days shows: habits that break, dates that cannot be, what nobody has looked at."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

import pytest

from orders_pipeline.config import ReviewSettings
from orders_pipeline.models import EvalCase, OrderStatus, Outcome
from orders_pipeline.review.date_conflicts import date_conflicts
from orders_pipeline.review.drift import ENOUGH, LOOK_BACK, NEW_HABIT, field_drifts
from orders_pipeline.review.fine_sample import in_sample, sampled_fine
from orders_pipeline.review.forms import forms_of
from orders_pipeline.review.novelty import NEW_DAYS, first_of_kind
from orders_pipeline.review.outcome_row import OrderFacts, OutcomeRow
from orders_pipeline.review.queue import QueueRow, build_queue
from orders_pipeline.review.reasons import STRENGTHS, WEAK, reason
from orders_pipeline_tests.review.builders import DAY, sha

S = OrderStatus


def fields(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "merchant": "Lantern & Loom",
        "order_number": "LL-20417",
        "tracking_numbers": ["TRK778812"],
        "carrier": "Heron Post",
        "status": "shipped",
        "total": Decimal("27.40"),
        "currency": "EUR",
        "expected_delivery": dt.date(2026, 5, 20),
        "items": True,
    }
    return {**values, **changes}


def row(n: int, *orders: OrderFacts, **changes: Any) -> OutcomeRow:
    values: dict[str, Any] = {
        "day": DAY + dt.timedelta(days=n),
        "received_at": dt.datetime(2026, 5, 11, 9, tzinfo=dt.UTC) + dt.timedelta(days=n),
        "message_id": sha(f"{n}/{changes}"),
        "canonical_digest": sha(f"{n}/{changes}"),
        "template_digest": sha("t"),
        "sender_domain": "lantern-loom.example",
        "outcome": Outcome.PARSED,
        "order_like": True,
        "orders": orders,
    }
    return OutcomeRow(**{**values, **changes})


def said(n: int, **changes: Any) -> OutcomeRow:
    """A mail of the template with these fields changed."""
    return row(n, OrderFacts(order_key=None, forms=forms_of(fields(**changes))))


def drifts(rows: list[OutcomeRow]) -> list[tuple[int, str]]:
    return [((found.day - DAY).days, why.detail.partition(":")[0]) for found, why in field_drifts(rows)]


def test_a_field_that_a_template_always_gave_and_that_is_missing_is_found() -> None:
    """The order still parses, so every day looks fine, and the delivery date is gone from the history for good."""
    assert drifts([*map(said, range(10)), said(10, expected_delivery=None)]) == [(10, "expected delivery")]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        pytest.param({"order_number": "20417"}, "order number", id="another shape of number"),
        pytest.param({"merchant": "Your order"}, "merchant", id="another name"),
        pytest.param({"currency": "USD"}, "currency", id="another currency"),
        pytest.param({"total": Decimal(0)}, "total", id="a total of nothing"),
        pytest.param({"total": Decimal("-3")}, "total", id="a negative total"),
        pytest.param({"items": False}, "items", id="no items"),
        pytest.param({"tracking_numbers": []}, "tracking numbers", id="no parcel"),
    ],
)
def test_a_value_of_another_form_is_found(change: dict[str, Any], field: str) -> None:
    """A phone number read as an order number is a value like any other to whoever looks at one mail alone."""
    assert drifts([*map(said, range(10)), said(10, **change), said(11)]) == [(10, field)]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({}, id="nothing new"),
        pytest.param({"order_number": "LL-7"}, id="a shorter number of the same shape"),
        pytest.param({"carrier": "Otter Parcels"}, id="another carrier"),
        pytest.param({"tracking_numbers": ["99", "X1"]}, id="other parcels"),
        pytest.param({"status": "delivered"}, id="another status"),
        pytest.param({"total": Decimal("9999.99")}, id="a large order"),
    ],
)
def test_what_a_template_may_vary_is_no_drift(change: dict[str, Any]) -> None:
    """A case for every parcel that another carrier brings is noise, and noise hides the drift."""
    assert drifts([*map(said, range(10)), said(10, **change)]) == []


def test_too_few_mails_prove_no_habit() -> None:
    """After three mails any fourth differs."""
    history = [said(n) for n in range(ENOUGH - 1)]
    assert drifts([*history, said(90, total=None)]) == []
    assert drifts([*history, said(50), said(90, total=None)]) == [(90, "total")]


def test_a_field_that_comes_and_goes_is_no_habit() -> None:
    """Some shops promise a date only for what they have in store."""
    assert drifts([said(n, **({} if n % 3 else {"expected_delivery": None})) for n in range(40)]) == []


def test_a_drift_that_stays_is_reported_mail_after_mail_and_in_the_end_taken_for_the_new_habit() -> None:
    """A drift that heals by being frequent would hide exactly the lasting ones; one that never ends is no news."""
    rows = [said(n, **({} if n < 30 else {"total": None})) for n in range(90)]
    assert drifts(rows) == [(30 + n, "total") for n in range(NEW_HABIT)]
    back = said(95)
    assert drifts([*rows, back]) == drifts(rows), "a field that is there again is no loss"


def test_two_senders_with_one_template_have_habits_of_their_own() -> None:
    """One shop system writes the letters of thousands of shops."""
    other: dict[str, Any] = {"sender_domain": "otter-mill.example"}
    rows = [*map(said, range(12)), row(13, OrderFacts(order_key=None, forms=forms_of(fields(total=None))), **other)]
    assert drifts(rows) == []


def test_several_orders_of_one_mail_count_by_what_they_share() -> None:
    """A mail of two orders in which one has no date has a date."""
    one, two = (OrderFacts(order_key=None, forms=forms_of(fields(**c))) for c in ({}, {"expected_delivery": None}))
    rows = [*map(said, range(12)), row(12, one, two), row(13, two, two)]
    assert drifts(rows) == [(13, "expected delivery")]


def test_the_order_of_the_rows_changes_no_drift() -> None:
    """Days are done in any order; what the queue says must not depend on it."""
    rows = [said(n, **({"total": None} if n in (15, 33) else {})) for n in range(LOOK_BACK * 2)]
    expected = drifts(rows)
    assert [day for day, _ in expected] == [15, 33]
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        assert drifts(rows) == expected


# ------------------------------------------------------------------------------------------------ dates


def stated(
    n: int, status: S | None, *, promised: int | None = None, key: str | None = "ll/LL1", **changes: Any
) -> OutcomeRow:
    delivery = None if promised is None else DAY + dt.timedelta(days=promised)
    return row(n, OrderFacts(order_key=key, order_number="LL-1", status=status, expected_delivery=delivery), **changes)


@pytest.mark.parametrize(
    ("rows", "doubted"),
    [
        pytest.param([stated(0, S.CONFIRMED), stated(3, S.DELIVERED)], [], id="in order"),
        pytest.param([stated(0, S.DELIVERED), stated(3, S.CONFIRMED)], [0], id="delivered before it was placed"),
        pytest.param([stated(0, S.READY_FOR_PICKUP), stated(3, S.CONFIRMED)], [0], id="ready before it was placed"),
        pytest.param([stated(0, S.DELIVERED), stated(1, S.CONFIRMED)], [], id="letters that overtake each other"),
        pytest.param([stated(0, S.CONFIRMED), stated(1, S.DELIVERED), stated(9, S.CONFIRMED)], [], id="said again"),
        pytest.param([stated(5, S.CONFIRMED), stated(9, S.DELIVERED, promised=2)], [9], id="promised before placed"),
        pytest.param([stated(5, S.CONFIRMED), stated(9, None, promised=4)], [], id="promised the day before"),
        pytest.param([stated(0, S.DELIVERED), stated(3, S.CONFIRMED, key="ll/LL2")], [], id="two orders"),
        pytest.param([stated(0, S.DELIVERED, key=None), stated(3, S.CONFIRMED, key=None)], [], id="no numbers"),
        pytest.param([stated(0, S.DELIVERED), stated(3, S.SHIPPED)], [], id="a second parcel"),
    ],
)
def test_dates_that_cannot_be_together_are_found(rows: list[OutcomeRow], doubted: list[int]) -> None:
    """Each mail alone is possible; that the parcel arrived before the order was placed shows only in both."""
    for order in (rows, rows[::-1]):
        assert [(found.day - DAY).days for found, _ in date_conflicts(order)] == doubted


def test_a_date_header_of_the_year_one_is_no_crash() -> None:
    """A forged Date header must not stop the queue of everybody else's mail."""
    odd: dict[str, Any] = {"sent_at": dt.datetime.min.replace(tzinfo=dt.UTC)}
    odder: dict[str, Any] = {"sent_at": dt.datetime.max.replace(tzinfo=dt.UTC)}
    rows = [stated(0, S.DELIVERED, **odder), stated(3, S.CONFIRMED, promised=-300, **odd), stated(5, S.CONFIRMED)]
    assert list(date_conflicts(rows)) == []


def test_mail_that_was_copied_to_a_new_mailbox_contradicts_nothing() -> None:
    """Copied mail arrives in any order, years after it was sent."""
    sent: dict[str, Any] = {"sent_at": dt.datetime(2026, 5, 9, tzinfo=dt.UTC)}
    assert list(date_conflicts([stated(0, S.DELIVERED), stated(3, S.CONFIRMED, **sent)])) == []


# ------------------------------------------------------------------------------------- the new, the fine


def codes_of(rows: list[OutcomeRow]) -> list[tuple[int, str]]:
    return [((found.day - DAY).days, why.code) for found, why in first_of_kind(rows)]


def test_the_first_mail_of_a_sender_and_of_a_form_is_new() -> None:
    """The first order from a shop is the one that no rule was ever tried on."""
    old = [row(n) for n in range(NEW_DAYS + 5)]
    fresh = [
        row(40, sender_domain="otter-mill.example"),
        row(41, sender_domain="otter-mill.example"),
        row(42, sender_domain="otter-mill.example", template_digest=sha("u")),
        row(43, template_digest=sha("u")),
        row(44, sender_domain="heron.example", outcome=Outcome.NOT_ORDER),
    ]
    assert codes_of(old + fresh) == [(40, "new_sender"), (42, "new_template"), (43, "new_template")]
    assert codes_of([*old, *fresh, row(200)]) == [], "seen for long"


def test_in_a_store_that_begins_nothing_is_new() -> None:
    """A first run over a month would queue every sender there is."""
    assert codes_of([row(n, sender_domain=f"shop{n}.example") for n in range(NEW_DAYS + 1)]) == []


def fine(count: int) -> list[OutcomeRow]:
    return [
        row(
            0,
            message_id=sha(f"m{n}"),
            canonical_digest=sha(f"c{n}"),
            template_digest=sha(f"t{n}"),
            fine=True,
        )
        for n in range(count)
    ]


def test_the_sample_is_about_its_share_and_the_same_for_ever() -> None:
    """A sample that changes from run to run shows a person other mail each time, and measures nothing."""
    rows = fine(20_000)
    first = {found.message_id for found, _ in sampled_fine(rows, 0.01, 0)}
    assert 150 <= len(first) <= 250
    assert {found.message_id for found, _ in sampled_fine(rows[::-1], 0.01, 0)} == first
    assert first < {found.message_id for found, _ in sampled_fine(rows, 0.02, 0)}
    assert {found.message_id for found, _ in sampled_fine(rows, 0.01, 1)} != first
    assert list(sampled_fine(rows, 0.0, 0)) == []
    assert all(in_sample(found.canonical_digest, 1.0, 5) for found in rows)


def test_only_what_was_judged_and_found_fine_is_sampled() -> None:
    """What no judge has seen says nothing of the judge."""
    rows = [row(1, fine=False), row(2, fine=True), row(3, outcome=Outcome.EXCLUDED)]
    assert [(found.day - DAY).days for found, _ in sampled_fine(rows, 1.0, 0)] == [2]


def case(n: int, *, template: str | None = None, code: str = "missing_key") -> EvalCase:
    return EvalCase(
        day=DAY,
        case_id=sha(f"case{n}")[:16],
        message_id=sha(f"case{n}"),
        canonical_digest=sha(f"case{n}"),
        template_digest=sha(template or f"case template {n}"),
        sender_domain="lantern-loom.example",
        outcome=Outcome.PARSED,
        reasons=(reason(code, "said"),),
        produced="{}",
        judge="rules",
    )


def queued(
    settings: ReviewSettings, cases: list[EvalCase], rows: list[OutcomeRow], decided: set[str] | None = None
) -> tuple[QueueRow, ...]:
    return build_queue(cases, rows, decided or set(), settings)


def test_the_sample_cannot_flood_the_queue_and_is_never_crowded_out_of_it() -> None:
    """A queue full of fine mail is not worked through; one without any hides what the judge misses."""
    settings = ReviewSettings(sample_of_fine=1.0, max_sample=7, queue_limit=50)
    few = queued(settings, [case(n) for n in range(10)], fine(100))
    assert [one.reasons[0].code for one in few] == ["missing_key"] * 10 + ["sample_of_fine"] * 7
    many = queued(settings, [case(n) for n in range(100)], fine(100))
    assert [one.reasons[0].code for one in many] == ["missing_key"] * 45 + ["sample_of_fine"] * 5


def test_decided_mail_of_the_sample_makes_room_for_the_next() -> None:
    """The cap is on what waits, not on what was ever shown."""
    settings = ReviewSettings(sample_of_fine=1.0, max_sample=3)
    first = queued(settings, [], fine(10))
    then = queued(settings, [], fine(10), {one.case_id for one in first})
    assert len(first) == len(then) == 3
    assert not {one.case_id for one in first} & {one.case_id for one in then}


def test_a_sampled_mail_is_shown_although_its_template_has_cases_enough() -> None:
    """A sample without the forms that go wrong most would find the judge better than it is."""
    settings = ReviewSettings(sample_of_fine=1.0, max_per_template=2)
    rows = [row(n, canonical_digest=sha(f"c{n}"), fine=True) for n in range(9)]
    found = queued(settings, [case(n, template="t") for n in range(9)], rows)
    assert [one.reasons[0].code for one in found] == ["missing_key"] * 2 + ["sample_of_fine"] * 2
    assert {one.group_size for one in found} == {18}


def test_new_senders_cannot_flood_the_queue() -> None:
    """A holiday brings fifty shops at once."""
    old = [row(n) for n in range(NEW_DAYS + 5)]
    rows = old + [row(40, sender_domain=f"shop{n}.example", template_digest=sha(f"{n}")) for n in range(30)]
    rows += [row(41, template_digest=sha(f"u{n}")) for n in range(30)]
    found = [one.reasons[0].code for one in queued(ReviewSettings(max_new=4), [case(1)], rows)]
    assert found == ["missing_key"] + ["new_sender"] * 4 + ["new_template"] * 4


def test_a_doubt_counts_for_more_than_what_is_merely_new() -> None:
    """A new sender's wrong sum is a wrong sum: it must not be capped away with the new senders."""
    old = [row(n) for n in range(NEW_DAYS + 5)]
    rows = [*old, row(40, sender_domain="otter-mill.example", canonical_digest=sha("case1"))]
    (only,) = queued(ReviewSettings(max_new=0), [case(1)], rows)
    assert [why.code for why in only.reasons] == ["missing_key", "new_sender"]


def test_reasons_are_ranked_as_the_queue_is_read() -> None:
    """What proves a fault comes before what hints at one, and what nobody has looked at comes last."""
    ranked = [
        "total_does_not_add_up", "readings_disagree", "field_drifted", "template_stopped_parsing",
        "order_words_without_parse", "total_differs_across_mails", "dates_contradict_across_mails", "missing_key",
        "new_sender", "new_template", "sample_of_fine",
    ]  # fmt: skip
    assert sorted(ranked, key=lambda code: -STRENGTHS[code]) == ranked
    assert [code for code in STRENGTHS if STRENGTHS[code] < WEAK] == ["new_sender", "new_template", "sample_of_fine"]
