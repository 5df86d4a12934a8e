"""The tables made again from the archive are the tables that were adopted as the files came."""

from __future__ import annotations

import datetime as dt
import random
from pathlib import Path
from typing import Any

import pytest

from orders_pipeline.errors import StoreError
from orders_pipeline.store import acts, mail_rows, rebuild, review_rows
from orders_pipeline.store.attached import log_of
from orders_pipeline.store.publish import publish
from orders_pipeline.store.store import Store
from orders_pipeline_tests.store.builders import DAY, NOW, at, fetched, listing, mail_row, table, verdict_row

DAYS = [DAY + dt.timedelta(days=n) for n in range(3)]
TABLES = ("messages", "locations", "listings", "verdicts", "acts", "archive_files", "units")


def tables(store: Store) -> dict[str, list[dict[str, Any]]]:
    return {name: table(store, f"SELECT * FROM {name} ORDER BY ALL") for name in TABLES}


def fill(store: Store, seed: int) -> None:
    """Batches of three days as they might come, each adopted at once; some mail in two days, or in none first."""
    chance = random.Random(seed)
    for step in range(12):
        day = chance.choice([*DAYS, None])
        names = [f"m{chance.randrange(12)}" for _ in range(chance.randrange(1, 4))]
        with store.state.reading() as con:
            known = mail_rows.known_messages(con, [mail_row(n)["message_id"] for n in names])
        batch = []
        for n in dict.fromkeys(names):
            row = mail_row(n, location=f"{day}/{n}", mailbox=chance.choice(["home", "shop"]), minutes=step)
            batch.append(row if row["message_id"] not in known else row | {"raw": None, "has_raw": False})
        store.archive.save("mail", day, batch)
        if day:
            done = listing([f"{day}/{n}" for n in [*names, "nobody"]], mailbox="home", minutes=step)
            store.archive.save("listings", day, [mail_rows.listing_row(done)])
            store.archive.save("verdicts", day, [verdict_row(names[0], minutes=step)])
        with store.state.transaction() as con:
            mail_rows.adopt(con, store.archive, [day])
            if day:
                review_rows.adopt(con, store.archive, day)
                fetched(con, day)
    acts.save(store, acts.DECISION, "case", {"decision": "accepted", "snapshot": {}, "note": None}, now=NOW)


def compared(found: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """What must be equal: of units only what is owed to the last listing of a day, not when it was found."""
    last = {row["day"]: row["listed_at"] for row in found["listings"]}
    owed = {(u["day"], u["unit"]) for u in found["units"] if u["unit"].endswith("nobody")}
    return {**{n: rows for n, rows in found.items() if n not in ("units", "listings")}, "last": last, "owed": owed}


@pytest.mark.parametrize("seed", range(4))
def test_a_rebuild_equals_what_was_adopted(store: Store, seed: int) -> None:
    """The archive is the truth only if the tables follow from it."""
    fill(store, seed)
    before, digests = tables(store), table(store, "SELECT day, output_digest FROM stage_days ORDER BY day")
    rebuild.from_archive(store, now=at(100))
    assert compared(tables(store)) == compared(before)
    assert table(store, "SELECT day, output_digest FROM stage_days ORDER BY day") == digests


def test_a_second_rebuild_gives_the_same_tables(store: Store) -> None:
    """Whatever depends on the order of files or on chance shows here."""
    fill(store, 9)
    rebuild.from_archive(store, now=at(100))
    first = tables(store)
    rebuild.from_archive(store, now=at(200))
    assert tables(store) == first
    with store.state.transaction() as con:
        assert mail_rows.adopt(con, store.archive, [*DAYS, None]) == 0
        assert acts.adopt(con, store.archive) == 0


@pytest.mark.parametrize("kind", ["mail", "listings", "verdicts", "acts"])
def test_a_damaged_archive_leaves_the_old_state(store: Store, kind: str) -> None:
    """A rebuild that fails half way must not have thrown away what it was to replace."""
    fill(store, 1)
    before = tables(store)
    victim = store.archive.root / store.archive.all_files(kind)[-1]
    victim.write_bytes(b"no more")
    with pytest.raises(StoreError, match="restore it from a backup") as caught:
        rebuild.from_archive(store, now=at(100))
    assert str(victim) in str(caught.value)
    assert tables(store) == before
    assert not list(store.folder.root.glob("state.rebuild*"))


def test_the_old_state_stands_whole_until_the_new_one_is_in_its_place(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last commits are in the state's log alone: a kill after the log was deleted must not have lost them."""
    with store.state.transaction() as con:
        con.execute("INSERT INTO store_meta VALUES ('said last', 'here')")
    assert log_of(store.folder.state).exists()

    def refuse(path: Path, target: object) -> None:
        raise OSError("as if killed")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StoreError, match="the old state stays"):
        rebuild.from_archive(store, now=NOW)
    assert table(store, "SELECT value FROM store_meta WHERE key = 'said last'") == [{"value": "here"}]


def test_leftovers_of_a_killed_rebuild_do_not_matter(store: Store) -> None:
    """The next one would open the half of the last."""
    fill(store, 2)
    before = tables(store)
    (store.folder.root / "state.rebuild.duckdb").write_bytes(b"half")
    (store.folder.root / "state.rebuild.duckdb.wal").write_bytes(b"half")
    rebuild.from_archive(store, now=at(100))
    assert compared(tables(store)) == compared(before)
    assert not list(store.folder.root.glob("state.rebuild*"))


def test_the_published_copy_is_behind_after_a_rebuild(store: Store) -> None:
    """A count that starts again might be that of the old copy."""
    fill(store, 3)
    publish(store)
    rebuild.from_archive(store, now=at(100))
    assert publish(store)
    assert store.folder.state.stat().st_mode & 0o777 == 0o600


def test_an_empty_archive_gives_empty_tables(store: Store) -> None:
    """Rebuilding a new store is no error."""
    rebuild.from_archive(store, now=NOW)
    assert set(map(len, tables(store).values())) == {0}
    assert table(store, "SELECT value FROM store_meta WHERE key = 'zone'") == [{"value": "Europe/Berlin"}]
