"""The gap checks: each turns red for its own gap, names it, and for nothing else."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

import pytest

from orders_pipeline.quality import checks
from orders_pipeline.quality.checks import CHECKS, Check, run_check, run_checks
from orders_pipeline.quality.facts import DayFacts, FallenSender, ShrunkListing, StageFacts, StoreFacts
from orders_pipeline.quality.findings import SAMPLE, Finding, Missing, Severity

FIRST = dt.date(2026, 5, 1)
NOW = dt.datetime(2026, 5, 11, 9, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


def day(number: int, **changes: Any) -> DayFacts:
    """A day of May on which everything is right: 20 mails, of which 6 go to the judge."""
    values: dict[str, Any] = {
        "day": dt.date(2026, 5, number),
        "fetch": StageFacts(input_digest="l", output_digest="f"),
        "parse": StageFacts(input_digest="f", output_digest="p"),
        "review": StageFacts(input_digest="p", output_digest="r"),
        "done": True,
        "listed": 20,
        "fetched": 20,
        "outcomes": 20,
        "to_review": 6,
        "verdicts": 6,
    }
    return DayFacts(**{**values, **changes})


def store(*changed: DayFacts, without: tuple[int, ...] = (), **changes: Any) -> StoreFacts:
    """Ten closed days, all done, with the given ones in place of their like."""
    days = {number: day(number) for number in range(1, 11) if number not in without}
    days |= {one.day.day: one for one in changed}
    values: dict[str, Any] = {
        "now": NOW,
        "first_day": FIRST,
        "last_closed_day": dt.date(2026, 5, 10),
        "days": tuple(days.values()),
        "cursor": dt.date(2026, 5, 10),
        "proven": dt.date(2026, 5, 10),
    }
    return StoreFacts(**{**values, **changes})


def red(facts: StoreFacts) -> dict[str, Finding]:
    return {one.check: one for one in run_checks(facts) if not one.ok}


def only(facts: StoreFacts, name: str) -> Finding:
    found = red(facts)
    assert list(found) == [name]
    return found[name]


def test_a_store_without_gaps_is_green() -> None:
    """A check that is always red is a check that nobody reads."""
    findings = run_checks(store())
    assert [one.check for one in findings] == [check.name for check in CHECKS]
    assert all(one.ok and one.count == 0 and one.message for one in findings)


def test_an_empty_day_that_is_done_is_green() -> None:
    """On Christmas Day no shop writes."""
    empty = day(4, listed=0, fetched=0, outcomes=0, to_review=0, verdicts=0)
    assert red(store(empty)) == {}


def test_today_is_never_red() -> None:
    """Today's mail is not all there yet: a red light every morning trains people to ignore it."""
    today = day(11, fetch=None, parse=None, review=None, done=False, not_fetched=Missing.of(["x"]), outcomes=99)
    assert red(store(today)) == {}


def test_a_store_before_its_first_closed_day_is_green() -> None:
    """Right after the installation nothing is missing."""
    assert red(store(without=tuple(range(1, 11)), last_closed_day=None, cursor=None, proven=None)) == {}


def test_missing_days_are_named_also_when_later_days_are_done() -> None:
    """The last day's success must not hide a hole before it."""
    never_listed = day(7, unlisted_mailboxes=("home",), done=False)
    found = only(store(never_listed, without=(3,)), "missing_days")
    assert (found.count, found.sample) == (2, ("2026-05-03", "2026-05-07"))
    assert found.severity is Severity.ERROR
    assert "order_days_sensor" in found.message


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"parse": None, "review": None}, "not parsed"),
        ({"fetch": StageFacts(input_digest="l", output_digest="f2")}, "its mail changed since it was parsed"),
        ({"review": None}, "not reviewed"),
        (
            {"parse": StageFacts(input_digest="f", output_digest="p2")},
            "its parses changed since they were reviewed",
        ),
    ],
)
def test_stages_out_of_step_are_named_with_the_reason(changes: dict[str, Any], why: str) -> None:
    """ "A materialization exists" says nothing of whether it was made from today's input."""
    found = only(store(day(5, done=False, **changes)), "stages_out_of_step")
    assert found.sample == (f"2026-05-05: {why}",)


@pytest.mark.parametrize(
    ("field", "check"),
    [
        ("not_fetched", "listed_not_fetched"),
        ("without_outcome", "fetched_without_outcome"),
        ("not_judged", "parsed_not_judged"),
        ("exhausted", "exhausted_units"),
    ],
)
def test_owed_messages_are_counted_exactly_and_sampled(field: str, check: str) -> None:
    """ "94113 of 94113" was said although some had failed; and a thousand ids on a screen are no help either."""
    less = {"fetched": 520, "outcomes": 20} if field == "without_outcome" else {}
    less = {"to_review": 506} if field == "not_judged" else less
    ids = [f"{n:04}" for n in range(500)]
    days = [day(4, done=False, **{field: Missing.of(ids)}, **less), day(2, done=False, **{field: Missing.of(["one"])})]
    if field == "without_outcome":
        days[1] = dataclasses.replace(days[1], fetched=21)
    if field == "not_judged":
        days[1] = dataclasses.replace(days[1], to_review=7)
    found = only(store(*days), check)
    assert found.count == 501
    assert found.sample == ("one", *ids[: SAMPLE - 1])
    assert "501" in found.message


def test_sums_that_ids_cannot_explain_are_red() -> None:
    """A row written twice loses no id, and still counts an order twice."""
    found = only(store(day(5, outcomes=21), day(6, verdicts=7)), "counts_add_up")
    assert found.sample == ("2026-05-05: 20 messages, 21 outcomes", "2026-05-06: 6 outcomes to judge, 7 verdicts")


@pytest.mark.parametrize(
    ("cursor", "proven", "ahead"),
    [(10, 10, False), (9, 10, False), (10, 9, True), (1, None, True), (None, None, False), (None, 5, False)],
)
def test_cursor_ahead_of_its_proof_is_red(cursor: int | None, proven: int | None, ahead: bool) -> None:
    """The lying watermark: it said "seen" of what was lost."""
    facts = store(
        cursor=cursor and dt.date(2026, 5, cursor),
        proven=proven and dt.date(2026, 5, proven),
    )
    assert list(red(facts)) == (["cursor_ahead_of_proof"] if ahead else [])


def test_a_sender_whose_yield_fell_is_red_for_a_while() -> None:
    """20 of 20, then 0 of 3: without the check, zero orders looks like a quiet week."""
    fallen = FallenSender(
        sender_domain="birch.example", before_seen=20, before_parsed=20, last_day=NOW.date(), mails=Missing.of("abc")
    )
    found = only(store(fallen_senders=(fallen,)), "sender_yield_fell")
    assert found.sample == ("birch.example: 20 of 20, then 0 of 3",)
    long_ago = dataclasses.replace(fallen, last_day=NOW.date() - dt.timedelta(days=61))
    assert red(store(fallen_senders=(long_ago,))) == {}


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"late_at": NOW - HOUR}, True),
        ({"late_at": NOW - dt.timedelta(days=6)}, True),
        ({"late_at": NOW - dt.timedelta(days=8)}, False),
        ({"late_at": NOW - dt.timedelta(days=8), "done": False}, True),
        ({"late_at": None}, True),
    ],
)
def test_late_mail_is_told_for_a_week_and_while_its_day_is_open(changes: dict[str, Any], shown: bool) -> None:
    """Mail that came after its day was closed used to be lost; once taken in it is no news for ever."""
    facts = store(day(5, late=Missing.of(["m1", "m2"]), **changes))
    if shown:
        found = only(facts, "late_mail")
        assert (found.count, found.sample, found.severity) == (2, ("m1", "m2"), Severity.WARNING)
    else:
        assert red(facts) == {}


def test_a_mailbox_that_shrank_is_named_with_the_number_of_its_messages() -> None:
    """Mail that was deleted or moved at its source is kept here, and somebody should know of it."""
    may = FIRST + dt.timedelta(days=3)
    shrunk = [
        ShrunkListing(mailbox="inbox", day=may, kept=40, listed=35),
        ShrunkListing(mailbox="inbox", day=may + dt.timedelta(days=1), kept=2, listed=0),
        ShrunkListing(mailbox="{shop}", day=may, kept=1, listed=0),
    ]
    found = only(store(shrunk=tuple(shrunk)), "shrunk_mailbox")
    assert (found.count, found.severity) == (8, Severity.WARNING)
    assert found.message.endswith("look at the mailbox: inbox, {shop}")
    assert found.sample[0] == "inbox: 7 messages on 2 days, the first 2026-05-04"


def test_unplaced_mail_is_a_warning() -> None:
    """A mail of the year 100 belongs to no day: nothing else would ever mention it."""
    found = only(store(unplaced=Missing.of(["home/INBOX/7"])), "unplaced_mail")
    assert (found.sample, found.severity) == (("home/INBOX/7",), Severity.WARNING)


@pytest.mark.parametrize(("hours", "shown"), [(1, False), (24, False), (25, True)])
def test_a_failed_relisting_is_red_after_a_day(hours: int, shown: bool) -> None:
    """A mailbox that refuses its password looks like a mailbox without new mail."""
    facts = store(day(5, relist_failed_at=NOW - hours * HOUR, relist_error="login failed\x1b[2J"))
    assert list(red(facts)) == (["failed_relisting"] if shown else [])
    if shown:
        assert "login failed" in red(facts)["failed_relisting"].message


def test_an_outdated_parser_is_a_warning() -> None:
    """An update must not turn the whole history red."""
    found = only(store(day(5, parser_outdated=True)), "outdated_parser")
    assert found.severity is Severity.WARNING


def test_exhausted_units_of_no_day_are_not_forgotten() -> None:
    """A unit of a mail whose day cannot be told has no day to be found by."""
    assert only(store(exhausted_without_day=Missing.of(["x"])), "exhausted_units").sample == ("x",)


def test_findings_are_printable_and_bounded() -> None:
    """File names of a mailbox are anybody's text and end up on a terminal."""
    names = [f"new/\x1b[31m{n}\u202e\n" + "y" * 4000 for n in range(50)]
    found = only(store(unplaced=Missing(count=50, sample=tuple(names))), "unplaced_mail")
    assert len(found.sample) == SAMPLE
    assert all(name.isprintable() and len(name) <= 200 for name in found.sample)
    assert found.message.isprintable()


def test_a_check_that_raises_is_red_and_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A raising check failed the run whose data was already saved."""

    def broken(facts: StoreFacts) -> Finding:
        raise KeyError("x")

    monkeypatch.setattr(checks, "CHECKS", (Check("fetched_emails", broken), *CHECKS))
    assert list(red(store())) == ["broken"]
    assert run_check(CHECKS[0], store()).ok


def test_every_check_has_a_name_of_its_own_a_description_and_says_what_to_do() -> None:
    """Two checks of one name overwrite each other in the asset's list."""
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    assert {check.asset for check in CHECKS} == {"fetched_emails", "parsed_orders", "proposed_eval_cases"}
    assert all(check.description.endswith(".") for check in CHECKS)
