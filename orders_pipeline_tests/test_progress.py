"""What the cursor may claim, and what a tick asks for."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.config import SensorSettings
from orders_pipeline.days import days_between
from orders_pipeline.progress import (
    EVENTS_A_TICK,
    DayLedger,
    Facts,
    StageMark,
    decode_cursor,
    encode_cursor,
    is_done,
    last_contiguous,
    plan_tick,
    why_not_done,
)

NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
FIRST = dt.date(2026, 5, 1)
SETTINGS = SensorSettings()
BOXES = ("home", "shop")


def day_at(n: int) -> dt.date:
    return FIRST + dt.timedelta(days=n)


def mark(input_digest: str, output_digest: str) -> StageMark:
    return StageMark(input_digest=input_digest, output_digest=output_digest)


def done_row(day: dt.date, **changes: Any) -> DayLedger:
    row = DayLedger(
        day=day,
        fetch=mark("", "mail"),
        parse=mark("mail", "parses"),
        review=mark("parses", "cases"),
        listed=dict.fromkeys(BOXES, NOW),
    )
    return replace(row, **changes)


def facts(
    count: int,
    done: Iterable[int] = (),
    *,
    shown: Iterable[int] | None = None,
    rows: Iterable[DayLedger] = (),
    in_hand: Iterable[int] = (),
    **more: Any,
) -> Facts:
    """Facts over ``count`` days from FIRST; days by number. Done days have a ledger row and are shown."""
    done = list(done)
    ledger = {day_at(n): done_row(day_at(n)) for n in done} | {row.day: row for row in rows}
    return Facts(
        expected=days_between(FIRST, day_at(count - 1)),
        ledger=ledger,
        done={day_at(n) for n in done},
        shown={day_at(n) for n in (done if shown is None else shown)},
        in_hand={day_at(n) for n in in_hand},
        **{"last_relisted": dict.fromkeys((day_at(n) for n in done), NOW), "owing": lambda day: BOXES, **more},
    )


def asked(found: Facts, settings: SensorSettings = SETTINGS, now: dt.datetime = NOW) -> list[tuple[int, int]]:
    runs = plan_tick(None, found, settings, now).runs
    return [((first - FIRST).days, (last - FIRST).days) for first, last in runs]


def failed(n: int, *, due: bool, **more: Any) -> DayLedger:
    return DayLedger(day=day_at(n), tries=1, next_try_at=NOW + dt.timedelta(seconds=-1 if due else 1), **more)


# ------------------------------------------------------------------------------------------- done


BREAKS: dict[str, tuple[dict[str, Any], str]] = {
    "never fetched": ({"fetch": None}, "not fetched"),
    "a mailbox without a listing": ({"listed": {"home": NOW}}, "no complete listing of shop"),
    "not parsed": ({"parse": None}, "not parsed"),
    "mail came since": ({"fetch": mark("", "more mail")}, "its mail changed"),
    "not reviewed": ({"review": None}, "not reviewed"),
    "parsed anew since": ({"parse": mark("mail", "other parses")}, "its parses changed"),
    "a pending unit": ({"pending": 1}, "1 units are pending"),
    "a unit out of tries": ({"exhausted": 2}, "2 units ran out of tries"),
}


@pytest.mark.parametrize(("changes", "why"), BREAKS.values(), ids=BREAKS.keys())
def test_a_day_is_done_only_when_everything_is_proven(changes: dict[str, Any], why: str) -> None:
    """One proof left out is a day that is called done with mail missing."""
    assert is_done(done_row(FIRST), BOXES)
    assert why in str(why_not_done(done_row(FIRST, **changes), BOXES))


def test_a_listing_of_a_mailbox_that_owes_nothing_plays_no_part() -> None:
    """A mailbox taken out of the configuration must neither prove a day nor hold it."""
    assert is_done(done_row(FIRST), ("home",))
    assert not is_done(done_row(FIRST), ("home", "new"))


# ----------------------------------------------------------------------------------------- cursor


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12))
def test_the_cursor_is_the_last_contiguous_day_that_is_done_and_shown(states: list[tuple[bool, bool]]) -> None:
    """A cursor beyond a gap is the lying watermark: the days in the gap are never seen again."""
    done = [n for n, (is_done_, _) in enumerate(states) if is_done_]
    shown = [n for n, (_, is_shown) in enumerate(states) if is_shown]
    found = replace(facts(len(states), done, shown=shown), expected=[day_at(n) for n in range(len(states))])
    position = plan_tick(None, found, SETTINGS, NOW).cursor
    proven = [all(pair) for pair in states]
    run = len(list(itertools.takewhile(bool, proven)))
    assert position == (day_at(run - 1) if run else None)


def test_the_cursor_freezes_before_a_gap_and_moves_back_when_a_day_reopens() -> None:
    """Later days going through must not carry the cursor over the gap."""
    assert plan_tick(None, facts(10, [0, 1, 2, *range(4, 10)]), SETTINGS, NOW).cursor == day_at(2)
    plan = plan_tick(day_at(9), facts(10, range(1, 10)), SETTINGS, NOW)
    assert plan.cursor is None
    assert f"was {day_at(9)}" in plan.note


@pytest.mark.parametrize("stored", [None, day_at(-400), day_at(3), day_at(4000)])
def test_the_stored_cursor_decides_nothing(stored: dt.date | None) -> None:
    """A cursor that was lost or set by hand must cost a tick, not days."""
    found = facts(10, [0, 1, 2, 5])
    assert replace(plan_tick(stored, found, SETTINGS, NOW), note="") == replace(
        plan_tick(day_at(2), found, SETTINGS, NOW), note=""
    )


def test_a_start_date_moved_back_asks_for_exactly_the_new_days() -> None:
    """Moving the start is how more history is asked for; it must not run what is done again."""
    before = facts(13, range(3, 13))
    plan = plan_tick(day_at(12), before, SETTINGS, NOW)
    assert plan.runs == ((day_at(0), day_at(2)),)
    assert plan.cursor is None


@given(st.text() | st.from_regex(r'\{"version": ?[0-9]+, ?"day": ?.{0,12}\}', fullmatch=True))
def test_any_stored_text_is_a_day_or_none(text: str) -> None:
    """A cursor field edited in the UI must not stop the sensor."""
    assert decode_cursor(text) is None or isinstance(decode_cursor(text), dt.date)


GARBAGE = {
    "lost": None,
    "empty": "",
    "plain": "2026-05-11",
    "older": '{"version": 0, "day": "2026-05-11"}',
    "newer": '{"version": 2, "day": "2026-05-11"}',
    "no day": '{"version": 1, "day": null}',
    "a number": '{"version": 1, "day": 20260511}',
    "no such day": '{"version": 1, "day": "2026-02-30"}',
    "a list": "[1, 2]",
    "nested": "[" * 100_000,
    "long number": "1" * 100_000,
    "huge": json.dumps({"version": 1, "day": "2026-05-11", "more": "x" * 10_000_000}),
}


@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE.keys())
def test_a_cursor_that_is_not_ours_is_none(text: str | None) -> None:
    """Whatever Dagster has stored, a tick goes on."""
    assert decode_cursor(text) is None


@given(st.none() | st.dates())
def test_a_cursor_comes_back_as_it_was_stored(day: dt.date | None) -> None:
    """People compare the cursor of the UI with the ledger."""
    assert decode_cursor(encode_cursor(day)) == day


# ------------------------------------------------------------------------------------------- runs


@given(
    st.integers(1, 40).flatmap(lambda n: st.lists(st.sampled_from("dmhfwx"), min_size=n, max_size=n)),
    st.integers(1, 8),
    st.integers(1, 4),
    st.integers(0, 5),
)
def test_what_is_asked_for_is_bounded_missing_contiguous_and_free(
    states: list[str], longest: int, at_most: int, flying: int
) -> None:
    """d done, m missing, h in hand, f failed and due, w failed and waiting, x only a person can help."""
    settings = SensorSettings(max_days_per_run=longest, max_runs_in_flight=at_most)
    rows = [failed(n, due=s == "f") for n, s in enumerate(states) if s in "fw"]
    rows += [done_row(day_at(n), exhausted=1, tries=3, next_try_at=NOW) for n, s in enumerate(states) if s == "x"]
    found = facts(
        len(states),
        [n for n, s in enumerate(states) if s == "d"],
        rows=rows,
        in_hand=[n for n, s in enumerate(states) if s == "h"],
        runs_in_flight=flying,
    )
    runs = asked(found, settings)
    assert len(runs) <= max(0, at_most - flying)
    taken = [n for first, last in runs for n in range(first, last + 1)]
    assert len(taken) == len(set(taken))
    assert all(states[n] in "mf" for n in taken)
    assert all(last - first < longest for first, last in runs)
    assert all(first == last for first, last in runs if "f" in states[first : last + 1])
    free = [n for n, s in enumerate(states) if s == "m"]
    if at_most > flying:
        assert bool(runs) == any(s in "mf" for s in states)
        only_a_retry = at_most - flying == 1 and flying and "h" in states and "f" in states
        assert not free or free[0] in taken or only_a_retry, "fresh days go oldest first"


def test_missing_days_go_oldest_first_in_ranges_around_what_is_done_or_in_hand() -> None:
    """A year is a dozen runs, not 365 processes, and never two runs of one day."""
    settings = SensorSettings(max_days_per_run=5, max_runs_in_flight=16)
    assert asked(facts(20, [4, 12], in_hand=[9]), settings) == [(0, 3), (5, 8), (10, 11), (13, 17), (18, 19)]


def test_a_day_that_failed_runs_alone_and_only_when_it_is_due() -> None:
    """One mail that kills its process would kill the runs of thirty days."""
    assert asked(facts(5, rows=[failed(2, due=True)])) == [(0, 1), (2, 2)]
    settings = SensorSettings(max_runs_in_flight=16)
    assert asked(facts(5, rows=[failed(2, due=True)]), settings) == [(0, 1), (3, 4), (2, 2)]
    assert asked(facts(5, rows=[failed(2, due=False)]), settings) == [(0, 1), (3, 4)]


@given(st.integers(0, 30), st.integers(1, 4))
def test_poisoned_days_never_starve_a_fresh_one(poisoned: int, room: int) -> None:
    """Thirty days that fail at once took every slot, and yesterday was never fetched."""
    rows = [failed(n, due=True) for n in range(poisoned)]
    runs = asked(facts(poisoned + 1, rows=rows), SensorSettings(max_runs_in_flight=room))
    assert (poisoned, poisoned) in runs


def test_a_due_retry_is_not_starved_by_a_long_backlog() -> None:
    """A backlog of years would put a day that failed once off for days."""
    settings = SensorSettings(max_days_per_run=1, max_runs_in_flight=2)
    assert asked(facts(300, rows=[failed(7, due=True)]), settings) == [(0, 0), (7, 7)]


def test_a_due_retry_is_not_starved_where_slots_come_free_one_at_a_time() -> None:
    """While a long backlog keeps one slot busy, the other would go to more of it, and never to a retry."""
    backlog = facts(200, rows=[failed(0, due=True)], in_hand=range(1, 31), runs_in_flight=1)
    assert asked(backlog) == [(0, 0)]
    # A retry at work leaves the slot to the backlog.
    assert asked(facts(200, rows=[failed(0, due=True), failed(1, due=True)], in_hand=[1], runs_in_flight=1)) == [
        (2, 31)
    ]


def test_a_day_that_only_a_person_can_help_is_never_asked_for() -> None:
    """A run ends such a day badly each time, and its next try would come for ever."""
    stuck = done_row(day_at(0), exhausted=1, tries=40, next_try_at=NOW - dt.timedelta(days=1))
    assert asked(facts(1, rows=[stuck])) == []
    assert asked(facts(1, rows=[replace(stuck, pending=1)])) == [(0, 0)]
    assert asked(facts(1, rows=[replace(stuck, listed={"home": NOW})])) == [(0, 0)], "a mailbox is still owed"
    assert asked(facts(1, rows=[replace(stuck, review=None)])) == [(0, 0)]


def test_mail_found_by_a_relisting_is_no_failure() -> None:
    """A mailbox that gained mail on a hundred days would cost a hundred runs."""
    rows = [done_row(day_at(n), pending=1) for n in range(6)]
    assert asked(facts(6, rows=rows)) == [(0, 5)]
    tried = [replace(row, next_unit_try_at=NOW) for row in rows]
    assert asked(facts(6, rows=tried)) == [(0, 0), (1, 1)]


def test_a_unit_that_waits_holds_its_day_back() -> None:
    """A unit that failed a second ago was tried again on every tick."""
    row = done_row(day_at(0), pending=1, next_unit_try_at=NOW + dt.timedelta(minutes=5))
    assert asked(facts(1, rows=[row])) == []
    assert asked(facts(1, rows=[row]), now=NOW + dt.timedelta(minutes=5)) == [(0, 0)]


# ------------------------------------------------------------------------------- relists, events


def relisted(found: Facts, settings: SensorSettings = SETTINGS) -> list[tuple[int, int]]:
    relists = plan_tick(None, found, settings, NOW).relists
    return [((first - FIRST).days, (last - FIRST).days) for first, last in relists]


def hours_ago(hours: float, days: Iterable[int]) -> dict[dt.date, dt.datetime]:
    return {day_at(n): NOW - dt.timedelta(hours=hours) for n in days}


def test_recent_days_are_relisted_hourly_and_all_days_weekly() -> None:
    """Mail that arrives late, or is moved into the mailbox, is found in no other way."""
    everything = range(30)
    assert relisted(facts(30, everything, last_relisted=hours_ago(0.9, everything))) == []
    assert relisted(facts(30, everything, last_relisted=hours_ago(1, everything))) == [(23, 29)]
    assert relisted(facts(30, everything, last_relisted=hours_ago(24 * 7, everything))) == [(0, 29)]


def test_relisting_stays_out_of_the_way() -> None:
    """It is idle work: never beside a run of its own kind, of days, or of a day in hand."""
    old = hours_ago(24 * 30, range(10))
    assert relisted(facts(10, range(10), last_relisted=old, relists_in_flight=1)) == []
    assert relisted(facts(10, range(10), last_relisted=old, runs_in_flight=1)) == []
    assert relisted(facts(10, range(9), last_relisted=old)) == [], "a day is missing"
    assert relisted(facts(10, range(10), last_relisted=old, in_hand=[0, 1])) == [(2, 9)]


def test_a_day_that_waits_does_not_stop_the_relisting_of_others() -> None:
    """One unit out of tries would have hidden the late mail of every other day."""
    old, others = hours_ago(24 * 30, range(10)), [n for n in range(10) if n != 4]
    for row in (failed(4, due=False), done_row(day_at(4), exhausted=1, tries=9, next_try_at=NOW)):
        assert relisted(facts(10, others, rows=[row], last_relisted=old)) == [(0, 3)]


def test_events_are_brought_into_line_oldest_first_and_bounded() -> None:
    """A purged event log of ten years in one tick is a tick that is killed, and the next, and the next."""
    found = facts(200, range(200), shown=range(100, 200), in_hand=[0])
    plan = plan_tick(None, found, SETTINGS, NOW)
    assert plan.report_events == tuple(day_at(n) for n in range(1, EVENTS_A_TICK + 1))
    assert plan.runs == ()
    assert plan_tick(None, facts(3, [0, 1], shown=range(3)), SETTINGS, NOW).report_events == ()


def test_current_state_is_refreshed_once_the_days_are_through() -> None:
    """Computed after each of three hundred days it would be computed three hundred times."""
    stale: dict[str, Any] = {"current_stale": True}
    assert plan_tick(None, facts(3, range(3), **stale), SETTINGS, NOW).refresh_current
    others: list[dict[str, Any]] = [{"current_in_hand": True}, {"runs_in_flight": 1}, {"current_stale": False}]
    for more in others:
        assert not plan_tick(None, facts(3, range(3), **(stale | more)), SETTINGS, NOW).refresh_current
    assert not plan_tick(None, facts(4, range(3), **stale), SETTINGS, NOW).refresh_current
    waiting = facts(4, range(3), rows=[failed(3, due=False)], **stale)
    assert plan_tick(None, waiting, SETTINGS, NOW).refresh_current


# ------------------------------------------------------------------------------------- many ticks


class World:
    """Days that fail a given number of times (None: always), and the runs that a plan asks for."""

    def __init__(self, failures: Collection[int | None], settings: SensorSettings, start: int) -> None:
        self.left = {day_at(n): count for n, count in enumerate(failures)}
        self.settings = settings
        self.now = NOW
        self.first = start
        self.rows: dict[dt.date, DayLedger] = {}
        self.shown: set[dt.date] = set()
        self.flying: list[list[dt.date]] = []
        self.cursor: dt.date | None = None
        self.runs = 0

    def facts(self) -> Facts:
        expected = [d for d in self.left if d >= day_at(self.first)]
        return Facts(
            expected=expected,
            ledger=self.rows,
            done={d for d, row in self.rows.items() if is_done(row, BOXES)},
            shown=self.shown,
            in_hand={d for run in self.flying for d in run},
            runs_in_flight=len(self.flying),
            last_relisted=dict.fromkeys(self.rows, self.now),
            owing=lambda day: BOXES,
        )

    def tick(self) -> bool:
        """One tick and the end of some run; whether anything happened."""
        plan = plan_tick(self.cursor, self.facts(), self.settings, self.now)
        again = plan_tick(plan.cursor, self.facts(), self.settings, self.now)
        assert replace(again, note="") == replace(plan, note=""), "a plan follows from the facts alone"
        self.cursor = plan.cursor
        self.shown |= set(plan.report_events)
        self.flying += [days_between(*span) for span in plan.runs]
        self.runs += len(plan.runs)
        assert len(self.flying) <= self.settings.max_runs_in_flight
        moved = bool(plan.runs or plan.report_events or self.flying)
        if self.flying:
            for day in self.flying.pop(0):
                self._take(day)
        self.now += dt.timedelta(seconds=30)
        return moved

    def _take(self, day: dt.date) -> None:
        left = self.left[day]
        if left == 0:
            self.rows[day] = done_row(day)  # Dagster is told of it by a later tick: the worst case
            return
        self.left[day] = None if left is None else left - 1
        tries = self.rows[day].tries + 1 if day in self.rows else 1
        wait = min(self.settings.retry_limit_seconds, self.settings.retry_first_seconds * 2 ** min(tries - 1, 30))
        self.rows[day] = DayLedger(day=day, tries=tries, next_try_at=self.now + dt.timedelta(seconds=wait))


@given(
    st.lists(st.sampled_from([0, 0, 0, 0, 1, 2, 5, None]), min_size=1, max_size=40),
    st.integers(1, 10),
    st.integers(1, 3),
)
def test_every_day_that_can_succeed_is_done_after_enough_ticks(
    failures: list[int | None], longest: int, room: int
) -> None:
    """Forward progress and no loss: the backlog ends, whatever fails on the way, and the cursor stops where it must."""
    settings = SensorSettings(
        max_days_per_run=longest, max_runs_in_flight=room, retry_first_seconds=60, retry_limit_seconds=600
    )
    world = World(failures, settings, start=0)
    able = {day for day, left in world.left.items() if left is not None}
    for _ in range(40 * len(failures) + 400):
        world.tick()
        if able <= world.shown and world.cursor == last_contiguous(list(world.left), able):
            break
    assert {d for d, row in world.rows.items() if is_done(row, BOXES)} == able
    assert world.cursor == last_contiguous(list(world.left), able)
    if None not in failures:
        assert not world.tick(), "where all is done, a tick does nothing"
        days = sum(count or 0 for count in failures) + len(failures)
        assert world.runs <= days


def test_a_start_date_moved_back_converges_too() -> None:
    """The new days lie before the cursor, which must come back to where it was."""
    world = World([0] * 13, SETTINGS, start=3)
    while world.tick():
        pass
    assert world.cursor == day_at(12)
    runs, world.first = world.runs, 0
    world.tick()
    assert world.cursor is None
    while world.tick():
        pass
    assert world.cursor == day_at(12)
    assert world.runs == runs + 1
