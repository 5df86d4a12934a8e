"""The judge against the decisions."""

from __future__ import annotations

from typing import Any

import pytest

from orders_pipeline.models import Decision
from orders_pipeline.review.agreement import SAMPLE_OF_FINE, DecidedCase, agreement, parser_was_wrong

ORDER: dict[str, Any] = {"total": "5.00", "items": [], "evidence": [{"text": "x"}]}
PARSED: dict[str, Any] = {"outcome": "parsed", "orders": [ORDER]}


def decided(count: int, wrong: bool | None, *codes: str) -> list[DecidedCase]:
    return [DecidedCase(codes=frozenset(codes), parser_wrong=wrong)] * count


@pytest.mark.parametrize(
    ("decision", "produced", "expected", "wrong"),
    [
        (Decision.ACCEPTED, PARSED, PARSED, False),
        (Decision.EDITED, PARSED, {"outcome": "parsed", "orders": [{**ORDER, "total": "6.00"}]}, True),
        (Decision.EDITED, PARSED, {"outcome": "parsed", "orders": [{"total": "5.00"}]}, False),
        (Decision.EDITED, PARSED, {"outcome": "not_order", "orders": []}, True),
        (Decision.ACCEPTED, {"outcome": "failed", "orders": []}, None, True),
        (Decision.REJECTED, PARSED, None, None),
    ],
)
def test_what_a_decision_says_of_the_parse(
    decision: Decision, produced: dict[str, Any], expected: dict[str, Any] | None, wrong: bool | None
) -> None:
    """Taken otherwise, a judge that is always right looks like one that never is."""
    assert parser_was_wrong(decision, produced, expected) is wrong


def test_the_figures_stand_for_all_verdicts() -> None:
    """100 suspect of which 20 of 40 decided were wrong; 900 fine, of which 2 of the 20 picked by chance were wrong."""
    cases = [
        *decided(20, True, "missing_total"), *decided(20, False, "missing_total", "readings_disagree"),
        *decided(5, None, "readings_disagree"), *decided(2, True, SAMPLE_OF_FINE), *decided(18, False, SAMPLE_OF_FINE),
    ]  # fmt: skip
    found = agreement(cases, all_suspect=100, all_fine=900)
    assert found.precision == 0.5
    assert found.base_rate == pytest.approx((50 + 90) / 1000)
    assert found.recall == pytest.approx(50 / 140)
    # Agreement 0.86; by chance 0.1 * 0.14 + 0.9 * 0.86 = 0.788.
    assert found.kappa == pytest.approx((0.86 - 0.788) / (1 - 0.788))
    assert found.too_few == []
    assert (found.by_code["readings_disagree"].right, found.by_code["readings_disagree"].rejected) == (20, 5)


def test_a_perfect_judge_has_a_kappa_of_one_and_a_blind_one_of_none() -> None:
    """A kappa of a coin that is as good as the judge's own tells that there is no judge."""
    perfect = agreement([*decided(10, True, "a"), *decided(10, False, SAMPLE_OF_FINE)], all_suspect=10, all_fine=90)
    assert perfect.kappa == pytest.approx(1.0)
    blind = [*decided(2, True, "a"), *decided(8, False, "a"), *decided(2, True, SAMPLE_OF_FINE),
             *decided(8, False, SAMPLE_OF_FINE)]  # fmt: skip
    assert agreement(blind, all_suspect=50, all_fine=50).kappa == pytest.approx(0.0)


def test_a_case_that_a_rule_found_too_is_no_sample() -> None:
    """Chance may pick what the judge doubts anyway, and that is no miss of it."""
    found = agreement(decided(1, True, SAMPLE_OF_FINE, "missing_total"), all_suspect=1, all_fine=0)
    assert (found.suspect.wrong, found.fine.wrong) == (1, 0)


def test_a_first_of_its_kind_is_no_suspicion_and_no_sample() -> None:
    """It is shown because nobody has looked yet: counted as doubt it would be a wrong one nearly always."""
    found = agreement(decided(3, False, "new_sender"), all_suspect=1, all_fine=9)
    assert (found.suspect.told, found.fine.told, found.by_code["new_sender"].right) == (0, 0, 3)
    assert agreement(decided(1, True, "new_sender", SAMPLE_OF_FINE), all_suspect=1, all_fine=9).fine.wrong == 1


@pytest.mark.parametrize(("suspect", "fine"), [(0, 0), (9, 10), (10, 9)])
def test_too_few_decisions_are_told(suspect: int, fine: int) -> None:
    """One accepted case is a precision of 0, and means nothing."""
    found = agreement(
        [*decided(suspect, True, "a"), *decided(fine, False, SAMPLE_OF_FINE)], all_suspect=20, all_fine=20
    )
    assert len(found.too_few) == (suspect < 10) + (fine < 10)
    assert (found.recall is None) == (not suspect or not fine)
