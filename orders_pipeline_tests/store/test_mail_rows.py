"""Mail, locations and listings in the tables: adopted once, in the order in which they were saved."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import pytest

from orders_pipeline.models import MessageRef, UnitState
from orders_pipeline.store import ledger, mail_rows, units
from orders_pipeline.store.store import Store
from orders_pipeline_tests.store.builders import DAY, NOW, at, id_of, listing, mail_row, save_mail, table

NEXT = DAY + dt.timedelta(days=1)


def adopt(store: Store, *days: dt.date | None) -> int:
    with store.state.transaction() as con:
        return mail_rows.adopt(con, store.archive, days or (DAY,))


def save_listing(store: Store, *locations: str, minutes: float = 0, day: dt.date = DAY, mailbox: str = "home") -> None:
    done = listing(locations, minutes=minutes, mailbox=mailbox)
    store.archive.save("listings", day, [mail_rows.listing_row(done)])


def unit_states(store: Store) -> dict[str, str]:
    return {row["unit"]: row["state"] for row in table(store, "SELECT unit, state FROM units")}


def days_of(store: Store) -> dict[str, dt.date | None]:
    return {row["message_id"]: row["day"] for row in table(store, "SELECT message_id, day FROM messages")}


def ref(location: str, *, dated: bool = True, mailbox: str = "home") -> MessageRef:
    return MessageRef(mailbox=mailbox, location=location, received_at=NOW if dated else None)


# ------------------------------------------------------------------------------------------ messages


def test_adopting_twice_is_once(store: Store) -> None:
    """A run that finds its own files again must not see twice the mail."""
    save_mail(store, "a", "b")
    save_listing(store, "cur/a")
    assert [adopt(store), adopt(store)] == [2, 0]
    assert len(days_of(store)) == 2
    assert len(table(store, "FROM locations")) == len(table(store, "FROM archive_files")) == 2


def test_the_first_placement_fixes_the_day_whatever_the_names_of_the_files(store: Store) -> None:
    """Taken in the order of their names, which is chance, the day of a message was chance."""
    names = [f"m{n}" for n in range(8)]
    for n, name in enumerate(names):
        store.archive.save("mail", NEXT, [mail_row(name, location="later", minutes=60 + n)])
    for n, name in enumerate(names):
        store.archive.save("mail", DAY, [mail_row(name, minutes=n)])
    adopt(store, NEXT, DAY)
    assert days_of(store) == {id_of(name): DAY for name in names}


def test_a_later_placement_does_not_move_a_message(store: Store) -> None:
    """A day would lose mail that it was done with."""
    save_mail(store, "a")
    adopt(store)
    store.archive.save("mail", NEXT, [mail_row("a", location="copy", minutes=-60)])
    adopt(store, NEXT)
    assert days_of(store) == {id_of("a"): DAY}
    assert len(table(store, "FROM locations")) == 2


def test_the_same_message_in_two_places_is_one_row(store: Store) -> None:
    """A mail under three labels would be three orders."""
    rows = [mail_row("a", location=name) for name in ("inbox", "archive")] + [mail_row("a", mailbox="shop", raw=False)]
    store.archive.save("mail", DAY, rows)
    adopt(store)
    assert len(days_of(store)) == 1
    assert len(table(store, "FROM locations")) == 3
    with store.state.reading() as con:
        assert ledger.mail_digest(con, DAY) == (ledger.digest_of([id_of("a")]), 1)


def test_mail_without_a_day_gets_that_of_its_first_placement(store: Store) -> None:
    """A mail of a clock that runs ahead was unplaced, and stayed so when its day had come: it was never parsed."""
    store.archive.save("mail", None, [mail_row("a") | {"received_at": None}])
    adopt(store, None)
    assert days_of(store) == {id_of("a"): None}
    with store.state.reading() as con:
        assert mail_rows.unknown_refs(con, [ref("cur/a", dated=False)]) == []
        assert mail_rows.unknown_refs(con, [ref("cur/a")], placed=True) == [ref("cur/a")]
    store.archive.save("mail", DAY, [mail_row("a", minutes=5, raw=False)])
    adopt(store, DAY)
    assert days_of(store) == {id_of("a"): DAY}
    row = table(store, "SELECT received_at, archive_file FROM messages")[0]
    assert row["received_at"] == mail_row("a")["received_at"]
    assert "unplaced" in row["archive_file"], "its bytes are where they were saved first"
    with store.state.reading() as con:
        assert mail_rows.unknown_refs(con, [ref("cur/a")], placed=True) == []


def test_locations_are_known_a_mailbox(store: Store) -> None:
    """Two mailboxes number their messages alike."""
    store.archive.save("mail", DAY, [mail_row("a", location="INBOX/1/7")])
    adopt(store)
    with store.state.reading() as con:
        assert mail_rows.unknown_refs(con, [ref("INBOX/1/7"), ref("INBOX/1/8")]) == [ref("INBOX/1/8")]
        assert mail_rows.unknown_refs(con, [ref("INBOX/1/7", mailbox="shop")]) == [ref("INBOX/1/7", mailbox="shop")]
        assert mail_rows.unknown_refs(con, []) == []
        assert mail_rows.known_messages(con, [id_of("a"), id_of("b")]) == {id_of("a")}


# ------------------------------------------------------------------------------------------ listings


def test_a_listing_with_mail_that_nobody_has_makes_pending_units(store: Store) -> None:
    """After a rebuild the day would be done without the mail that was never fetched."""
    save_mail(store, "a")
    save_listing(store, "cur/a", "cur/b")
    adopt(store)
    assert unit_states(store) == {"cur/b": "pending"}
    assert table(store, "SELECT messages, missing, listed_at FROM listings") == [
        {"messages": 2, "missing": 1, "listed_at": at(0)}
    ]


@pytest.mark.parametrize("state", [UnitState.EXHAUSTED, UnitState.WAIVED])
def test_an_adopted_listing_does_not_reopen_what_a_person_decides(store: Store, state: UnitState) -> None:
    """A waived message would come back with every run."""
    with store.state.transaction() as con:
        units.set_state(con, ledger.FETCH, "cur/b", state, day=DAY, mailbox="home", now=NOW)
    save_listing(store, "cur/b")
    adopt(store)
    assert unit_states(store) == {"cur/b": state}


def test_gone_mail_that_is_listed_again_is_tried_a_few_times(store: Store) -> None:
    """Gone for good would be a loss; without an end a mailbox that lists ghosts would keep its day open."""
    states = []
    for n in range(5):
        with store.state.transaction() as con:
            units.set_state(con, ledger.FETCH, "cur/b", UnitState.GONE, day=DAY, mailbox="home", now=at(n))
        save_listing(store, "cur/b", minutes=n + 0.5)
        adopt(store)
        states.append(unit_states(store)["cur/b"])
    assert states == ["pending", "pending", "gone", "gone", "gone"]


def test_of_several_saved_listings_the_last_counts(store: Store) -> None:
    """What only an older one names is gone; taken in the order of names it was owed by chance."""
    minutes = list(range(6))
    random.Random(5).shuffle(minutes)
    for n in minutes:
        save_listing(store, *[f"cur/{m}" for m in range(n, 6)], minutes=n)
    adopt(store)
    assert table(store, "SELECT listed_at, messages FROM listings") == [{"listed_at": at(5), "messages": 1}]
    assert unit_states(store) == {"cur/5": "pending"}


def test_a_listing_does_not_replace_a_later_one(store: Store) -> None:
    """A slow fetch that began before a re-listing ended after it, and took its knowledge back."""
    with store.state.transaction() as con:
        mail_rows.record_listing(con, DAY, listing(["a", "b"], minutes=10))
        mail_rows.record_listing(con, DAY, listing(["a"], minutes=5))
    assert table(store, "SELECT listed_at, messages FROM listings") == [{"listed_at": at(10), "messages": 2}]
    with store.state.transaction() as con:
        mail_rows.record_listing(con, DAY, listing(["a"], minutes=10 - 3000))
    assert table(store, "SELECT listed_at FROM listings") == [{"listed_at": at(10 - 3000)}], "the clock was set back"


def test_a_failure_keeps_the_last_complete_listing(store: Store) -> None:
    """A mailbox that is down would turn done days into missing ones."""
    with store.state.transaction() as con:
        mail_rows.record_listing(con, DAY, listing(["a"]))
        for n in (1, 2):
            mail_rows.record_listing_failure(con, DAY, "home", error="down\x1b[31m\n\udcff" + "x" * 900, now=at(n))
    row = table(store, "SELECT listed_at, failed_at, tried_at, error FROM listings")[0]
    assert (row["listed_at"], row["failed_at"], row["tried_at"]) == (at(0), at(1), at(2))
    assert row["error"].isprintable()
    assert len(row["error"]) <= 500
    with store.state.transaction() as con:
        mail_rows.record_listing(con, DAY, listing(["a"], minutes=3))
    assert table(store, "SELECT failed_at, error FROM listings") == [{"failed_at": None, "error": None}]


def test_a_first_failure_is_no_listing(store: Store) -> None:
    """An unreadable mailbox that counts as listed is an empty mailbox."""
    with store.state.transaction() as con:
        mail_rows.record_listing_failure(con, DAY, "home", error="no login", now=NOW)
    assert table(store, "SELECT listed_at, messages FROM listings") == [{"listed_at": None, "messages": None}]


def test_a_complete_listing_settles_units(store: Store) -> None:
    """Fetched is closed, not listed any more is gone, and what is younger than the listing is left alone."""
    done = listing(["cur/a", "cur/still"], minutes=10)
    with store.state.transaction() as con:
        known: dict[str, Any] = {"day": DAY, "mailbox": "home", "why": "w"}
        units.open_missing(con, ledger.FETCH, ["cur/a", "cur/still", "cur/left"], now=at(5), **known)
        units.open_missing(con, ledger.FETCH, ["cur/young"], now=at(11), **known)
        units.open_missing(con, ledger.FETCH, ["cur/left"], now=at(5), **{**known, "mailbox": "shop"})
    save_mail(store, "a")
    adopt(store)
    with store.state.transaction() as con:
        mail_rows.settle_units(con, DAY, done, now=at(12))
    found = table(store, "SELECT mailbox, unit, state FROM units ORDER BY mailbox, unit")
    assert [tuple(r.values()) for r in found] == [
        ("home", "cur/left", "gone"), ("home", "cur/still", "pending"), ("home", "cur/young", "pending"),
        ("shop", "cur/left", "pending"),
    ]  # fmt: skip
