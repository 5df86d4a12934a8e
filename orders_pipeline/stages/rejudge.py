"""Judging again on a person's word.

Belongs here: which days, under which locks. The old verdict on a parse stands until the new one is saved, and where a
judge fails to give one. Never called by a run of the pipeline.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """Days that were judged again, verdicts given, days that were never parsed, and what went wrong, a line each."""

    days: int
    verdicts: int
    not_parsed: tuple[dt.date, ...]
    problems: tuple[str, ...]


def rejudge_days(work: Work, days: Sequence[dt.date]) -> Rejudged:
    """Ask every configured judge anew about every parse of some days. A bad day costs no other."""
    judged, verdicts, not_parsed, problems = 0, 0, [], []
    for day in days:
        try:
            with work.store.day_lock(day):
                report = review_day(work, day, again=True)
        except OrdersPipelineError as error:
            problems.append(f"{day}: {printable_line(str(error), 300)}")
            continue
        if report.ledger is None:
            not_parsed.append(day)
            continue
        judged += 1
        verdicts += report.counts["newly_judged"]
        problems += [f"{day}: {line}" for line in report.problems]
        if missing := report.counts["not_given"]:
            problems.append(f"{day}: {missing} verdicts were not given anew; the old ones stand")
    work.publish()
    return Rejudged(days=judged, verdicts=verdicts, not_parsed=tuple(not_parsed), problems=tuple(problems))
