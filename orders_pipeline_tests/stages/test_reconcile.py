"""Archive and tables that differ: newer files are adopted, missing ones hold their day. Never a claim without proof."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path

from orders_pipeline.models import Decision
from orders_pipeline.quality.checks import run_checks
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline.stages.gaps import read_facts
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.stages.retry import waive
from orders_pipeline.stages.status import read_status
from orders_pipeline_tests.harness import DAY, Scene, different_tables, select

NEXT = DAY + dt.timedelta(days=1)


def mail_file(scene: Scene, day: dt.date = DAY) -> Path:
    archive = scene.work().store.archive
    return archive.root / archive.files("mail", day)[0]


def red(scene: Scene) -> list[str]:
    return [f.check for f in run_checks(read_facts(scene.work(), None)) if not f.ok and f.check.startswith("archive")]


def test_nothing_is_written_when_all_is_well(scene: Scene) -> None:
    """Every `status` looks; the published copy must not count as behind for it."""
    scene.add_day()
    run_day(scene.work(), DAY)
    store = scene.work().store
    before = select(store, "SELECT value FROM store_meta WHERE key = 'generation'")
    found = reconcile(scene.work())
    assert (found.adopted, found.reopened, found.missing) == (0, [], [])
    assert select(store, "SELECT value FROM store_meta WHERE key = 'generation'") == before


def test_yesterdays_state_with_todays_archive_converges(scene: Scene) -> None:
    """A state restored from a backup takes over what is newer: nothing is fetched, judged or decided twice."""
    scene.add_day()
    run_day(scene.work(), DAY)
    state = scene.work().store.folder.state
    shutil.copy(state, scene.root / "yesterday.duckdb")
    late = scene.add_order(DAY, total="99.00")
    scene.add_day(NEXT)
    for day in (DAY, NEXT):
        run_day(scene.work(), day)
    case = select(scene.work().store, "SELECT case_id FROM eval_cases ORDER BY 1 LIMIT 1")[0][0]
    decide(scene.work(), case, Decision.ACCEPTED)
    today, files = scene.dump(), set(scene.verdict_files())
    shutil.copy(scene.root / "yesterday.duckdb", state)
    late.unlink()  # the mailbox can no longer give it
    found = reconcile(scene.work())
    assert DAY in found.reopened
    assert scene.why_not_done(DAY) is not None
    assert scene.why_not_done(NEXT) is not None
    for day in (DAY, NEXT):
        assert run_day(scene.work(), day).problem is None
        assert scene.why_not_done(day) is None
    differ = different_tables(today, scene.dump(ignore=["listing_digest", "listings.messages"]))
    assert differ.keys() <= {"listings"}
    assert set(scene.verdict_files()) == files


def test_a_missing_mail_file_holds_its_day_and_is_named(scene: Scene) -> None:
    """Tables alone prove nothing: mail that is not in the archive cannot be parsed again."""
    scene.add_day()
    scene.add_day(NEXT)
    for day in (DAY, NEXT):
        run_day(scene.work(), day)
    path = mail_file(scene)
    path.rename(scene.root / "kept")
    status = read_status(scene.work(), sensor_cursor=NEXT)
    assert red(scene) == ["archive_files_missing"]
    assert scene.why_not_done(DAY) == "1 units ran out of tries and wait for a person"
    assert scene.why_not_done(NEXT) is None
    assert status.cursor is None
    assert path.name in status.stuck[0].name
    run_day(scene.work(), DAY)
    assert scene.why_not_done(DAY) is not None
    (scene.root / "kept").rename(path)
    reconcile(scene.work())
    assert scene.why_not_done(DAY) is None
    assert red(scene) == []


def test_a_missing_file_may_be_waived(scene: Scene) -> None:
    """Without any backup left, a person may accept the loss; the cursor moves on, and it stays on record."""
    scene.add_day()
    run_day(scene.work(), DAY)
    mail_file(scene).unlink()
    name = reconcile(scene.work()).missing[0]
    waive(scene.work(), name, stage="archive", reason="the disk died")
    assert scene.why_not_done() is None
    assert reconcile(scene.work()).missing == []
    assert red(scene) == []


def test_missing_mail_is_fetched_again_after_a_rebuild(scene: Scene) -> None:
    """Taking stock makes of a lost file mail that is owed: what the mailbox still has comes back."""
    scene.add_day()
    run_day(scene.work(), DAY)
    refresh_current(scene.work())
    before = scene.dump()
    mail_file(scene).unlink()
    rebuild_store(scene.work())
    assert scene.why_not_done() == "4 units are pending"
    assert run_day(scene.work(), DAY).problem is None
    refresh_current(scene.work())
    assert scene.why_not_done() is None
    assert different_tables(before, scene.dump()) == {}


def test_a_lost_first_copy_is_fetched_from_the_other_mailbox(tmp_path: Path) -> None:
    """A second location whose bytes were kept with the first must not count as fetched when those are lost."""
    scene = Scene(tmp_path, mailboxes=("inbox", "shop"))
    path = scene.add_order(mailbox="inbox")
    shutil.copy(path, scene.root / "shop" / "cur" / path.name)
    run_day(scene.work(), DAY)
    archive = scene.work().store.archive
    first = next(p for p in archive.files("mail", DAY) if archive.read(p, ["has_raw"])["has_raw"].to_pylist() == [True])
    (archive.root / first).unlink()
    path.unlink()
    rebuild_store(scene.work())
    run_day(scene.work(), DAY)
    assert select(scene.work().store, "SELECT count(*) FROM messages") == [(1,)]
    assert scene.why_not_done() is None


def test_one_unreadable_new_file_keeps_no_other_from_being_adopted(scene: Scene) -> None:
    """A damaged file is named, and the rest of the archive is taken over."""
    scene.add_day()
    run_day(scene.work(), DAY)
    store = scene.work().store
    with store.state.transaction() as con:
        con.execute("DELETE FROM archive_files")
        con.execute("DELETE FROM verdicts")
    bad = store.archive.root / "mail" / f"day={NEXT}" / "0.parquet"
    bad.parent.mkdir()
    bad.write_bytes(b"PAR1 no parquet")
    found = reconcile(scene.work())
    assert found.missing == [f"mail/day={NEXT}/0.parquet"]
    assert select(store, "SELECT count(*) FROM verdicts") == [(3,)]
    bad.unlink()
    assert reconcile(scene.work()).missing == []


def test_files_of_a_day_in_work_are_left_to_its_run(scene: Scene) -> None:
    """A batch that a run has just saved is no finding."""
    scene.add_day()
    run_day(scene.work(), DAY)
    store = scene.work().store
    with store.state.transaction() as con:
        con.execute("DELETE FROM archive_files WHERE kind = 'verdicts'")
    with store.day_lock(DAY):
        assert reconcile(scene.work()).adopted == 0
    assert reconcile(scene.work()).adopted == 1
