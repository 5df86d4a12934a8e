"""The ledger read by one query: it says the same as the rule over each day."""

from __future__ import annotations

import datetime as dt
import random

import pytest

from orders_pipeline.progress import is_done
from orders_pipeline.store import facts
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.store import Store
from orders_pipeline.store.survey import survey
from orders_pipeline_tests.store.builders import DAY, NOW

DAYS = [DAY + dt.timedelta(days=n) for n in range(300)]
# One owes every day, one the later half of them, one is no longer configured.
MAILBOXES = {"home": None, "shop": DAYS[150]}
FORMER = "former"


def owing(day: dt.date) -> set[str]:
    return {name for name, since in MAILBOXES.items() if since is None or since <= day}


def fill(con: Connection, dice: random.Random) -> None:
    """Days in every state that the tables can hold, most of them nearly or quite done."""
    for day in DAYS:
        if dice.random() < 0.03:
            continue  # nothing is known of it
        digests = ["mail", "mail", "parses", "parses", "cases"]  # what a stage takes is what the one before gave
        if dice.random() < 0.2:
            digests[dice.randrange(1, 4)] = "other"
        marks = [("fetch", "listing", digests[0]), ("parse", *digests[1:3]), ("review", *digests[3:])]
        for stage, given, made in marks:
            if dice.random() < 0.95:
                con.execute(
                    "INSERT INTO stage_days VALUES (?, ?, ?, ?, 1, '1', ?, ?, NULL)",
                    [stage, day, given, made, NOW, NOW],
                )
        for name in (*MAILBOXES, FORMER):
            if dice.random() < 0.95:
                listed = None if dice.random() < 0.1 else NOW + dt.timedelta(minutes=dice.randrange(90))
                tried = None if dice.random() < 0.3 else NOW + dt.timedelta(microseconds=dice.randrange(10**10))
                con.execute(
                    "INSERT INTO listings VALUES (?, ?, ?, 1, 'd', 0, ?, NULL, NULL)", [name, day, listed, tried]
                )
        for state in ("pending", "exhausted", "waived"):
            for stage in ("fetch", "archive"):
                if dice.random() < 0.05:
                    values = [stage, day, f"{state} {day}", state, NOW if dice.random() < 0.5 else None]
                    con.execute("INSERT INTO units VALUES (?, ?, NULL, ?, ?, 1, NULL, NULL, ?)", values)
        if dice.random() < 0.1:
            con.execute("INSERT INTO day_tries VALUES (?, 2, ?, 'parse', 'why', ?)", [day, NOW, NOW])
    con.execute("INSERT INTO units VALUES ('parse', NULL, NULL, 'unplaced', 'exhausted', 1, NULL, NULL, NULL)")


@pytest.mark.parametrize("seed", range(3))
def test_a_survey_proves_the_days_that_the_rule_proves(store: Store, seed: int) -> None:
    """A day that the query took for done and the rule does not would be claimed by the cursor with mail missing."""
    with store.state.transaction() as con:
        fill(con, random.Random(seed))
        found, ledger = survey(con, MAILBOXES), facts.read_ledger(con)
        listings = rows(con, "FROM listings WHERE listed_at IS NOT NULL")
    assert found.proven == {day for day, row in ledger.items() if is_done(row, owing(day))}
    assert 30 < len(found.proven) < 200
    assert sorted(found.proven | set(found.others)) == sorted(ledger)
    assert found.proven.isdisjoint(found.others)
    relisted: dict[dt.date, dt.datetime] = {}
    for row in listings:
        if row["mailbox"] in owing(row["day"]):
            tried = row["tried_at"] or row["listed_at"]
            relisted[row["day"]] = min(tried, relisted.get(row["day"], tried))
    assert found.relisted == relisted


def test_rows_of_some_days_are_those_of_all_days(store: Store) -> None:
    """What a tick reads of a few days must not differ from what status reads of all."""
    with store.state.transaction() as con:
        fill(con, random.Random(7))
        every = facts.read_ledger(con)
        some = [*DAYS[::7], DAY - dt.timedelta(days=1)]
        assert facts.read_ledger(con, some) == {day: every[day] for day in some if day in every}
        assert facts.read_ledger(con, []) == {}


def test_a_mailbox_that_nobody_owes_makes_nothing_due(store: Store) -> None:
    """Its days would be listed again for ever."""
    with store.state.transaction() as con:
        con.execute("INSERT INTO listings VALUES (?, ?, ?, 1, 'd', 0, NULL, NULL, NULL)", [FORMER, DAY, NOW])
        found = survey(con, MAILBOXES)
        assert (found.proven, found.others, found.relisted) == (set(), [DAY], {})
        assert survey(con, {}).proven == set()
