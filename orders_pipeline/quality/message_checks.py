"""Checks of messages: did each make its way through the three stages, and do the counts add up?

Belongs here: units that are owed. Not here: whole days (day_checks.py), or the mailbox itself (source_checks.py).
"""

from __future__ import annotations

from orders_pipeline.quality.facts import DayFacts, StoreFacts
from orders_pipeline.quality.findings import Finding, Missing, Severity, finding


def listed_not_fetched(facts: StoreFacts) -> Finding:
    """Every message that a complete listing named is in the archive, gone from the mailbox, or waived."""
    return finding(
        "listed_not_fetched",
        Severity.ERROR,
        Missing.total(day.not_fetched for day in facts.closed),
        good="Every listed message is in the archive.",
        bad="{count} messages are listed in the mailbox and not in the archive.",
        todo="They are tried again by themselves; `orders-pipeline status` says why they failed.",
    )


def fetched_without_outcome(facts: StoreFacts) -> Finding:
    """Every message in the archive has an outcome."""
    return finding(
        "fetched_without_outcome",
        Severity.ERROR,
        Missing.total(day.without_outcome for day in facts.closed),
        good="Every fetched message has an outcome.",
        bad="{count} fetched messages have no outcome.",
        todo="Materialize parsed_orders for their days.",
    )


def parsed_not_judged(facts: StoreFacts) -> Finding:
    """Every outcome that a judge has to see has a verdict, or is waived."""
    return finding(
        "parsed_not_judged",
        Severity.ERROR,
        Missing.total(day.not_judged for day in facts.closed),
        good="Every outcome that needs a verdict has one.",
        bad="{count} outcomes wait for a verdict.",
        todo="Materialize proposed_eval_cases for their days; verdicts already given are kept.",
    )


def counts_add_up(facts: StoreFacts) -> Finding:
    """No day has more outcomes than messages, or more verdicts than outcomes to judge."""
    return finding(
        "counts_add_up",
        Severity.ERROR,
        Missing.of(f"{day.day}: {why}" for day in facts.closed if (why := _surplus(day))),
        good="On every day messages, outcomes and verdicts add up.",
        bad="{count} days have counts that do not add up.",
        todo="Run `orders-pipeline rebuild`, which makes the tables again from the archive.",
    )


def exhausted_units(facts: StoreFacts) -> Finding:
    """Nothing ran out of tries and still waits for a person."""
    return finding(
        "exhausted_units",
        Severity.ERROR,
        Missing.total([*(day.exhausted for day in facts.closed), facts.exhausted_without_day]),
        good="Nothing has run out of tries.",
        bad="{count} units ran out of tries and hold the cursor.",
        todo="Look at them with `orders-pipeline status`, then `orders-pipeline retry` or `orders-pipeline waive`.",
    )


def _surplus(day: DayFacts) -> str | None:
    # What is short has names, and checks of its own; what is too much (a row written twice) shows only in the sums.
    if day.outcomes + day.without_outcome.count > day.fetched:
        return f"{day.fetched} messages, {day.outcomes} outcomes"
    if day.verdicts + day.not_judged.count > day.to_review:
        return f"{day.to_review} outcomes to judge, {day.verdicts} verdicts"
    return None
