"""A day's parses, verdicts, units and ledger rows: replaced together, or not at all."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from orders_pipeline.errors import StaleInput
from orders_pipeline.models import UnitState
from orders_pipeline.store import acts, facts, ledger, mail_rows, parse_rows, review_rows, units
from orders_pipeline.store.store import Store
from orders_pipeline_tests.store.builders import (
    DAY,
    NOW,
    at,
    fetched,
    id_of,
    orders,
    outcomes,
    save_mail,
    table,
    verdict_row,
)

NEXT = DAY + dt.timedelta(days=1)
STAMP: dict[str, Any] = {"version": "1", "now": NOW, "run_id": None}


@pytest.fixture
def digest(store: Store) -> str:
    """The digest of a day that holds the mails a and b; the day after holds c."""
    save_mail(store, "a", "b")
    save_mail(store, "c", day=NEXT)
    with store.state.transaction() as con:
        mail_rows.adopt(con, store.archive, [DAY, NEXT])
        fetched(con, NEXT)
        return fetched(con)


def parse(store: Store, digest: str, *texts: str, subject: str = "s") -> ledger.StageDay:
    with store.state.transaction() as con:
        return parse_rows.replace(
            con, DAY, fetch_digest=digest, outcomes=outcomes(*texts, subject=subject), orders=orders(*texts), **STAMP
        )  # fmt: skip


def case(text: str) -> dict[str, Any]:
    return {
        "day": DAY, "case_id": f"case-{text}", "message_id": id_of(text), "canonical_digest": "c",
        "template_digest": "t", "sender_domain": "shop.example", "outcome": "parsed", "reasons": "[]", "strength": 0.5,
        "produced": "{}", "judge": "rules", "duplicates": [],
    }  # fmt: skip


# ------------------------------------------------------------------------------------------- parses


def test_replacing_keeps_other_days_and_other_messages(store: Store, digest: str) -> None:
    """A re-run of one day that empties another is a loss with a green tick."""
    with store.state.transaction() as con:
        other = ledger.mail_digest(con, NEXT)[0]
        frames = {"outcomes": outcomes("c", day=NEXT), "orders": orders("c", day=NEXT)}
        parse_rows.replace(con, NEXT, fetch_digest=other, **frames, **STAMP)
    parse(store, digest, "a", "b")
    row = parse(store, digest, "b", subject="new")
    found = table(store, "SELECT day, message_id, subject FROM parse_outcomes ORDER BY day, subject")
    assert [tuple(r.values()) for r in found] == [
        (DAY, id_of("b"), "new"), (DAY, id_of("a"), "s"), (NEXT, id_of("c"), "s"),
    ]  # fmt: skip
    assert len(table(store, "FROM parsed_orders")) == 3
    assert row.row_count == 2
    assert row.input_digest == digest


def test_the_output_digest_follows_the_parses_alone(store: Store, digest: str) -> None:
    """A parse that changes nothing must not make the review of a year pending."""
    first = parse(store, digest, "a", "b").output_digest
    assert parse(store, digest, "b", "a").output_digest == first
    assert parse(store, digest, "a", subject="new").output_digest != first


def test_stale_input_writes_nothing(store: Store, digest: str) -> None:
    """Rows made from yesterday's mail under today's digest: the day looks done and lacks a mail."""
    parse(store, digest, "a", "b")
    before = table(store, "FROM parse_outcomes"), table(store, "FROM stage_days ORDER BY ALL")
    with pytest.raises(StaleInput, match=f"{DAY} changed while it was worked on; nothing was written"):
        parse(store, "another digest", "a", subject="new")
    with pytest.raises(StaleInput), store.state.transaction() as con:
        review_rows.replace(con, DAY, parse_digest="another digest", cases=[], judged=0, **STAMP)
    assert (table(store, "FROM parse_outcomes"), table(store, "FROM stage_days ORDER BY ALL")) == before


def test_a_row_that_has_no_place_keeps_the_old_day(store: Store, digest: str) -> None:
    """The old rows go first: without the transaction a failing insert leaves an empty day."""
    parse(store, digest, "a", "b")
    bad = outcomes("a", "b", subject="new")
    bad[1]["orders"] = 2**40
    with pytest.raises(Exception, match="too large"), store.state.transaction() as con:
        parse_rows.replace(con, DAY, fetch_digest=digest, outcomes=bad, orders=orders("a"), **STAMP)
    assert {r["subject"] for r in table(store, "SELECT subject FROM parse_outcomes")} == {"s"}
    assert len(table(store, "FROM parsed_orders")) == 2


def test_a_day_without_mail_is_replaced_too(store: Store) -> None:
    """Most days have no orders, some no mail at all; they are done all the same."""
    with store.state.transaction() as con:
        digest = fetched(con)
    row = parse(store, digest)
    assert row.row_count == 0
    with store.state.reading() as con:
        source = parse_rows.read_input(con, DAY)
        assert source is not None
        assert len(source.messages) == 0
        assert parse_rows.read_input(con, NEXT + dt.timedelta(days=9)) is None


def test_outcomes_of_messages_that_are_no_more_go(store: Store, digest: str) -> None:
    """What was forgotten would stay in the tables."""
    parse(store, digest, "a", "b")
    with store.state.transaction() as con:
        con.execute("DELETE FROM messages WHERE message_id = ?", [id_of("a")])
        digest = fetched(con)
    parse(store, digest)
    assert [r["message_id"] for r in table(store, "FROM parse_outcomes")] == [id_of("b")]


# ----------------------------------------------------------------------------------------- verdicts


def test_of_two_verdicts_the_later_stands_whatever_the_names_of_the_files(store: Store, digest: str) -> None:
    """A rejudge that a person asked for and paid for would be lost to the older file."""
    parse(store, digest, "a")
    said = ["[]", '[{"code":"x"}]', "[]"]
    for n, reasons in enumerate(said):
        store.archive.save("verdicts", DAY, [verdict_row("a", reasons=reasons, minutes=n)])
    with store.state.transaction() as con:
        assert review_rows.adopt(con, store.archive, DAY) == 3
        assert review_rows.adopt(con, store.archive, DAY) == 0
        source = review_rows.read_input(con, DAY)
    assert source is not None
    (verdict,) = source.verdicts
    assert (verdict["reasons"], verdict["suspect"], verdict["judged_at"]) == ("[]", False, at(2))


def test_cases_of_a_day_are_replaced_and_those_of_others_stay(store: Store, digest: str) -> None:
    """A case that the better parser no longer proposes must go, and no other."""
    parsed = parse(store, digest, "a", "b").output_digest
    for cases in (["a", "b"], ["b"]):
        with store.state.transaction() as con:
            con.execute("INSERT INTO proposed_eval_cases BY NAME SELECT * REPLACE (?::DATE AS day)"
                        " FROM proposed_eval_cases WHERE day = ?", [NEXT, DAY])  # fmt: skip
            found = [case(text) for text in cases]
            row = review_rows.replace(con, DAY, parse_digest=parsed, cases=found, judged=2, **STAMP)
    assert row.row_count == 1
    found = table(store, "SELECT day, case_id FROM proposed_eval_cases ORDER BY ALL")
    assert [tuple(r.values()) for r in found] == [(DAY, "case-b"), (NEXT, "case-a"), (NEXT, "case-b")]


def test_a_decision_survives_that_its_case_is_no_longer_proposed(store: Store, digest: str) -> None:
    """Accepted cases are the test set; a better parser would have emptied it."""
    snapshot = {"day": DAY.isoformat(), "message_id": id_of("a"), "expected": {"total": "1"}}
    acts.save(store, acts.DECISION, "case-a", {"decision": "accepted", "snapshot": snapshot, "note": None}, now=NOW)
    found = table(store, "SELECT case_id, state, day, message_id, still_proposed FROM eval_cases")
    assert found == [
        {"case_id": "case-a", "state": "accepted", "day": DAY, "message_id": id_of("a"), "still_proposed": False}
    ]
    acts.save(store, acts.DECISION, "case-a", {"decision": "rejected", "snapshot": snapshot, "note": None}, now=NOW)
    assert [r["state"] for r in table(store, "SELECT state FROM eval_cases")] == ["rejected"], "the last one stands"


# -------------------------------------------------------------------------------------------- units


def fault(store: Store, n: int, *, uses_try: bool = True, max_tries: int = 3, unit: str = "u") -> UnitState:
    with store.state.transaction() as con:
        return units.record_fault(
            con, ledger.FETCH, unit, day=DAY, mailbox="home", error="no\x1b[2J\udcff" + "x" * 900, uses_try=uses_try,
            max_tries=max_tries, now=at(n), first=60.0, limit=200.0,
        )  # fmt: skip


def test_tries_are_spaced_and_end(store: Store) -> None:
    """Without an end one bad mail is asked for for ever; without a wait, on every tick."""
    states, waits = [], []
    for n in range(5):
        states.append(fault(store, n, max_tries=5))
        row = table(store, "SELECT next_try_at, tried_at, error FROM units")[0]
        waits.append((row["next_try_at"] - row["tried_at"]).total_seconds() if row["next_try_at"] else None)
        assert row["error"].isprintable()
        assert len(row["error"]) <= 500
    assert states == [UnitState.PENDING] * 4 + [UnitState.EXHAUSTED]
    assert waits == [60, 120, 200, 200, None]


def test_faults_of_the_mailbox_use_no_try_up(store: Store) -> None:
    """A mailbox that was down over a weekend would have given up every mail of it."""
    fault(store, 0, max_tries=5)
    fault(store, 1, max_tries=5)
    assert {fault(store, n, uses_try=False, max_tries=2) for n in range(2, 30)} == {UnitState.PENDING}
    assert table(store, "SELECT tries FROM units") == [{"tries": 2}]
    assert fault(store, 31, max_tries=3) is UnitState.EXHAUSTED


def test_success_leaves_no_row_and_other_mailboxes_alone(store: Store) -> None:
    """Tries that stay would exhaust the unit at its next fault, years later."""
    fault(store, 0)
    with store.state.transaction() as con:
        units.open_missing(con, ledger.FETCH, ["u", "v", "v"], day=DAY, mailbox="shop", now=NOW, why="w")
        assert units.open_count(con, DAY) == 3
        assert units.open_count(con, DAY, mailbox="shop") == 2
        units.clear(con, ledger.FETCH, ["u"], mailbox="home")
        assert units.open_count(con, DAY, ledger.FETCH) == 2
        assert units.open_count(con, DAY, ledger.PARSE) == 0


def test_put_aside_are_units_that_a_person_or_the_mailbox_decides(store: Store) -> None:
    """What is not due is not fetched."""
    fault(store, 0, max_tries=1, unit="exhausted")
    fault(store, 0, unit="pending")
    with store.state.transaction() as con:
        units.set_state(con, ledger.FETCH, "waived", UnitState.WAIVED, day=DAY, mailbox="home", now=NOW)
        assert units.not_due(con, ledger.FETCH, mailbox="home") == {"exhausted", "waived"}
        assert units.not_due(con, ledger.FETCH, mailbox="shop") == set()


# ------------------------------------------------------------------------------------------- ledger


def test_a_kill_counts_as_a_try_and_its_end_is_named(store: Store) -> None:
    """A day that kills its process would be tried again at once, for ever."""
    spacing: dict[str, Any] = {"first": 60.0, "limit": 3600.0}
    tries = []
    for n in range(3):
        with store.state.transaction() as con:
            tries.append(ledger.begin_try(con, DAY, now=at(n), progressed=False, **spacing))
            row = facts.read_ledger(con)[DAY]
        assert row.error == "the process ended before the day was done"
        assert row.next_try_at is not None
        assert (row.next_try_at - at(n)).total_seconds() == 60 * 2**n
    assert tries == [1, 2, 3]
    with store.state.transaction() as con:
        assert ledger.begin_try(con, DAY, now=NOW, progressed=True, **spacing) == 1
        ledger.fail_try(con, DAY, stage="parse", error="bad\n\udcff" + "x" * 900, now=NOW, **spacing)
        assert str(facts.read_ledger(con)[DAY].error).isprintable()
        ledger.end_try(con, DAY)
        assert facts.read_ledger(con) == {}


def test_a_ledger_row_keeps_when_the_day_was_first_done(store: Store) -> None:
    """By it late mail is told from mail in time."""
    for n in range(3):
        marks: dict[str, Any] = {"input_digest": "i", "output_digest": str(n), "row_count": n, "version": "1"}
        with store.state.transaction() as con:
            ledger.write_stage(con, ledger.PARSE, DAY, **marks, now=at(n), run_id=None)
    found = table(store, "SELECT output_digest, first_done_at, committed_at FROM stage_days")
    assert found == [{"output_digest": "2", "first_done_at": at(0), "committed_at": at(2)}]


@pytest.mark.parametrize("tries", [1, 2, 10, 1000, 10**6])
def test_a_wait_is_never_longer_than_the_limit(tries: int) -> None:
    """Two to the power of a thousand seconds is no date."""
    assert ledger.spaced(NOW, tries, 60.0, 21600.0) <= NOW + dt.timedelta(seconds=21600)
    assert ledger.spaced(NOW, tries, 0.0, 0.0) == NOW


def test_a_unit_that_was_never_tried_does_not_wait_for_another(store: Store) -> None:
    """New mail of a day waited six hours for the next try of an old one."""
    fault(store, 0, unit="old")
    with store.state.transaction() as con:
        row = facts.read_ledger(con)[DAY]
        assert (row.pending, row.next_unit_try_at) == (1, at(1))
        units.open_missing(con, ledger.FETCH, ["new"], day=DAY, mailbox="home", now=NOW, why="w")
        row = facts.read_ledger(con)[DAY]
        assert (row.pending, row.next_unit_try_at) == (2, None)


def test_the_digest_of_all_parses_follows_days_and_acts(store: Store, digest: str) -> None:
    """By it the sensor knows that the orders are behind."""

    def state() -> str:
        with store.state.reading() as con:
            return facts.parse_state_digest(con)

    seen = [state()]
    parse(store, digest, "a")
    seen.append(state())
    parse(store, digest, "a")
    assert state() == seen[-1]
    parse(store, digest, "a", subject="new")
    seen.append(state())
    acts.save(store, acts.SNOOZE, "order", {"until": "2026-06-01"}, now=NOW)
    seen.append(state())
    assert len(set(seen)) == 4
