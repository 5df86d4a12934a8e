"""A mailbox that lists less than it once did: everything is kept, and a check says so."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from orders_pipeline.quality.findings import Finding, Severity
from orders_pipeline.quality.source_checks import shrunk_mailbox
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.gaps import read_facts
from orders_pipeline.stages.relist import relist_days
from orders_pipeline_tests.harness import DAY, Scene, different_tables, select

NEXT = DAY + dt.timedelta(days=1)
OF_A_LISTING = ["listing_digest", "listings.messages"]


def found(scene: Scene) -> Finding:
    return shrunk_mailbox(read_facts(scene.work(), None))


def test_mail_that_left_its_mailbox_is_kept_and_reported(tmp_path: Path) -> None:
    """Five of forty mails were deleted at the source: a run or a re-listing keeps all forty and names the five."""
    scene = Scene(tmp_path, mailboxes=("inbox", "shop"))
    paths = [scene.add_order() for _ in range(3)]
    scene.add_order(NEXT, mailbox="shop")
    for day in (DAY, NEXT):
        assert run_day(scene.work(), day).problem is None
    assert found(scene).ok
    before = scene.dump(ignore=OF_A_LISTING)
    for path in paths[:2]:
        path.unlink()
    relist_days(scene.work(), [DAY, NEXT])
    told = found(scene)
    assert (told.ok, told.count, told.severity) == (False, 2, Severity.WARNING)
    assert told.sample == (f"inbox: 2 messages on 1 days, the first {DAY}",)
    assert run_day(scene.work(), DAY).problem is None
    assert found(scene).count == 2
    assert scene.why_not_done() is None
    assert different_tables(before, scene.dump(ignore=OF_A_LISTING)) == {}


def test_a_copy_that_came_on_another_day_is_no_loss(tmp_path: Path) -> None:
    """One mail in two mailboxes, received on either side of midnight: its second listing lacks nothing."""
    scene = Scene(tmp_path, mailboxes=("inbox", "shop"))
    first = scene.add_order()
    raw = first.read_bytes()
    second = scene.root / "shop" / "cur" / "copy:2,S"
    # A copy with a From_ line arrived when that says; the message is the same one.
    second.write_bytes(f"From orders@fennmark.example {NEXT:%a %b %d} 09:00:00 2026\n".encode() + raw)
    for day in (DAY, NEXT):
        assert run_day(scene.work(), day).problem is None
    relist_days(scene.work(), [DAY, NEXT])
    count = (
        "SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM locations), (SELECT max(messages) FROM listings)"
    )
    assert select(scene.work().store, f"{count}, (SELECT count(*) FROM listings WHERE messages = 1)") == [(1, 2, 1, 2)]
    assert found(scene).ok
    second.unlink()
    relist_days(scene.work(), [DAY, NEXT])
    assert found(scene).ok
