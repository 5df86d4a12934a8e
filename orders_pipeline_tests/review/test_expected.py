"""What a person states as right is checked and brought into the form of a parse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.encoding import result_from_dict, result_to_dict
from orders_pipeline.review.expected import BadExpected, complete

WHOLE = {
    "merchant": "Fennmark Supplies",
    "order_number": "FM-70001",
    "status": "shipped",
    "total": "24.50",
    "currency": "EUR",
    "subtotal": "19.55",
    "shipping": "4.95",
    "tax": "0",
    "discount": "-1.00",
    "expected_delivery": "2026-05-18",
    "carrier": "Bost",
    "tracking_numbers": ["AB1", "CD2"],
    "items": [{"name": "Oak bookend", "quantity": "1", "price": "19.55"}],
}


def test_a_whole_order_becomes_a_result_that_reads_back() -> None:
    """Exports and scores read expected results as they read parses."""
    stated = complete({"orders": [WHOLE]}, {"language": "de", "order_words": ["bestellung"]})
    assert stated["outcome"] == "parsed"
    assert stated["orders"] == [{**WHOLE, "evidence": []}]
    assert (stated["language"], stated["order_words"]) == ("de", ["bestellung"])
    assert result_to_dict(result_from_dict("m", stated)) == stated


def test_a_part_of_an_order_is_enough() -> None:
    """A person states what the mail says, and most mails say little."""
    (order,) = complete({"orders": [{"status": "Delivered", "tracking_numbers": " AB1; CD2,AB1,"}]})["orders"]
    assert order["status"] == "delivered"
    assert order["tracking_numbers"] == ["AB1", "CD2"]
    assert order["total"] is None
    assert order["items"] == []


def test_no_order_is_a_result() -> None:
    """Both ways to say it are one."""
    assert complete({"outcome": "not_order"}) == complete({"orders": []})


@pytest.mark.parametrize(
    ("written", "read"),
    [("31", "31"), ("31.00", "31.00"), ("31,00", "31.00"), (" 1 234.5 ", "1234.5"), ("-4,5", "-4.5"), (31, "31")],
)
def test_money_is_decimal_text(written: object, read: str) -> None:
    """An amount that went through a binary fraction is another amount."""
    assert complete({"orders": [{"total": written}]})["orders"][0]["total"] == read


BAD: dict[str, tuple[object, str]] = {
    "no object": ([], ""),
    "text": ("total=1", ""),
    "orders that are no list": ({"orders": "x"}, "orders"),
    "too many orders": ({"orders": [{"total": "1"}] * 51}, "orders"),
    "an order that is no object": ({"orders": ["x"]}, "orders.0"),
    "an empty order": ({"orders": [{"total": "1"}, {}]}, "orders.1"),
    "no order in a parsed mail": ({"outcome": "parsed", "orders": []}, "orders"),
    "an order in a mail that is none": ({"outcome": "not_order", "orders": [{"total": "1"}]}, "outcome"),
    "another outcome": ({"outcome": "failed"}, "outcome"),
    "an unknown field": ({"orders": [{"totl": "1"}]}, "orders.0.totl"),
    "an unknown key": ({"order": []}, "order"),
    "a fraction": ({"orders": [{"total": 31.5}]}, "orders.0.total"),
    "a truth value": ({"orders": [{"total": True}]}, "orders.0.total"),
    "an amount of two readings": ({"orders": [{"total": "1,234"}]}, "orders.0.total"),
    "an amount without end": ({"orders": [{"total": "9" * 14}]}, "orders.0.total"),
    "an amount with its currency": ({"orders": [{"total": "31 EUR"}]}, "orders.0.total"),
    "no number": ({"orders": [{"tax": "NaN"}]}, "orders.0.tax"),
    "no currency": ({"orders": [{"currency": "Euro"}]}, "orders.0.currency"),
    "an unknown currency": ({"orders": [{"currency": "QQQ"}]}, "orders.0.currency"),
    "a status that no mail says": ({"orders": [{"status": "assumed_delivered"}]}, "orders.0.status"),
    "no day": ({"orders": [{"expected_delivery": "tomorrow"}]}, "orders.0.expected_delivery"),
    "a day that is not": ({"orders": [{"expected_delivery": "2026-02-30"}]}, "orders.0.expected_delivery"),
    "a name without end": ({"orders": [{"merchant": "x" * 81}]}, "orders.0.merchant"),
    "tracking numbers that are a number": ({"orders": [{"tracking_numbers": 5}]}, "orders.0.tracking_numbers"),
    "a tracking number that is a list": ({"orders": [{"tracking_numbers": [[]]}]}, "orders.0.tracking_numbers"),
    "an item without a name": ({"orders": [{"items": [{"price": "1"}]}]}, "orders.0.items.0.name"),
    "an item that is text": ({"orders": [{"items": ["x"]}]}, "orders.0.items.0"),
    "items that are text": ({"orders": [{"items": "x"}]}, "orders.0.items"),
}


@pytest.mark.parametrize(("stated", "place"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_is_refused_at_its_place(stated: object, place: str) -> None:
    """A wrong expected result makes a right parser look wrong, for as long as the test set lives."""
    with pytest.raises(BadExpected) as error:
        complete(stated)
    assert place in error.value.faults
    assert "\n" not in str(error.value)


def test_control_characters_are_taken_out() -> None:
    """What is pasted from a mail ends up in terminals and exports."""
    (order,) = complete({"orders": [{"merchant": "Fenn\x1b[31m\u202emark\n"}]})["orders"]
    assert order["merchant"] == "Fenn [31m mark"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*WHOLE, "orders", "x"]), inner),
    max_leaves=12,
)


@given(stated=st.dictionaries(st.sampled_from(["orders", "outcome", "reason", "x"]), _JSON))
def test_any_json_is_refused_or_a_result(stated: dict[str, Any]) -> None:
    """The file comes from a person or a program of theirs: a traceback is no answer."""
    try:
        result = complete(stated)
    except BadExpected:
        return
    json.dumps(result, allow_nan=False)
    assert result_to_dict(result_from_dict("m", result)) == result
