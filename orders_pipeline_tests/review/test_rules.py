"""The rule judge: what it doubts, and what it lets pass."""

from __future__ import annotations

import dataclasses
import datetime as dt
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.models import Evidence, Item, OrderStatus, Outcome, ParsedOrder, Verdict
from orders_pipeline.review import rules
from orders_pipeline.review.judge import Judge, JudgeFault
from orders_pipeline.review.reasons import STRENGTHS
from orders_pipeline.review.rules import RuleJudge
from orders_pipeline_tests.review.builders import codes, order, outcome, said, verdict_on

D = Decimal


def test_a_right_order_gives_no_reason() -> None:
    """A judge that doubts what is right is soon no longer read."""
    assert codes(outcome(order())) == []


@pytest.mark.parametrize(
    "amounts",
    [
        pytest.param({"total": D("27.41")}, id="rounded by a cent"),
        pytest.param({"tax": D("4.37")}, id="tax included"),
        pytest.param({"tax": D("4.37"), "total": D("31.77")}, id="tax on top"),
        pytest.param({"discount": D("5.00"), "total": D("22.40")}, id="discount"),
        pytest.param({"discount": D("-5.00"), "total": D("22.40")}, id="discount written negative"),
        pytest.param(
            {"discount": D("5.00"), "subtotal": D("19.50"), "total": D("22.40")}, id="subtotal after discount"
        ),
        pytest.param({"subtotal": None}, id="no subtotal"),
        pytest.param({"subtotal": None, "items": ()}, id="nothing to add up"),
        pytest.param({"items": ()}, id="no items"),
        pytest.param({"subtotal": None, "items": (Item(name="Gift"),), "total": D("3")}, id="an item without price"),
        pytest.param({"total": None, "status": OrderStatus.SHIPPED}, id="no total"),
    ],
)
def test_sums_that_are_right_pass(amounts: dict[str, object]) -> None:
    """Shops state tax inside or on top, and discounts before or after the subtotal; all of them are right."""
    assert codes(outcome(order(**amounts))) == []


@pytest.mark.parametrize(
    ("amounts", "code"),
    [
        pytest.param({"total": D("27.42")}, "total_does_not_add_up", id="two cents"),
        pytest.param({"total": D("24.50")}, "total_does_not_add_up", id="the subtotal read as total"),
        pytest.param({"total": D("2740")}, "total_does_not_add_up", id="the comma lost"),
        pytest.param({"subtotal": None, "total": D("24.50")}, "total_does_not_add_up", id="from items alone"),
        pytest.param({"subtotal": D("20.00"), "total": D("22.90")}, "subtotal_does_not_add_up", id="an item lost"),
        pytest.param({"discount": D("5"), "total": D("27.40"), "items": (), "shipping": D(1)}, "total_does_not_add_up"),
    ],
)
def test_sums_that_fail_are_named(amounts: dict[str, object], code: str) -> None:
    """A label or a subtotal taken for the total is the commonest wrong reading, and arithmetic proves it."""
    assert codes(outcome(order(**amounts))) == [code]


@pytest.mark.parametrize("bad", ["NaN", "sNaN", "Infinity", "1E+400000", "-1E+999999"])
def test_unusable_amounts_are_a_reason_and_no_fault(bad: str) -> None:
    """A misread number must not raise in the arithmetic, nor blow up into a million digits."""
    assert "impossible_amount" in codes(outcome(order(shipping=D(bad))))


def test_readings_of_two_sources_that_differ_are_named() -> None:
    """Markup that says another total than the text is the best sign of a wrong reading without a sum to check."""
    evidence = (said("total", "27.40", "html", chosen=True), said("total", "24.50", "markup"))
    (reason,) = verdict_on(outcome(order(evidence=evidence))).reasons
    assert reason.code == "readings_disagree"
    assert '"27.40"' in reason.detail
    assert '"24.50"' in reason.detail


@pytest.mark.parametrize(
    ("chosen", "other", "doubted"),
    [
        (said("status", "out_for_delivery", "html", chosen=True), said("status", "confirmed", "subject"), True),
        (said("status", "shipped", "subject", chosen=True), said("status", "out_for_delivery", "html"), True),
        (said("status", "shipped", "subject", chosen=True), said("status", "confirmed", "html"), False),
    ],
)
def test_a_status_in_the_body_weighs_less_than_one_in_the_subject(
    chosen: Evidence, other: Evidence, doubted: bool
) -> None:
    """Every shipping mail thanks for the order somewhere: a case for each of them is noise."""
    item = outcome(order(evidence=(chosen, other, dataclasses.replace(other, source="text"))))
    assert codes(item) == (["readings_disagree"] if doubted else [])


@pytest.mark.parametrize(
    "evidence",
    [
        pytest.param((said("total", "27.4", "markup"),), id="another spelling of the amount"),
        pytest.param((said("total", "24.50", "html"),), id="the same source"),
        pytest.param((said("total", "24.50", "text"), said("total", "27.40", "text")), id="a source that has both"),
        pytest.param((said("merchant", "L & L Ltd", "header"),), id="names of one shop"),
        pytest.param((said("total", "", "text"),), id="a reading without value"),
    ],
)
def test_readings_that_agree_pass(evidence: tuple) -> None:
    """A mail says "total" of a line and of all, in text and in HTML: that is no contradiction."""
    chosen = (said("total", "27.40", "html", chosen=True), said("merchant", "Lantern & Loom", "text", chosen=True))
    assert codes(outcome(order(evidence=chosen + evidence))) == []


def test_an_amount_left_undecided_is_a_reason() -> None:
    """The parser does not guess "1,234"; without a reason nobody would ever see that it did not."""
    undecided = order(total=None, status=OrderStatus.SHIPPED, evidence=(said("total", "", "text", text="1,234"),))
    assert codes(outcome(undecided)) == ["ambiguous_money"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"order_number": None}, "missing_key"),
        ({"total": None}, "missing_total"),
        ({"currency": None}, "missing_currency"),
    ],
)
def test_missing_fields_are_named(changes: dict[str, object], code: str) -> None:
    """An order without its key can never be followed, one without total or currency never be added up."""
    assert codes(outcome(order(**changes))) == [code]


def test_a_tracking_number_is_key_enough() -> None:
    """A carrier does not know the shop's order number, nor what was paid."""
    parcel = ParsedOrder(tracking_numbers=("NW004417",), status=OrderStatus.SHIPPED)
    assert codes(outcome(parcel)) == []


@pytest.mark.parametrize(
    ("kind", "words", "expected"),
    [
        (Outcome.FAILED, (), ["parse_failed"]),
        (Outcome.NOT_ORDER, ("order number", "total", "parcel"), ["order_words_without_parse"]),
        (Outcome.NOT_ORDER, (), []),
        (Outcome.PARSED, (), ["no_order_found"]),
    ],
)
def test_mail_without_an_order_is_doubted_when_it_looks_like_one(
    kind: Outcome, words: tuple[str, ...], expected: list[str]
) -> None:
    """Silent misses are what a watch on parsed orders alone can never see."""
    assert codes(outcome(kind=kind, words=words)) == expected


@pytest.mark.parametrize(
    ("why", "words", "doubted"),
    [
        ("no_order_found", ("total",), False),
        ("no_order_found", ("total", "parcel"), True),
        ("bounce", ("delivery", "delivered"), False),
        ("bounce", ("delivery", "order number", "total"), True),
    ],
)
def test_order_words_weigh_less_where_the_parser_knows_the_kind_of_mail(
    why: str, words: tuple[str, ...], doubted: bool
) -> None:
    """Every bounce says "delivered": a case for each would hide the real misses."""
    item = outcome(kind=Outcome.NOT_ORDER, reason=why, words=words)
    assert codes(item) == (["order_words_without_parse"] if doubted else [])


@pytest.mark.parametrize(
    ("days", "status", "sent", "doubted"),
    [
        (-1, OrderStatus.SHIPPED, None, False),
        (-2, OrderStatus.SHIPPED, None, True),
        (400, OrderStatus.SHIPPED, None, False),
        (401, OrderStatus.SHIPPED, None, True),
        (-3, OrderStatus.DELAYED, None, False),
        (-300, OrderStatus.DELAYED, None, True),
        (-800, OrderStatus.SHIPPED, -802, False),
        (3, OrderStatus.SHIPPED, -700_000, False),
    ],
)
def test_only_impossible_delivery_days_are_doubted(
    days: int, status: OrderStatus, sent: int | None, doubted: bool
) -> None:
    """Mail copied from an old account arrives years after it was sent, and a Date header may say the year 100."""
    arrival = dt.datetime(2026, 5, 11, 9, 30, tzinfo=dt.UTC)
    item = outcome(
        order(status=status, expected_delivery=arrival.date() + dt.timedelta(days=days)),
        sent_at=None if sent is None else arrival + dt.timedelta(days=sent),
    )
    assert codes(item) == (["impossible_date"] if doubted else [])


@pytest.mark.parametrize(
    ("total", "currency", "doubted"),
    [
        pytest.param("27", "SEK", False, id="rounded to a krona"),
        pytest.param("27.00", "EUR", True, id="no such thing in euros"),
        pytest.param("28", "JPY", False, id="a yen of tax"),
        pytest.param("29", "JPY", True, id="two yen"),
        pytest.param("27.45", "CHF", False, id="five rappen"),
    ],
)
def test_a_total_may_be_rounded_as_its_currency_is(total: str, currency: str, doubted: bool) -> None:
    """Where there are no smaller coins every other order would be a case."""
    found = codes(outcome(order(total=D(total), currency=currency)))
    assert found == (["total_does_not_add_up"] if doubted else [])


def test_a_status_guessed_from_the_sender_contradicts_nothing() -> None:
    """A carrier's mail counts as shipped where it says nothing else: a case for each parcel that arrives is noise."""
    evidence = (said("status", "delivered", "subject", chosen=True), said("status", "shipped", "header"))
    assert codes(outcome(order(status=OrderStatus.DELIVERED, evidence=evidence))) == []


def test_strengths_are_ranked_as_documented() -> None:
    """The queue is read from the top: proof must come before hints."""
    ranked = ["total_does_not_add_up", "readings_disagree", "order_words_without_parse", "missing_key"]
    assert sorted(ranked, key=lambda code: -STRENGTHS[code]) == ranked
    wrong = order(total=D("99"), currency=None, order_number=None)
    assert codes(outcome(wrong)) == ["total_does_not_add_up", "missing_key", "missing_currency"]


def test_details_are_one_printable_line_of_bounded_length() -> None:
    """A subject with escape sequences must not reach a terminal through a reason."""
    hostile = order(order_number="A\x1b[31m\u202e\n" + "9" * 5000, total=D("1"))
    for reason in verdict_on(outcome(hostile)).reasons:
        assert reason.detail.isprintable()
        assert len(reason.detail) <= 300


def test_a_mail_of_many_bad_orders_gives_a_few_reasons_of_each_code() -> None:
    """A thousand reasons on one mail would bury all others."""
    bad = [order(order_number=f"LL-{n}", total=D(n), currency=None) for n in range(200)]
    assert len(codes(outcome(*bad))) == 10


def test_a_rule_that_raises_is_a_fault_and_other_items_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error counted as a verdict is either a false case or a miss that nobody sees again."""

    def broken(item: object) -> list:
        raise RuntimeError("no\x1bgood")

    good, bad = outcome(order()), outcome(order(order_number=None), message="m2")
    monkeypatch.setattr(rules, "RULES", (lambda item: broken(item) if item is bad else [],))
    first, second = RuleJudge().judge([good, bad])
    assert isinstance(first, Verdict)
    assert second == JudgeFault(message_id=bad.message_id, parse_digest=bad.parse_digest, error="RuntimeError: no good")


MONEY = st.none() | st.decimals(allow_nan=True, allow_infinity=True)
TEXT = st.none() | st.text(max_size=20)
ORDERS = st.builds(
    ParsedOrder,
    merchant=TEXT,
    order_number=TEXT,
    status=st.none() | st.sampled_from(OrderStatus),
    total=MONEY,
    subtotal=MONEY,
    shipping=MONEY,
    tax=MONEY,
    discount=MONEY,
    currency=TEXT,
    expected_delivery=st.none() | st.dates(),
    items=st.lists(st.builds(Item, name=st.text(), quantity=MONEY, price=MONEY), max_size=3).map(tuple),
    evidence=st.lists(
        st.builds(
            said, st.sampled_from(["total", "order_number", "expected_delivery"]), st.text(), st.sampled_from("ab")
        ),
        max_size=4,
    ).map(tuple),
)


@given(ORDERS)
def test_no_order_makes_a_rule_raise(parsed: ParsedOrder) -> None:
    """What is in a mail is the sender's choice; a rule that raises leaves the day open for ever."""
    item = outcome()
    item = dataclasses.replace(item, result=dataclasses.replace(item.result, orders=(parsed,)))
    (result,) = RuleJudge().judge([item])
    assert isinstance(result, Verdict)


def test_the_rule_judge_keeps_the_protocol_and_is_quick() -> None:
    """A free judge that is slower than the parser would be the bottleneck of every backfill."""
    judge: Judge = RuleJudge()
    evidence = tuple(
        said(f, "27.40", s, chosen=s == "html") for f in ("total", "tax") for s in ("html", "text", "link")
    )
    items = [outcome(order(evidence=evidence, total=D(n)), message=str(n)) for n in range(2000)]
    start = time.perf_counter()
    results = list(judge.judge(items))
    rate = len(items) / (time.perf_counter() - start)
    assert [r.message_id for r in results] == [i.message_id for i in items]
    assert rate > 2000, f"{rate:.0f} outcomes a second"
