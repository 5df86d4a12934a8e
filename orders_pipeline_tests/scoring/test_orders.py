"""Scoring a message whose orders are known in full."""

from __future__ import annotations

from typing import Any

import pytest

from orders_pipeline.scoring.orders import ORDER_FIELDS, order_case
from orders_pipeline.scoring.report import EXPECTED, best_of, compare, report_of
from orders_pipeline.scoring.score import summed

MUG: dict[str, Any] = {
    "merchant": "Blatt & Korn", "order_number": "BK-1", "tracking_numbers": ["1Z1", "1Z2"], "total": "12.50",
    "currency": "EUR", "status": "confirmed", "carrier": None, "shipping": "2.90",
    "items": [{"name": "Blue mug", "quantity": "2", "price": "4.80"}],
}  # fmt: skip
LAMP = {"merchant": "Blatt & Korn", "order_number": "BK-2", "total": "80.00", "currency": "EUR", "evidence": []}


def verdicts(expected: list[dict[str, Any]], said: list[dict[str, Any]]) -> dict[str, str]:
    """The verdicts that are neither right nor rightly absent."""
    found = order_case("a", expected, said).verdicts
    return {field: verdict for field, verdict in found.items() if verdict not in ("right", "absent")}


def test_the_same_orders_are_exact_in_any_order() -> None:
    """A mail with two orders has no first one."""
    case = order_case("a", [MUG, LAMP], [LAMP, MUG])
    assert case.exact
    assert case.faults == ()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"total": "12.51"}, {"total": "wrong"}),
        ({"total": None}, {"total": "missed"}),
        ({"carrier": "DHL"}, {"carrier": "surplus"}),
        ({"tracking_numbers": ["1Z1"]}, {"tracking_number": "missed"}),
        ({"tracking_numbers": ["1Z1", "1Z3"]}, {"tracking_number": "wrong"}),
        ({"items": []}, {"items": "missed"}),
        ({"items": [{"name": "Blue mug", "quantity": "3", "price": "4.80"}]}, {"items": "wrong"}),
        ({"shipping": "3.90"}, {"shipping": "wrong"}),
        ({"discount": "1.00"}, {"discount": "surplus"}),
    ],
)
def test_each_fault_is_told_by_its_field(change: dict[str, Any], fault: dict[str, str]) -> None:
    """Wrong, missing and invented are mended in different places."""
    assert verdicts([MUG], [{**MUG, **change}]) == fault
    assert not order_case("a", [MUG], [{**MUG, **change}]).exact


def test_values_beyond_the_right_ones_are_faults() -> None:
    """Right among ten guesses is no reading."""
    case = order_case("a", [MUG], [{**MUG, "tracking_numbers": ["1Z1", "1Z2", "1Z3"]}])
    assert case.surplus == {"tracking_number": 1}
    assert not case.exact


def test_totals_of_two_orders_do_not_count_for_each_other() -> None:
    """Each value is there, and both orders are wrong."""
    swapped = [{**MUG, "total": "80.00"}, {**LAMP, "total": "12.50"}]
    assert verdicts([MUG, LAMP], swapped) == {"total": "wrong"}


def test_an_order_too_few_or_too_many_is_a_fault_of_finding() -> None:
    """Every field of the one that is left is right."""
    assert verdicts([MUG, LAMP], [MUG])["detect"] == "missed"
    assert verdicts([MUG], [MUG, LAMP])["detect"] == "surplus"


def test_a_mail_without_an_order_is_asked_that_alone() -> None:
    """A false alarm is one fault, not one for each field that it has."""
    assert order_case("a", [], []).faults == ()
    alarm = order_case("a", [], [MUG])
    assert [f.field for f in alarm.faults] == ["detect"]
    assert summed([alarm], ORDER_FIELDS).count("false_alarms") == 1


def test_a_message_that_could_not_be_handled_has_missed_everything() -> None:
    """One that is left out of the figures makes them better than they are."""
    case = order_case("a", [MUG], None)
    assert (case.handled, case.verdicts["total"]) == (False, "missed")


def test_nothing_is_surplus_when_a_value_was_said_twice() -> None:
    """One number in two notations is one number."""
    assert verdicts([{**MUG, "tracking_numbers": ["1Z 1"]}], [{**MUG, "tracking_numbers": ["1Z1", "1z-1"]}]) == {}


def report(*said: dict[str, Any], digest: str = "x") -> dict[str, dict[str, str]]:
    """The verdicts of one case."""
    score = summed([order_case("a", [MUG], list(said))], ORDER_FIELDS)
    return report_of(score, senders={"a": "s"}, expected={"a": digest})["cases"]


def test_what_was_invented_since_counts_as_broken() -> None:
    """A field that nothing was said of was right as it was."""
    difference = compare(report(MUG), report({**MUG, "carrier": "DHL"}))
    assert [(c.field, c.before, c.now) for c in difference.broken] == [("carrier", "absent", "surplus")]


def test_another_expectation_is_another_question() -> None:
    """A correction by a person is no regression of the parser."""
    difference = compare(report(MUG, digest="x"), report({**MUG, "total": "1.00"}, digest="y"))
    assert (difference.broken, difference.fixed) == ((), ())


def test_the_best_of_several_reports_forgets_no_right_answer() -> None:
    """What was right between two bad runs would be free to break again."""
    bad, worse = report({**MUG, "total": "1"}), report({**MUG, "currency": "USD"})
    best = best_of([bad, worse])
    assert (best["a"]["total"], best["a"]["currency"], best["a"][EXPECTED]) == ("right", "right", "x")
    assert best_of([report(MUG, digest="w"), bad])["a"]["total"] == "wrong"
