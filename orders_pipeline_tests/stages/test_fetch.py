"""What goes wrong in a mailbox never costs mail, and never makes a day done that is not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.fetch import fetch_day
from orders_pipeline.store import ledger
from orders_pipeline_tests.harness import DAY, Interrupted, Scene, different_tables, noon, order_mail, select

FAR_FUTURE = 2_145_916_800  # 2038-01-01: no clock has reached it


@pytest.fixture
def two(tmp_path: Path) -> Scene:
    return Scene(tmp_path, mailboxes=("inbox", "shop"))


def move_away(scene: Scene, name: str = "inbox") -> None:
    (scene.root / name).rename(scene.root / f"{name}.away")


def bring_back(scene: Scene, name: str = "inbox") -> None:
    (scene.root / f"{name}.away").rename(scene.root / name)


def test_a_failing_mailbox_keeps_the_others_mail_and_the_day_open(two: Scene) -> None:
    """A missing mailbox is an error with its name, never an empty mailbox, and costs no other mailbox's work."""
    two.add_order(mailbox="inbox")
    two.add_order(mailbox="shop")
    move_away(two, "shop")
    for _ in range(2):
        report = run_day(two.work(), DAY)
        assert report.problem is not None
        assert "shop" in report.problem
        assert "\n" not in report.problem
        assert report.proven() == ()
        assert two.why_not_done() == "no complete listing of shop"
        assert select(two.work().store, "SELECT mailbox, count(*) FROM messages GROUP BY 1") == [("inbox", 1)]
    assert select(two.work().store, "SELECT count(*) FROM parse_outcomes") == [(1,)]
    bring_back(two, "shop")
    assert run_day(two.work(), DAY).problem is None
    assert two.why_not_done() is None
    assert select(two.work().store, "SELECT count(*) FROM parse_outcomes") == [(2,)]


def test_a_failed_listing_leaves_a_done_day_done_with_the_error_beside_it(scene: Scene) -> None:
    """A mailbox that is down today does not undo last month; the failure stays visible."""
    scene.add_day()
    run_day(scene.work(), DAY)
    before = scene.dump()
    move_away(scene)
    report = run_day(scene.work(), DAY)
    assert report.problem is not None
    assert scene.why_not_done() is None
    assert list(different_tables(before, scene.dump())) == ["day_tries", "listings"]
    assert "does not exist" in str(select(scene.work().store, "SELECT error FROM listings"))
    bring_back(scene)
    assert run_day(scene.work(), DAY).problem is None
    assert different_tables(before, scene.dump()) == {}


def test_a_mailbox_that_shrank_loses_nothing(scene: Scene) -> None:
    """Mail deleted in the mailbox stays in the archive and in the tables."""
    scene.add_day()
    run_day(scene.work(), DAY)
    before = scene.dump(ignore=["listing_digest", "listings.messages"])
    for path in (scene.root / "inbox" / "cur").iterdir():
        path.unlink()
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None
    assert different_tables(before, scene.dump(ignore=["listing_digest", "listings.messages"])) == {}


def test_a_message_that_vanished_is_gone_and_holds_nothing_up(scene: Scene) -> None:
    """Mail that its owner deletes between listing and fetching is a state of its own, not an error for ever."""
    path = scene.add_order()
    scene.add_order()
    report = run_day(scene.work_with(Interrupted(scene, path.unlink)), DAY)
    assert report.problem is None
    assert report.reports[0].counts["gone"] == 1
    assert select(scene.work().store, "SELECT unit, state FROM units") == [("0001.order", "gone")]
    assert scene.why_not_done() is None


def test_a_message_that_was_gone_and_is_listed_again_is_fetched(scene: Scene) -> None:
    """A file that a synchronizing program replaced at the wrong moment is not lost for good."""
    path = scene.add_order()
    kept = path.read_bytes()
    run_day(scene.work_with(Interrupted(scene, path.unlink)), DAY)
    path.write_bytes(kept)
    assert run_day(scene.work(), DAY).problem is None
    assert select(scene.work().store, "SELECT count(*) FROM parse_outcomes") == [(1,)]
    assert select(scene.work().store, "SELECT * FROM units") == []


def test_a_message_that_cannot_be_read_is_pending_then_exhausted_then_heals(scene: Scene) -> None:
    """An error of one message is counted, bounded and visible; the other mail goes through; it heals when retried."""
    scene.settings = "[fetch]\nmax_tries = 2\n"
    scene.write_config()
    path = scene.add_order()
    scene.add_order()
    kept = path.read_bytes()

    def spoil() -> None:
        path.unlink(missing_ok=True)
        path.mkdir(exist_ok=True)

    report = run_day(scene.work_with(Interrupted(scene, spoil)), DAY)
    assert report.problem is not None
    assert "1 listed messages are not fetched yet" in report.problem
    assert scene.why_not_done() == "1 units are pending"
    assert select(scene.work().store, "SELECT count(*) FROM parse_outcomes") == [(1,)]
    assert select(scene.work().store, "SELECT tries, next_try_at IS NOT NULL FROM units") == [(1, True)]
    path.rmdir()
    path.write_bytes(kept)
    run_day(scene.work_with(Interrupted(scene, spoil)), DAY)
    assert "ran out of tries" in (scene.why_not_done() or "")
    # What ran out of tries waits for a person: it is left alone, and stays visible.
    path.rmdir()
    path.write_bytes(kept)
    assert run_day(scene.work(), DAY).problem is not None
    assert "ran out of tries" in (scene.why_not_done() or "")


def test_a_mailbox_that_fails_in_the_middle_leaves_the_rest_pending(scene: Scene) -> None:
    """What was fetched before the failure is saved, and what was listed but not reached is owed, not forgotten."""
    scene.settings = "[fetch]\nbatch_messages = 1\n"
    scene.write_config()
    scene.add_day()
    run_day(scene.work(), DAY)
    for _ in range(3):
        scene.add_order()
    report = run_day(scene.work_with(Interrupted(scene, lambda: move_away(scene), after=1)), DAY)
    assert report.problem is not None
    assert select(scene.work().store, "SELECT count(*) FROM messages") == [(5,)]
    assert scene.why_not_done() == "2 units are pending"
    bring_back(scene)
    assert run_day(scene.work(), DAY).problem is None
    assert select(scene.work().store, "SELECT count(*) FROM parse_outcomes") == [(7,)]
    assert scene.why_not_done() is None


def test_new_mail_of_a_mailbox_that_fails_before_the_first_message_reopens_the_day(scene: Scene) -> None:
    """A listing that shows new mail is knowledge: the day is not done while that mail is not here."""
    scene.add_day()
    run_day(scene.work(), DAY)
    scene.add_order()
    run_day(scene.work_with(Interrupted(scene, lambda: move_away(scene))), DAY)
    assert scene.why_not_done() == "1 units are pending"
    assert select(scene.work().store, "SELECT tries, next_try_at FROM units") == [(0, None)]


def test_mail_without_a_usable_date_is_kept_unplaced_and_counted(scene: Scene) -> None:
    """A mail whose day nobody can tell is in the archive and listed, once, whichever days were fetched."""
    raw = order_mail("FM-1", noon(DAY)).split(b"\r\n")
    dateless = b"\r\n".join(line for line in raw if not line.startswith((b"Date:", b"Received:")))
    path = scene.root / "inbox" / "new" / "dateless"
    path.write_bytes(dateless)
    os.utime(path, (FAR_FUTURE, FAR_FUTURE))
    for _ in range(2):
        assert run_day(scene.work(), DAY).problem is None
    assert select(scene.work().store, "SELECT day, received_at IS NULL FROM messages") == [(None, True)]
    assert len(scene.work().store.archive.files("mail", None)) == 1
    assert scene.why_not_done() is None


def test_unplaced_mail_that_cannot_be_read_is_tried_again_and_holds_no_day_up(scene: Scene) -> None:
    """A first error must not make unplaced mail "gone": it would never be fetched again."""
    path = scene.root / "inbox" / "new" / "dateless"
    path.write_bytes(b"Subject: no date\r\n\r\nbody\r\n")
    os.utime(path, (FAR_FUTURE, FAR_FUTURE))
    kept = path.read_bytes()

    def spoil() -> None:
        path.unlink()
        path.mkdir()

    assert run_day(scene.work_with(Interrupted(scene, spoil)), DAY).problem is None
    assert select(scene.work().store, "SELECT state, day FROM units") == [("pending", None)]
    assert scene.why_not_done() is None
    path.rmdir()
    path.write_bytes(kept)
    os.utime(path, (FAR_FUTURE, FAR_FUTURE))
    run_day(scene.work(), DAY)
    assert select(scene.work().store, "SELECT count(*) FROM messages WHERE day IS NULL") == [(1,)]
    assert select(scene.work().store, "SELECT * FROM units") == []


def test_one_mail_in_two_mailboxes_is_one_message_with_two_locations(two: Scene) -> None:
    """The same bytes under another label are not another order."""
    path = two.add_order(mailbox="inbox")
    shutil.copy(path, two.root / "shop" / "cur" / path.name)
    run_day(two.work(), DAY)
    assert select(two.work().store, "SELECT count(*) FROM messages") == [(1,)]
    assert select(two.work().store, "SELECT count(*) FROM locations") == [(2,)]
    assert len(two.work().store.archive.files("mail", DAY)) == 2


def test_what_a_killed_run_saved_is_adopted_and_not_fetched_again(scene: Scene) -> None:
    """Mail in an archive file that no table knows is taken over by the next run, even if the mailbox lost it."""
    scene.add_day()
    work = scene.work()
    fetch_day(work, DAY)
    with work.store.state.transaction() as con:  # as after a kill between the file and the commit
        for table in ("messages", "locations", "archive_files", "stage_days", "listings"):
            con.execute(f"DELETE FROM {table}")
    shutil.rmtree(scene.root / "inbox" / "cur")
    (scene.root / "inbox" / "cur").mkdir()
    report = run_day(scene.work(), DAY)
    assert report.problem is None
    assert report.reports[0].counts["messages"] == 4
    assert tuple(r.stage for r in report.proven()) == ledger.STAGES
