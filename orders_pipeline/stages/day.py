"""One day through the stages that are asked for, under the day's lock.

Belongs here: the try recorded before the work, stages in order, and how the day ends. The caller is told of each stage
after its commit. Not here: events, checks, or what becomes of other days.
"""

from __future__ import annotations

import datetime as dt
import traceback
from collections.abc import Collection
from dataclasses import dataclass

from orders_pipeline.crash_points import reach
from orders_pipeline.errors import OrdersPipelineError, StoreLocked
from orders_pipeline.stages.fetch import fetch_day
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store import acts, ledger, mail_rows, review_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReport:
    """How a day ended: a report a stage that ran, and ``problem``, one line, when the day is not done."""

    day: dt.date
    reports: tuple[StageReport, ...]
    problem: str | None = None

    def proven(self) -> tuple[StageReport, ...]:
        """The stages that are proven, up to the first that is not: what stands on an unproven day proves nothing."""
        out: list[StageReport] = []
        for report in self.reports:
            if report.problems or report.ledger is None:
                break
            out.append(report)
        return tuple(out)


def run_day(work: Work, day: dt.date, stages: Collection[str] = ledger.STAGES) -> DayReport:
    """Take one day through ``stages``, in the pipeline's order.

    Whatever goes wrong ends this day with one line that says so, never the caller's other days.
    """
    first, limit = work.retry_spacing
    reports: list[StageReport] = []
    stage = ""
    try:
        with work.store.day_lock(day):
            reach("day.begin.before")
            work.store.archive.sweep(day)
            with work.store.state.transaction() as con:
                acts.adopt(con, work.store.archive)
                progressed = mail_rows.adopt(con, work.store.archive, [day, None]) > 0
                progressed |= review_rows.adopt(con, work.store.archive, day) > 0
                # This run may not get to fetching, or not be asked for it: what was adopted is to be parsed anyway.
                ledger.follow_mail(con, day, now=work.now())
                ledger.begin_try(con, day, now=work.now(), first=first, limit=limit, progressed=progressed)
            reach("day.begin.after")
            wanted = [s for s in ledger.STAGES if s in stages]
            for stage in wanted:
                # The last stage's commit also ends the try: a kill after it must not leave a done day with one.
                closes = stage == wanted[-1] and not any(r.problems for r in reports)
                reports.append(_run_stage(work, day, stage, closes=closes))
            problem = "; ".join(line for r in reports for line in r.problems) or None
            # What waits for another day (a limit is reached) is not asked for before.
            waits = [r.not_before for r in reports if r.problems]
            not_before = max((w for w in waits if w), default=None) if None not in waits else None
            if problem:
                with work.store.state.transaction() as con:
                    ledger.fail_try(
                        con, day, stage=stage, error=problem, now=work.now(), first=first, limit=limit,
                        not_before=not_before,
                    )  # fmt: skip
            elif not wanted:
                with work.store.state.transaction() as con:
                    ledger.end_try(con, day)
            reach("day.end.after")
            return DayReport(day=day, reports=tuple(reports), problem=problem)
    except OrdersPipelineError as error:
        problem = f"{stage or 'start'}: {error}"
        if isinstance(error, StoreLocked) and not stage:
            # Another run has the day and writes how it ends; this one has not touched it.
            return DayReport(day=day, reports=(), problem=problem)
    except Exception as error:  # a fault of ours in one day must not cost the others
        work.warn(f"unexpected error in {stage or 'start'} of {day}:\n{traceback.format_exc()}")
        problem = f"{stage or 'start'}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
    _note_failure(work, day, stage, problem)
    return DayReport(day=day, reports=tuple(reports), problem=problem)


def _note_failure(work: Work, day: dt.date, stage: str, problem: str) -> None:
    """Best effort: the store itself may be what failed, and then the try recorded at the start stands."""
    first, limit = work.retry_spacing
    try:
        with work.store.state.transaction() as con:
            ledger.fail_try(con, day, stage=stage, error=problem, now=work.now(), first=first, limit=limit)
    except Exception as error:
        work.warn(f"could not note that {day} failed: {error}")


def _run_stage(work: Work, day: dt.date, stage: str, *, closes: bool) -> StageReport:
    if stage == ledger.FETCH:
        return fetch_day(work, day, closes=closes)
    if stage == ledger.PARSE:
        return parse_day(work, day, closes=closes)
    return review_day(work, day, closes=closes)
