"""What is done, what the cursor may claim, and what to do next: pure.

Belongs here: the states of the ledger, ``done``, the cursor and ``plan_tick``. Not here: reading the store, Dagster,
time. The truth is computed from the ledger on every tick; the cursor that was stored is only what people see.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from orders_pipeline.config import SensorSettings
from orders_pipeline.days import ranges

CURSOR_VERSION = 1
_CURSOR_LIMIT = 1000  # characters; ours has 40


@dataclass(frozen=True, slots=True, kw_only=True)
class StageMark:
    """What one stage of a day was made from, and what it gave."""

    input_digest: str
    output_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DayLedger:
    """Everything that the ledger knows of one day.

    ``listed`` maps a mailbox to the instant of its last complete listing; ``tries`` and ``next_try_at`` describe a day
    that ended badly; ``exhausted`` units wait for a person.
    """

    day: dt.date
    fetch: StageMark | None = None
    parse: StageMark | None = None
    review: StageMark | None = None
    listed: Mapping[str, dt.datetime] = field(default_factory=dict)
    pending: int = 0
    exhausted: int = 0
    next_unit_try_at: dt.datetime | None = None
    tries: int = 0
    next_try_at: dt.datetime | None = None
    error: str | None = None


def why_not_done(day: DayLedger, owing: Collection[str]) -> str | None:
    """None when the day is proven done; else the first reason why it is not, for people.

    ``owing`` are the mailboxes that owe the day a complete listing.
    """
    unlisted = sorted(set(owing) - set(day.listed))
    if day.fetch is None or unlisted:
        return f"no complete listing of {', '.join(unlisted)}" if unlisted else "not fetched"
    if day.exhausted:
        return f"{day.exhausted} units ran out of tries and wait for a person"
    if day.pending:
        return f"{day.pending} units are pending"
    if day.parse is None:
        return "not parsed"
    if day.parse.input_digest != day.fetch.output_digest:
        return "its mail changed since it was parsed"
    if day.review is None:
        return "not reviewed"
    if day.review.input_digest != day.parse.output_digest:
        return "its parses changed since they were reviewed"
    return None


def is_done(day: DayLedger, owing: Collection[str]) -> bool:
    """Whether the day is proven done."""
    return why_not_done(day, owing) is None


def last_contiguous(expected: Sequence[dt.date], proven: Collection[dt.date]) -> dt.date | None:
    """The last day of the contiguous run of proven days from the first expected day; None when there is none."""
    last = None
    for day in expected:
        if day not in proven:
            break
        last = day
    return last


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a tick reads. ``expected`` are the closed days from the start date, oldest first.

    ``ledger`` may leave out days that are ``done`` and ``shown``: nothing is decided from their rows.
    ``done`` are proven by the ledger, ``shown`` are the days whose three materializations Dagster shows, ``in_hand``
    are days that something running or queued will take. ``current_stale`` says that orders, alerts or the queue lag
    behind the days; ``current_in_hand`` that a run for them is under way, or failed and waits for its next try.
    ``last_relisted`` is, for each listed day, the last try to list it in the mailbox that was tried least recently.
    ``owing`` names the mailboxes that owe a day a listing; with it, days that only a person can help are told apart.
    """

    expected: Sequence[dt.date]
    ledger: Mapping[dt.date, DayLedger]
    done: Collection[dt.date]
    shown: Collection[dt.date]
    in_hand: Collection[dt.date]
    runs_in_flight: int = 0
    relists_in_flight: int = 0
    current_stale: bool = False
    current_in_hand: bool = False
    last_relisted: Mapping[dt.date, dt.datetime] = field(default_factory=dict)
    owing: Callable[[dt.date], Collection[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a tick does: where the cursor stands, which ranges to run, which days' events to bring into line."""

    cursor: dt.date | None
    runs: tuple[tuple[dt.date, dt.date], ...] = ()
    relists: tuple[tuple[dt.date, dt.date], ...] = ()
    report_events: tuple[dt.date, ...] = ()
    refresh_current: bool = False
    note: str = ""


EVENTS_A_TICK = 60


def plan_tick(cursor: dt.date | None, facts: Facts, settings: SensorSettings, now: dt.datetime) -> Plan:
    """Decide what a tick does.

    The cursor is the last day of the contiguous run of done days that Dagster also shows; it freezes before the first
    that is not, and moves back when a day reopens. Missing days are asked for oldest first, in contiguous ranges,
    bounded in flight; a day that failed before runs alone and only when its next try is due, so that one poisoned day
    starves no other.
    """
    # Sets are compared as wholes: a look at each day of ten years costs a millisecond, and there are five here.
    expected, done, shown = set(facts.expected), set(facts.done), set(facts.shown)
    report = tuple(sorted((expected & done) - shown - set(facts.in_hand))[:EVENTS_A_TICK])
    position = last_contiguous(facts.expected, done & shown)
    room = max(0, settings.max_runs_in_flight - facts.runs_in_flight)
    missing = sorted(expected - done - set(facts.in_hand))
    runs = _missing_runs(missing, facts, settings, now, room)
    relists: tuple[tuple[dt.date, dt.date], ...] = ()
    # A day that waits for a person must not keep late mail of the other days from being found.
    if not runs and facts.runs_in_flight == 0 and facts.relists_in_flight == 0:
        relists = tuple(_relists(facts, settings, now)[:1])
    refresh = facts.current_stale and not facts.current_in_hand and facts.runs_in_flight == 0 and not runs
    return Plan(
        cursor=position,
        runs=tuple(runs),
        relists=relists,
        report_events=report,
        refresh_current=refresh,
        note=_note(cursor, position, facts, missing, runs),
    )


def _missing_runs(
    missing: Sequence[dt.date], facts: Facts, settings: SensorSettings, now: dt.datetime, room: int
) -> list[tuple[dt.date, dt.date]]:
    fresh = [d for d in missing if not _failed_before(facts.ledger.get(d))]
    owing = facts.owing
    again = [
        d
        for d in missing
        if _failed_before(facts.ledger.get(d))
        and _due(facts.ledger[d], settings, now)
        and not (owing and _only_a_person_helps(facts.ledger[d], owing(d)))
    ]
    candidates = ranges(fresh, settings.max_days_per_run)
    # Fresh work first, but a due retry is not starved by a long backlog: of two runs in flight or asked for, one is a
    # retry. Slots come free one at a time, so what is in flight counts.
    retries = [(d, d) for d in again]
    if not candidates or not room:
        return retries[:room]
    fresh_at_work = facts.runs_in_flight > 0 and any(
        d not in facts.done and not _failed_before(facts.ledger.get(d)) for d in facts.in_hand
    )
    kept = candidates[: max(0 if fresh_at_work else 1, room - 1) if retries else room]
    return kept + retries[: room - len(kept)]


def _failed_before(day: DayLedger | None) -> bool:
    """Whether something of the day was tried and failed. Mail that a re-listing found was not tried yet: a mailbox that
    gained mail on many days must not cost a run a day."""
    if day is None:
        return False
    return day.tries > 0 or day.exhausted > 0 or (day.pending > 0 and day.next_unit_try_at is not None)


def _only_a_person_helps(day: DayLedger, owing: Collection[str]) -> bool:
    """Whether the day would be done but for units that ran out of tries: a run could do nothing."""
    return day.exhausted > 0 and is_done(replace(day, exhausted=0), owing)


def _due(day: DayLedger, settings: SensorSettings, now: dt.datetime) -> bool:
    """Whether a day that failed may be tried again: its wait is over, and something in it can still be done.

    A wait longer than the longest there is was written before the clock was set back: it is over.
    """
    longest = now + dt.timedelta(seconds=settings.retry_limit_seconds)
    if day.exhausted and not day.pending and day.tries == 0:
        return False  # only a person can help
    waits = [t for t in (day.next_try_at, day.next_unit_try_at if day.pending else None) if t is not None]
    return all(t <= now or t > longest for t in waits)


def _relists(facts: Facts, settings: SensorSettings, now: dt.datetime) -> list[tuple[dt.date, dt.date]]:
    """Recent days hourly, all days weekly."""
    recent = set(facts.expected[-settings.relist_recent_days :]) if settings.relist_recent_days else set()
    rare, often = settings.relist_all_every_seconds, settings.relist_recent_every_seconds
    due = {
        day
        for day, listed in facts.last_relisted.items()
        # A listing of the future was made before the clock was set back.
        if listed > now or (now - listed).total_seconds() >= (often if day in recent else rare)
    }
    return ranges(due & set(facts.expected) & set(facts.done) - set(facts.in_hand), 366)


def _note(
    cursor: dt.date | None,
    position: dt.date | None,
    facts: Facts,
    missing: Sequence[dt.date],
    runs: Sequence[tuple[dt.date, dt.date]],
) -> str:
    where = f"cursor at {position}" if position else "no day done yet"
    if cursor and position != cursor:
        where += f" (was {cursor})"
    if not missing:
        return f"{where}; {len(facts.expected)} days, none missing"
    if runs:
        return f"{where}; {len(missing)} days missing, asking for " + ", ".join(f"{a} to {b}" for a, b in runs)
    return f"{where}; {len(missing)} days missing, waiting for runs in flight or for their next try"


def encode_cursor(day: dt.date | None) -> str:
    """The cursor as it is stored with the sensor."""
    return json.dumps({"version": CURSOR_VERSION, "day": day.isoformat() if day else None})


def decode_cursor(text: str | None) -> dt.date | None:
    """The day of a stored cursor; None when it is lost, of another version, or garbage: the ledger knows better."""
    if text and len(text) > _CURSOR_LIMIT:
        return None
    try:
        data = json.loads(text or "null")
        if not isinstance(data, dict) or data.get("version") != CURSOR_VERSION or not isinstance(data.get("day"), str):
            return None
        return dt.date.fromisoformat(data["day"])
    except (ValueError, RecursionError):
        return None
