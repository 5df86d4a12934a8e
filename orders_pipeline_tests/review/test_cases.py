"""From verdicts to proposed cases."""

from __future__ import annotations

import datetime as dt
import json
import random
from decimal import Decimal

import pytest

from orders_pipeline.encoding import result_from_dict
from orders_pipeline.models import Outcome, ParseResult, Reviewable, Verdict
from orders_pipeline.review.cases import derive_cases
from orders_pipeline.review.scope import needs_review
from orders_pipeline_tests.review.builders import DAY, order, outcome, sha, verdict_on

WRONG = order(total=Decimal("99"))


def cases_of(*items: Reviewable) -> tuple:
    return derive_cases(items, [verdict_on(item) for item in items])


def test_only_suspect_parses_become_cases() -> None:
    """A case for every mail would be a copy of the mailbox, not a test set."""
    wrong, right = outcome(WRONG, message="wrong"), outcome(order(), message="right")
    (case,) = cases_of(wrong, right)
    assert case.message_id == wrong.message_id
    assert case.case_id == sha("wrong")[:16]
    assert case.outcome is Outcome.PARSED
    assert [r.code for r in case.reasons] == ["total_does_not_add_up"]
    assert case.judge == "rules"


def test_produced_is_the_parse_itself() -> None:
    """The expected output starts from what was produced: a field lost here is a field that a person must retype."""
    item = outcome(WRONG)
    (case,) = cases_of(item)
    assert result_from_dict(item.message_id, json.loads(case.produced)) == item.result


def test_one_input_is_one_case_a_day_and_names_its_duplicates() -> None:
    """The same mail under three accounts would be decided three times."""
    items = [outcome(WRONG, message=name, canonical="same") for name in ("a", "b", "c")]
    (case,) = cases_of(*items)
    ids = sorted(item.message_id for item in items)
    assert (case.message_id, case.duplicates) == (ids[0], tuple(ids[1:]))


def test_the_order_of_items_and_verdicts_changes_nothing() -> None:
    """A re-run that derives other cases from the same verdicts would look like new data."""
    items = [outcome(WRONG, message=str(n), canonical=str(n % 7)) for n in range(20)]
    verdicts = [verdict_on(item) for item in items]
    expected = derive_cases(items, verdicts)
    assert len(expected) == 7
    for seed in range(5):
        random.Random(seed).shuffle(items)
        random.Random(seed + 100).shuffle(verdicts)
        assert derive_cases(items, verdicts) == expected


def test_days_are_kept_apart() -> None:
    """A day's cases must depend on that day alone."""
    next_day = DAY + dt.timedelta(days=1)
    cases = cases_of(outcome(WRONG, canonical="same"), outcome(WRONG, message="m2", canonical="same", day=next_day))
    assert [case.day for case in cases] == [DAY, next_day]
    assert all(case.duplicates == () for case in cases)


def test_a_verdict_on_an_older_parse_makes_no_case() -> None:
    """After a better parser the old doubt is about something that no longer exists."""
    old, new = outcome(WRONG), outcome(order())
    assert old.message_id == new.message_id
    assert derive_cases([new], [verdict_on(old)]) == ()


def test_verdicts_of_two_judges_on_one_parse_make_one_case() -> None:
    """Two rows with one key would make the day's table ambiguous."""
    item = outcome(WRONG)
    rules = verdict_on(item)
    other = Verdict(
        message_id=item.message_id,
        parse_digest=item.parse_digest,
        judge="model",
        judge_version="3",
        reasons=rules.reasons,
    )
    (case,) = derive_cases([item], [rules, other])
    assert case.judge == "model+rules"
    assert case.reasons == rules.reasons


@pytest.mark.parametrize(
    ("kind", "words", "reviewed"),
    [
        (Outcome.PARSED, (), True),
        (Outcome.FAILED, (), True),
        (Outcome.NOT_ORDER, ("total",), True),
        (Outcome.NOT_ORDER, (), False),
        (Outcome.EXCLUDED, ("total",), False),
    ],
)
def test_scope_of_review(kind: Outcome, words: tuple[str, ...], reviewed: bool) -> None:
    """A paid judge must not see personal mail or excluded senders, and must see every possible miss."""
    result = ParseResult(message_id="m", outcome=kind, reason="", order_words=words)
    assert needs_review(result) is reviewed
