"""What ``status`` tells: days done, the cursor, gaps and why, findings, and the next step.

Belongs here: gathering it, and its two forms (lines for people, data for programs). Staleness is computed when read,
for the daemon may be down.
"""

from __future__ import annotations

import datetime as dt
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.days import closed_days
from orders_pipeline.progress import DayLedger, last_contiguous, why_not_done
from orders_pipeline.quality.checks import run_checks
from orders_pipeline.quality.findings import Finding, Severity
from orders_pipeline.stages.gaps import read_facts
from orders_pipeline.stages.model_plan import ModelStatus, model_status
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.stages.usage_status import UsageStatus, usage_status
from orders_pipeline.stages.work import Work
from orders_pipeline.store import facts as store_facts
from orders_pipeline.store import gaps
from orders_pipeline.store.reconcile import ARCHIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """A closed day that is not done, why, and when it is tried again (None: when the sensor next looks)."""

    day: dt.date
    why: str
    next_try_at: dt.datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StuckUnit:
    """A unit that ran out of tries, and the commands that help, ready to type."""

    stage: str
    day: dt.date | None
    name: str
    tries: int
    error: str

    @property
    def retry(self) -> str:
        """The command that tries it again (for a missing file: after it was brought back)."""
        return "orders-pipeline retry" + ("" if self.stage == ARCHIVE else f" {shlex.quote(self.name)}")

    @property
    def waive(self) -> str:
        """The command that lets its day be done without it; the reason is the reader's."""
        return f"orders-pipeline waive {shlex.quote(self.name)} --stage {self.stage} --reason TEXT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of the store at one instant. ``cursor`` is what the ledger proves, ``sensor_cursor`` what the sensor
    has stored (None when it never ticked)."""

    home: str
    zone: str
    days_expected: int
    days_done: int
    first_day: dt.date
    cursor: dt.date | None
    sensor_cursor: dt.date | None
    not_done: tuple[NotDone, ...]
    pending: int
    exhausted: int
    stuck: tuple[StuckUnit, ...]
    messages: dict[str, int]
    findings: tuple[Finding, ...]
    model: ModelStatus | None = None
    usage: UsageStatus | None = None

    @property
    def needs_you(self) -> bool:
        """Whether a person has to do something: units out of tries, days that are not done, a check in error."""
        return bool(self.exhausted or self.not_done or self._in_error or (self.usage and self.usage.needs_you))

    @property
    def _in_error(self) -> list[str]:
        return [f.check for f in self.findings if f.severity is Severity.ERROR]

    @property
    def next_step(self) -> str:
        """One line: what to do now."""
        if self.exhausted:
            return f"mend what is out of tries, then `{self.stuck[0].retry}`, or waive it (commands below)"
        if self.not_done:
            return "start `make ui`: the sensor takes up missing days; or backfill them there by hand"
        if self._in_error:
            return f"do what the findings say: {', '.join(self._in_error)}"
        if self.usage and self.usage.needs_you:
            return "see docs/usage-logs.md: the days of the usage logs are not all done"
        return "nothing to do"

    def as_dict(self) -> dict[str, Any]:
        """The status as JSON-ready data."""
        return {
            "home": self.home,
            "zone": self.zone,
            "first_day": self.first_day.isoformat(),
            "days_expected": self.days_expected,
            "days_done": self.days_done,
            "cursor": self.cursor.isoformat() if self.cursor else None,
            "sensor_cursor": self.sensor_cursor.isoformat() if self.sensor_cursor else None,
            "not_done": [
                {
                    "day": n.day.isoformat(),
                    "why": n.why,
                    "next_try_at": n.next_try_at.isoformat() if n.next_try_at else None,
                }
                for n in self.not_done
            ],
            "pending": self.pending,
            "exhausted": self.exhausted,
            "out_of_tries": [
                {
                    "stage": u.stage,
                    "day": u.day.isoformat() if u.day else None,
                    "name": u.name,
                    "tries": u.tries,
                    "error": u.error,
                    "retry": u.retry,
                    "waive": u.waive,
                }
                for u in self.stuck
            ],
            "messages": self.messages,
            "findings": [
                {
                    "check": f.check,
                    "severity": f.severity.value,
                    "count": f.count,
                    "message": f.message,
                    "sample": list(f.sample),
                }
                for f in self.findings
            ],
            "model": self.model.as_dict() if self.model else None,
            "usage": self.usage.as_dict() if self.usage else None,
            "next_step": self.next_step,
        }

    def lines(self) -> list[str]:
        """The status for people."""
        sensor = "never ticked" if self.sensor_cursor is None else str(self.sensor_cursor)
        outcomes = ", ".join(f"{count} {name}" for name, count in self.messages.items()) or "none"
        return [
            f"store     {self.home} ({self.zone})",
            f"days      {self.days_done} of {self.days_expected} done, from {self.first_day}",
            f"cursor    {self.cursor or 'no day yet'} (the sensor's: {sensor})",
            f"messages  {outcomes}",
            f"units     {self.pending} pending, {self.exhausted} out of tries",
            *([f"model     {self.model.line()}"] if self.model else []),
            *([f"usage     {self.usage.line()}"] if self.usage else []),
            f"next      {self.next_step}",
        ]

    def gap_rows(self, limit: int = 30) -> list[list[str]]:
        """Rows of days that are not done, at most ``limit``."""
        found = [
            [str(n.day), n.why, n.next_try_at.isoformat(timespec="minutes") if n.next_try_at else "now"]
            for n in self.not_done[:limit]
        ]
        left = len(self.not_done) - limit
        return [*found, ["…", f"and {left} more", ""]] if left > 0 else found

    def stuck_lines(self, limit: int = 10) -> list[str]:
        """What is out of tries, why, and what to type, at most ``limit`` units."""
        out = []
        for unit in self.stuck[:limit]:
            out += [f"{unit.stage} of {unit.name} ({unit.day or 'unplaced'}), {unit.tries} tries: {unit.error}"]
            out += [f"  {unit.retry}", f"  {unit.waive}"]
        left = len(self.stuck) - limit
        return [*out, f"… and {left} more: orders-pipeline status --json"] if left > 0 else out

    def finding_lines(self) -> list[str]:
        """What the checks found, whole, and some of what they name."""
        out = []
        for found in self.findings:
            out.append(f"{found.severity.value} {found.check}: {found.message}")
            out += [f"  for example {', '.join(found.sample[:3])}"] if found.sample else []
        return out


def read_status(work: Work, *, sensor_cursor: dt.date | None) -> Status:
    """Read the status; short reads of the state, no network. Archive and tables are brought together first."""
    reconcile(work)
    now = work.now()
    with work.store.state.reading() as con:
        ledger = store_facts.read_ledger(con)
        messages = gaps.messages_by_outcome(con)
        units = gaps.open_units(con)
    expected = closed_days(work.config.start_date, now, work.store.zone)
    reasons = {d: why_not_done(ledger.get(d, DayLedger(day=d)), work.config.owing(d)) for d in expected}
    done = {d for d, why in reasons.items() if why is None}
    return Status(
        home=str(work.store.folder.root),
        zone=work.config.zone,
        days_expected=len(expected),
        days_done=len(done),
        first_day=work.config.start_date,
        cursor=last_contiguous(expected, done),
        sensor_cursor=sensor_cursor,
        not_done=tuple(_not_done(d, why, ledger.get(d)) for d, why in reasons.items() if why),
        pending=sum(u["state"] == "pending" for u in units),
        exhausted=sum(u["state"] == "exhausted" for u in units),
        stuck=tuple(_stuck(u) for u in units if u["state"] == "exhausted"),
        messages=messages,
        findings=tuple(f for f in run_checks(read_facts(work, sensor_cursor)) if not f.ok),
        model=model_status(work),
        usage=usage_status(work),
    )


def _stuck(row: Mapping[str, Any]) -> StuckUnit:
    name = f"{row['mailbox']}: {row['unit']}" if row["mailbox"] else row["unit"]
    return StuckUnit(stage=row["stage"], day=row["day"], name=name, tries=row["tries"], error=row["error"] or "")


def _not_done(day: dt.date, why: str, row: DayLedger | None) -> NotDone:
    if row is None:
        return NotDone(day=day, why=why, next_try_at=None)
    said = f"{why}: {row.error}" if row.error else why
    return NotDone(day=day, why=said, next_try_at=row.next_try_at)
