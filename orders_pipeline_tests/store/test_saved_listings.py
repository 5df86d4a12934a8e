"""A listing is saved again only when it says something else."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline.store.archive import Archive
from orders_pipeline.store.mail_rows import ListingDone, listing_digest, listing_row
from orders_pipeline.store.saved_listings import is_saved

DAY = dt.date(2026, 5, 11)
NOON = dt.datetime(2026, 5, 12, 12, tzinfo=dt.UTC)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path)


def row(*locations: str, hours: int = 0, mailbox: str = "a") -> dict[str, object]:
    return listing_row(
        ListingDone(
            mailbox=mailbox, messages=len(locations), digest=listing_digest(locations),
            listed_at=NOON + dt.timedelta(hours=hours), locations=locations,
        )
    )  # fmt: skip


def test_the_same_listing_later_is_saved_already(archive: Archive) -> None:
    """A file a day each time that ten years are materialized again is a tenth of the mail after ten times."""
    assert not is_saved(archive, DAY, row("x", "y"))
    archive.save("listings", DAY, [row("x", "y")])
    assert is_saved(archive, DAY, row("y", "x", hours=5))


def test_what_the_last_listing_does_not_say_is_not_saved(archive: Archive) -> None:
    """A mail that was gone and is back: a rebuild would believe the file that says it is gone."""
    archive.save("listings", DAY, [row("x", "y")])
    archive.save("listings", DAY, [row("x", hours=1)])
    assert not is_saved(archive, DAY, row("x", "y", hours=2))
    assert not is_saved(archive, DAY, row("x", hours=2, mailbox="b"))
    assert not is_saved(archive, DAY, row("x", hours=2) | {"locations": []})


def test_a_damaged_file_says_nothing(archive: Archive) -> None:
    """One bad file must not keep a day from being fetched."""
    path = archive.save("listings", DAY, [row("x")])
    (archive.root / path).write_bytes(b"PAR1")
    assert not is_saved(archive, DAY, row("x", hours=1))
