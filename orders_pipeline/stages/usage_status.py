"""How the days of the usage logs stand.

Belongs here: counting what is done, open and proposed, and its two forms. Not here: the days of mail (status.py).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from orders_pipeline.days import closed_days
from orders_pipeline.progress import DayLedger, last_contiguous, why_not_done
from orders_pipeline.stages.usage_work import open_usage
from orders_pipeline.stages.work import Work
from orders_pipeline.store import facts, gaps
from orders_pipeline.store.frames import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageStatus:
    """``cursor`` is the last day up to which every row is judged. ``without_time`` rows belong to no day."""

    days_expected: int
    days_done: int
    cursor: dt.date | None
    not_done: tuple[tuple[dt.date, str], ...]
    rows: int
    cases: int
    pending: int
    exhausted: int
    without_time: int

    @property
    def needs_you(self) -> bool:
        """Whether a person has something to do or to wait for."""
        return self.days_done < self.days_expected or self.exhausted > 0 or self.without_time > 0

    def line(self) -> str:
        """One line for people."""
        said = (
            f"{self.days_done} of {self.days_expected} days done, up to {self.cursor or 'no day yet'};"
            f" {self.rows} rows, {self.cases} cases, {self.pending} rows pending, {self.exhausted} out of tries"
        )
        if self.without_time:
            said += f"; {self.without_time} rows have no usable time"
        if self.not_done:
            day, why = self.not_done[0]
            said += f"; {day}: {why}"
        return said

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready data."""
        return {
            "days_expected": self.days_expected,
            "days_done": self.days_done,
            "cursor": self.cursor.isoformat() if self.cursor else None,
            "not_done": [{"day": day.isoformat(), "why": why} for day, why in self.not_done],
            "rows": self.rows,
            "cases": self.cases,
            "pending": self.pending,
            "exhausted": self.exhausted,
            "without_time": self.without_time,
        }


def usage_status(main: Work) -> UsageStatus | None:
    """The status of the usage logs, in short reads of their state; None when none is configured."""
    usage = open_usage(main)
    if usage is None:
        return None
    with usage.store.state.reading() as con:
        ledger = facts.read_ledger(con)
        units = gaps.open_units(con)
        counted = rows(
            con,
            "SELECT count(*) FILTER (day IS NOT NULL) AS placed, count(*) FILTER (day IS NULL) AS unplaced,"
            " (SELECT count(DISTINCT case_id) FROM proposed_eval_cases) AS cases FROM messages",
        )[0]
    config = usage.config
    expected = [d for d in closed_days(config.start_date, main.now(), config.tz) if config.owing(d)]
    reasons = [(d, why_not_done(ledger.get(d, DayLedger(day=d)), config.owing(d))) for d in expected]
    done = {d for d, why in reasons if why is None}
    return UsageStatus(
        days_expected=len(expected),
        days_done=len(done),
        cursor=last_contiguous(expected, done),
        not_done=tuple(
            (d, f"{why}: {row.error}" if (row := ledger.get(d)) and row.error else why) for d, why in reasons if why
        ),
        rows=counted["placed"],
        cases=counted["cases"],
        pending=sum(u["state"] == "pending" for u in units),
        exhausted=sum(u["state"] == "exhausted" for u in units),
        without_time=counted["unplaced"],
    )
