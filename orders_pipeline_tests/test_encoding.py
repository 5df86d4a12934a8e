"""Records become plain data and come back, and equal things have equal digests."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.encoding import (
    canonical_json,
    digest_of,
    order_from_dict,
    order_to_dict,
    parse_digest,
    reasons_from_json,
    reasons_to_json,
    result_from_dict,
    result_to_dict,
)
from orders_pipeline.models import Evidence, Item, OrderStatus, Outcome, ParsedOrder, ParseResult, Reason

text = st.text(max_size=12)
amount = st.none() | st.decimals(-(10**12), 10**12, places=4)
items = st.builds(Item, name=text, quantity=amount, price=amount)
evidence = st.builds(Evidence, field=text, value=text, extractor=text, source=text, text=text, chosen=st.booleans())
orders = st.builds(
    ParsedOrder,
    merchant=st.none() | text,
    order_number=st.none() | text,
    tracking_numbers=st.lists(text, max_size=3).map(tuple),
    carrier=st.none() | text,
    status=st.none() | st.sampled_from(OrderStatus),
    total=amount,
    currency=st.none() | st.just("EUR"),
    subtotal=amount,
    shipping=amount,
    tax=amount,
    discount=amount,
    expected_delivery=st.none() | st.dates(),
    items=st.lists(items, max_size=2).map(tuple),
    evidence=st.lists(evidence, max_size=2).map(tuple),
)
results = st.builds(
    ParseResult,
    message_id=st.just("ab" * 32),
    outcome=st.sampled_from(Outcome),
    reason=text,
    orders=st.lists(orders, max_size=2).map(tuple),
    language=st.none() | st.just("de"),
    order_words=st.lists(text, max_size=2).map(tuple),
)
ORDER = ParsedOrder(merchant="Lampenladen", total=Decimal("12.5000"), expected_delivery=dt.date(2026, 5, 11))
RESULT = ParseResult(message_id="ab" * 32, outcome=Outcome.PARSED, reason="", orders=(ORDER,))


@given(results)
def test_a_result_comes_back_from_its_json(result: ParseResult) -> None:
    """The store, the command line and the cases share this form: what it loses is lost everywhere."""
    data = json.loads(canonical_json(result_to_dict(result)))
    assert result_from_dict(result.message_id, data) == result
    assert parse_digest(result_from_dict(result.message_id, data)) == parse_digest(result)


def test_money_is_text_without_an_exponent() -> None:
    """A float has no 12.10, and 1E+3 is no amount to anyone."""
    data = order_to_dict(replace(ORDER, total=Decimal("1E+3"), tax=Decimal("0.1000"), discount=Decimal("1E-7")))
    assert (data["total"], data["tax"], data["discount"]) == ("1000", "0.1000", "0.0000001")
    assert order_from_dict(data).total == Decimal(1000)


@pytest.mark.parametrize(
    "changes",
    [{"reason": "x"}, {"language": "de"}, {"message_id": "cd" * 32}, {"orders": ()}, {"outcome": Outcome.NOT_ORDER}],
    ids=str,
)
def test_another_parse_has_another_digest(changes: dict) -> None:
    """A verdict would stand for a parse that it never saw."""
    assert parse_digest(replace(RESULT, **changes)) != parse_digest(RESULT)


@pytest.mark.parametrize(
    "change", [("total", "12,5"), ("status", "lost"), ("expected_delivery", "soon"), ("items", [{}])]
)
def test_data_of_another_shape_is_refused(change: tuple[str, object]) -> None:
    """A case edited by hand must not become an order with holes."""
    with pytest.raises((KeyError, ValueError, ArithmeticError)):
        order_from_dict(order_to_dict(ORDER) | {change[0]: change[1]})


@given(st.lists(st.text()), st.lists(st.text()))
def test_lists_that_differ_have_digests_that_differ(first: list[str], second: list[str]) -> None:
    """ab, c and a, bc joined are the same text."""
    assert (digest_of(first) == digest_of(second)) == (first == second)


def test_parts_that_run_together_and_half_characters_have_digests() -> None:
    """File names that are no text must not stop a listing."""
    assert len({digest_of(p) for p in (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], [], ["", ""], ["\udcff"])}) == 7


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.integers())))
def test_equal_data_gives_equal_text(data: dict) -> None:
    """A digest that depends on the order of keys calls everything changed."""
    turned = dict(reversed(data.items()))
    assert canonical_json(data) == canonical_json(turned)
    assert json.loads(canonical_json(data)) == data


@given(st.lists(st.builds(Reason, code=text, detail=text, strength=st.floats(0, 1)), max_size=3))
def test_reasons_come_back(reasons: list[Reason]) -> None:
    """Verdicts are paid for."""
    assert reasons_from_json(reasons_to_json(reasons)) == tuple(reasons)
