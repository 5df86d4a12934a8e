"""A forgotten message is out of everything, stays out, and a kill on the way leaves the old or the new."""

from __future__ import annotations

import datetime as dt
import multiprocessing
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from orders_pipeline.errors import StoreError
from orders_pipeline.models import Decision
from orders_pipeline.stages import forget as forget_stage
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.decide import decide
from orders_pipeline.stages.forget import UnknownMessage, find, forget, unfinished
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.store import removal
from orders_pipeline.store.publish import publish
from orders_pipeline_tests.harness import DAY, Scene, different_tables, select

SECRET = "Wolkenkuckuck"
IGNORE = ("stage_days.version", "listing_digest", "acts.act_id", "acts.acted_at")
STEPS = ("acts.save", "removal.rewrite", "removal.drop_rows", "removal.delete", "parse_day", "removal.compact")


@pytest.fixture
def full(scene: Scene) -> Scene:
    """A day with one message that shall go: parsed, judged, decided on, in orders and in the queue."""
    scene.add_order()
    scene.add_order(total="77.00", subject=f"Order {SECRET}", shop=SECRET)
    scene.add_order(total="31.00")
    run_day(scene.work(), DAY)
    case = select(scene.work().store, "SELECT case_id FROM eval_cases WHERE produced LIKE ?", [f"%{SECRET}%"])[0][0]
    decide(scene.work(), case, Decision.ACCEPTED)
    refresh_current(scene.work())
    publish(scene.work().store)
    return scene


def target(scene: Scene) -> str:
    found = select(scene.work().store, "SELECT message_id FROM parse_outcomes WHERE subject LIKE ?", [f"%{SECRET}%"])
    return found[0][0]


def traces(scene: Scene) -> list[str]:
    """Where the secret word still is: tables by content, archive files by their bytes after decompression."""
    found = [name for name, rows in scene.dump().items() if any(SECRET in row for row in rows)]
    archive = scene.work().store.archive
    for kind in ("mail", "verdicts"):
        contents = {path: repr(pq.read_table(archive.root / path).to_pylist()) for path in archive.all_files(kind)}
        found += [path for path, content in contents.items() if SECRET in content]
    found += [path for path in archive.all_files("acts") if SECRET in (archive.root / path).read_text()]
    return found + [path.name for path in scene.home.glob("*.duckdb*") if SECRET.encode() in path.read_bytes()]


def test_nothing_of_a_forgotten_message_is_left(full: Scene) -> None:
    """Archive, tables, cases, decisions, the published copy: nowhere."""
    assert len(traces(full)) >= 8
    message = target(full)
    assert forget(full.work(), {message}) == [DAY]
    assert traces(full) == []
    assert full.why_not_done() is None
    assert select(full.work().store, "SELECT kind, subject, payload FROM acts") == [("forget", message, "{}")]
    assert select(full.work().store, "SELECT count(*) FROM parse_outcomes") == [(2,)]
    assert select(full.work().store, "SELECT count(*) FROM orders") == [(2,)]


def test_it_stays_out_when_the_mailbox_still_has_it(full: Scene) -> None:
    """Neither the next run, nor a rebuild, nor a copy under another name brings it back; nothing counts as missing."""
    message = target(full)
    forget(full.work(), {message})
    before = full.dump()
    assert run_day(full.work(), DAY).problem is None
    assert different_tables(before, full.dump()) == {}
    rebuild_store(full.work())
    assert different_tables(before, full.dump(ignore=IGNORE)).keys() <= {"stage_days", "acts", "listings"}
    assert run_day(full.work(), DAY).reports[0].counts["new_messages"] == 0
    original = full.root / "inbox" / "cur" / "0002.order:2,S"
    (full.root / "inbox" / "cur" / "again:2,S").write_bytes(original.read_bytes())
    assert run_day(full.work(), DAY).problem is None
    assert traces(full) == []
    assert full.why_not_done() is None


def test_the_rest_of_a_file_is_untouched(full: Scene) -> None:
    """The other messages of the same archive file keep bytes, verdicts and outcome."""
    store = full.work().store
    message = target(full)
    sql = "SELECT COLUMNS(lambda c: c <> 'archive_file') FROM {} WHERE message_id <> ? ORDER BY ALL"
    tables = ("messages", "verdicts", "parse_outcomes", "parsed_orders")
    before = {t: select(store, sql.format(t), [message]) for t in tables}
    forget(full.work(), {message})
    assert {t: select(store, sql.format(t), [message]) for t in tables} == before
    wanted = dict(select(store, "SELECT message_id, archive_file FROM messages"))
    assert len(dict(store.archive.raw_messages(wanted))) == 2


def test_an_id_that_fits_none_or_several_is_refused(full: Scene) -> None:
    """A typing error must not remove another mail."""
    for name in ("", "0", "f" * 64, "not hex", "%"):
        with pytest.raises(UnknownMessage):
            find(full.work(), [name])
    assert [t.subject for t in find(full.work(), [target(full)[:8]])] == [f"Order {SECRET}"]
    assert unfinished(full.work()) == []


def _forget_and_die(scene: Scene, message: str, step: str, after: bool) -> None:
    """In a process of its own: die at once, as after kill -9, before or after a step of forgetting."""
    module, _, name = step.rpartition(".")
    owner = {"": forget_stage, "removal": removal, "acts": forget_stage.acts}[module]
    real = getattr(owner, name)

    def deadly(*args: object, **kwargs: object) -> object:
        if after:
            real(*args, **kwargs)
        os._exit(9)

    setattr(owner, name, deadly)
    forget(scene.work(), {message})


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_leaves_the_old_or_the_new_and_a_rerun_completes(full: Scene, step: str, after: bool) -> None:
    """At no point is another message lost, or the forgotten one half there for good."""
    message = target(full)
    child = multiprocessing.get_context("fork").Process(target=_forget_and_die, args=(full, message, step, after))
    child.start()
    child.join(60)
    assert child.exitcode == 9
    # Whatever happens next: a run, and readers.
    run_day(full.work(), DAY)
    assert full.why_not_done() is None
    assert select(full.work().store, "SELECT count(*) FROM parse_outcomes")[0][0] in (2, 3)
    store = full.work().store
    wanted = dict(select(store, "SELECT message_id, archive_file FROM messages"))
    assert dict(store.archive.raw_messages(wanted)).keys() == wanted.keys()
    if (step, after) == ("acts.save", False):
        assert find(full.work(), [message])
        assert select(store, "SELECT count(*) FROM parse_outcomes") == [(3,)]
    left = {t.message_id for t in unfinished(full.work())}
    assert left or (step, after) in {("acts.save", False), ("removal.compact", True)}
    forget(full.work(), left or {message})
    assert traces(full) == []
    assert full.why_not_done() is None
    assert select(store, "SELECT count(*), count(DISTINCT message_id) FROM verdicts") == [(2, 2)]
    assert select(store, "SELECT count(*) FROM messages") == [(2,)]
    assert sorted(select(store, "SELECT path FROM archive_files")) == sorted(
        (p,) for kind in ("acts", "mail", "listings", "verdicts") for p in store.archive.all_files(kind)
    )


def test_a_message_of_another_day_survives_a_forgotten_one_in_many_days(scene: Scene) -> None:
    """Several messages of several days go in one go; each day is done again."""
    days = [DAY + dt.timedelta(days=n) for n in range(3)]
    for day in days:
        scene.add_day(day)
        run_day(scene.work(), day)
    found = select(scene.work().store, "SELECT min(message_id) FROM messages GROUP BY day ORDER BY day")
    assert forget(scene.work(), {row[0] for row in found[:2]}) == days[:2]
    assert [scene.why_not_done(day) for day in days] == [None, None, None]
    counts = select(scene.work().store, "SELECT count(*) FROM messages GROUP BY day ORDER BY day")
    assert counts == [(3,), (3,), (4,)]


def test_a_disk_that_refuses_is_told_in_one_line_and_running_again_completes(full: Scene) -> None:
    """A traceback hides that the message is out of every table, and that its bytes are not out of the file yet."""
    message = target(full)
    in_the_way = full.home / "state.compact.duckdb"
    in_the_way.mkdir()
    with pytest.raises(StoreError, match="then run forget again"):
        forget(full.work(), [message])
    in_the_way.rmdir()
    assert [t.message_id for t in unfinished(full.work())] == [message]
    forget(full.work(), [message])
    assert traces(full) == []


def test_the_folder_is_as_private_as_before(full: Scene) -> None:
    """What is written again is readable by its owner alone."""
    forget(full.work(), {target(full)})
    modes = {p.stat().st_mode & 0o077 for p in Path(full.home).rglob("*") if p.is_file() and "locks" not in p.parts}
    assert modes == {0}
