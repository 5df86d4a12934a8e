"""Scoring of what was said against labels."""

from __future__ import annotations

import pytest

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.scoring.fields import same
from orders_pipeline.scoring.labels import label_from_dict, read_labels, said_from_dict
from orders_pipeline.scoring.report import compare, read_report, report_of
from orders_pipeline.scoring.score import Score, score

LABEL = {
    "file": "shop/a.eml", "kind": "order", "merchant": "Fjordwool", "order_number": "FW-1042", "total": 83.8,
    "currency": "CAD", "status": "confirmed",
}  # fmt: skip
ORDER = {
    "merchant": "Fjordwool Ltd", "order_number": "FW1042", "tracking_numbers": [], "total": "83.80",
    "currency": "CAD", "status": "confirmed",
}  # fmt: skip


def scored(label: dict[str, object], *orders: dict[str, object], outcome: str = "parsed") -> Score:
    """One label against the orders said of its file."""
    wanted = label_from_dict({**LABEL, **label})
    return score([wanted], {wanted.file: said_from_dict({"outcome": outcome, "orders": list(orders)})})


def test_signs_case_and_additions_to_a_name_make_no_fault() -> None:
    """A person would call these the same; faults of writing would drown the faults of reading."""
    result = scored({}, ORDER)
    assert (result.count("exact"), result.faults) == (1, [])
    assert result.overall.f1 == 1.0


@pytest.mark.parametrize(
    ("field", "right", "guess", "equal"),
    [
        ("total", "12.5", "12.50", True), ("total", "12.5", "12.51", False), ("total", "1e3", "1000", True),
        ("total", "12.5", "free", False), ("order_number", "１２-3", "123", True), ("merchant", "Fjord", "", False),
        ("carrier", "DHL", "DHL Paket", True), ("expected_delivery", "2026-05-11", "2026-05-11T08:00", True),
        ("status", "shipped", "delivered", False),
    ],
)  # fmt: skip
def test_values_are_compared_as_a_person_does(field: str, right: str, guess: str, equal: bool) -> None:
    """A comparison by text calls 12.5 and 12.50 different; one by number calls FW-1 and FW-2 equal."""
    assert same(field, right, guess) is equal


def test_wrong_missed_and_surplus_are_told_apart() -> None:
    """Silence and a wrong answer cost differently: one figure for both hides which it was."""
    figures = scored(
        {"carrier": "UPS"}, {**ORDER, "total": "80.00"}, {**ORDER, "total": "80.00", "currency": "USD"}
    ).fields
    assert (figures["total"].wrong, figures["carrier"].missed, figures["currency"].surplus) == (1, 1, 1)
    assert figures["currency"].precision == 0.5
    assert figures["total"].recall == 0.0
    assert figures["tracking_number"].precision is None


def test_a_mail_of_several_orders_has_no_surplus() -> None:
    """The second order of a mail would count as an error of the first."""
    other = {**ORDER, "order_number": "FW1043", "total": "10.00"}
    assert scored({"order_number_alt": ["FW1043"]}, ORDER, other).count("exact") == 1
    assert scored({}, ORDER, other).count("exact") == 0


def test_an_order_that_is_none_is_a_false_alarm() -> None:
    """An invented order is worse than one not seen, so it has a figure of its own."""
    assert scored({"kind": "not_order"}, ORDER).count("false_alarms") == 1
    assert scored({"kind": "not_order"}, ORDER, outcome="not_order").count("false_alarms") == 0
    assert scored({"kind": "malformed"}, ORDER).faults == []


def test_a_file_of_which_nothing_was_said_is_not_handled() -> None:
    """A parser that dies on a mail must not look like one that found no order."""
    result = score([label_from_dict({"file": "a.eml", "kind": "not_order"})], {})
    assert (result.count("handled"), [f.field for f in result.faults]) == (0, ["handled"])


def test_a_report_shows_what_was_fixed_and_what_broke() -> None:
    """Better figures on the whole hide the mail that used to be read and is no longer."""
    before = report_of(scored({}, {**ORDER, "total": "80.00"}))["cases"]
    now = report_of(scored({}, {**ORDER, "status": "shipped"}))["cases"]
    changes = compare(before, now)
    assert [(c.field, c.before, c.now) for c in changes.fixed] == [("total", "wrong", "right")]
    assert [(c.field, c.before, c.now) for c in changes.broken] == [("status", "right", "wrong")]
    assert changes.regressed
    assert not compare(now, now).regressed


def test_a_surplus_value_in_a_field_that_was_right_is_a_regression() -> None:
    """Reading more and more values finds the right one too."""
    before = report_of(scored({}, ORDER))["cases"]
    now = report_of(scored({}, ORDER, {**ORDER, "total": "1.00"}))["cases"]
    assert [(c.field, c.now) for c in compare(before, now).broken] == [("total", "surplus")]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form": 0, "cases": {}}', '{"form": 1, "cases": {"a": 1}}'])
def test_a_file_that_is_no_report_is_refused_by_name(text: str) -> None:
    """A comparison with nothing finds no regression and says that all is well."""
    with pytest.raises(OrdersPipelineError, match=r"before\.json"):
        read_report(text, "before.json")


@pytest.mark.parametrize("line", ["{", "[]", '{"file": "a"}', "null"])
def test_a_label_that_cannot_be_read_is_named_by_its_line(line: str) -> None:
    """A label skipped in silence makes the figures those of another set."""
    with pytest.raises(OrdersPipelineError, match=r"labels\.jsonl, line 3"):
        read_labels(f'{{"file": "a", "kind": "order"}}\n\n{line}\n', "labels.jsonl")
