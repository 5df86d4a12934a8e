"""Checks of days and stages: is every day there, and do its stages fit each other?

Belongs here: gaps between days and between stages. Not here: gaps between messages (message_checks.py).
"""

from __future__ import annotations

from orders_pipeline.quality.facts import DayFacts, StoreFacts
from orders_pipeline.quality.findings import Finding, Missing, Severity, finding


def missing_days(facts: StoreFacts) -> Finding:
    """Every closed day was taken through fetching."""
    known = {day.day for day in facts.closed if day.fetch and not day.unlisted_mailboxes}
    expected = facts.expected
    missing = [day.isoformat() for day in expected if day not in known]
    errors = {day.day: day.error for day in facts.closed if day.error and day.day not in known}
    why = f" The last error, of {max(errors)}: {errors[max(errors)]}." if errors else ""
    return finding(
        "missing_days",
        Severity.ERROR,
        Missing.of(missing),
        good=f"All {len(expected)} closed days were fetched.",
        bad="Never completely fetched: {count} of the closed days." + why.replace("{", "{{").replace("}", "}}"),
        todo="Turn on order_days_sensor, which takes them oldest first, or backfill them in the UI.",
    )


def stages_out_of_step(facts: StoreFacts) -> Finding:
    """Each stage of a fetched day was made from what the stage before it now says."""
    broken = [f"{day.day}: {why}" for day in facts.closed if day.fetch and (why := _step(day))]
    return finding(
        "stages_out_of_step",
        Severity.ERROR,
        Missing.of(broken),
        good="Every stage of every fetched day was made from the current result of the stage before it.",
        bad="{count} days have a stage that is missing or older than its input.",
        todo="Materialize these days with all three assets: what is already saved is not done again.",
    )


def cursor_ahead_of_proof(facts: StoreFacts) -> Finding:
    """The cursor stands on or before the last day of the contiguous run of done days."""
    ahead = facts.cursor is not None and (facts.proven is None or facts.cursor > facts.proven)
    return finding(
        "cursor_ahead_of_proof",
        Severity.ERROR,
        Missing.of([str(facts.cursor)] if ahead else []),
        good=f"The cursor ({facts.cursor or 'not set'}) claims no more than is proven ({facts.proven or 'nothing'}).",
        bad=f"The cursor is at {facts.cursor}, but days are proven done only up to {facts.proven or 'none'}.",
        todo="The next tick of order_days_sensor moves it back; if it does not, look at the sensor's last error.",
    )


def outdated_parser(facts: StoreFacts) -> Finding:
    """Days were parsed by the parser's current version."""
    return finding(
        "outdated_parser",
        Severity.WARNING,
        Missing.of(day.day.isoformat() for day in facts.closed if day.parse and day.parser_outdated),
        good="Every day was parsed by the current version of the parser.",
        bad="{count} days were parsed by an older version of the parser.",
        todo="Their results stay valid; `orders-pipeline reparse` makes them new.",
    )


def _step(day: DayFacts) -> str | None:
    if day.parse is None:
        return "not parsed"
    if day.fetch and day.parse.input_digest != day.fetch.output_digest:
        return "its mail changed since it was parsed"
    if day.review is None:
        return "not reviewed"
    if day.review.input_digest != day.parse.output_digest:
        return "its parses changed since they were reviewed"
    return None
