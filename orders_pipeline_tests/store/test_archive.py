"""The archive: the rename is the save, and what cannot be read is told."""

from __future__ import annotations

import datetime as dt
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from orders_pipeline.errors import StoreError
from orders_pipeline.store import archive as archive_module
from orders_pipeline.store.archive import Archive, day_of_file
from orders_pipeline.store.mail_rows import listing_row
from orders_pipeline_tests.store.builders import DAY, at, id_of, listing, mail_row, process, raw_of, verdict_row

ACT = {
    "act_id": "20260512T060000000000Z-ab", "kind": "decision", "subject": "case", "payload": {"decision": "accepted"},
    "who": "me", "acted_at": "2026-05-12T06:00:00+00:00",
}  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


def every_file(archive: Archive) -> list[Path]:
    return [path for path in archive.root.rglob("*") if path.is_file()]


def test_the_same_mail_is_the_same_file_whenever_it_is_saved(archive: Archive) -> None:
    """A batch that is fetched again after a kill would be kept twice, and again, and again."""
    first = archive.save("mail", DAY, [mail_row("a"), mail_row("b")])
    assert archive.save("mail", DAY, [mail_row("a", minutes=60), mail_row("b", minutes=61)]) == first
    assert archive.save("mail", DAY, [mail_row("a"), mail_row("c")]) != first
    assert archive.files("mail", DAY) == sorted(archive.all_files("mail"))
    assert len(every_file(archive)) == 2


def test_a_later_listing_or_verdict_that_says_the_same_is_kept(archive: Archive) -> None:
    """Of two the later counts: fine, then suspect, then fine again ended as suspect."""
    for minutes in (0, 10):
        archive.save("verdicts", DAY, [verdict_row("a", minutes=minutes)])
        archive.save("listings", DAY, [listing_row(listing(["x"], minutes=minutes))])
    assert len(archive.files("verdicts", DAY)) == 2
    assert len(archive.files("listings", DAY)) == 2


@pytest.mark.parametrize("day", [DAY, None])
def test_what_was_saved_is_read_back(archive: Archive, day: dt.date | None) -> None:
    """The bytes of a mail are the one thing that nothing can make again."""
    raw = bytes(range(256)) * 10
    path = archive.save("mail", day, [mail_row("a") | {"raw": raw}])
    assert day_of_file(path) == day
    assert dict(archive.raw_messages({id_of("a"): path})) == {id_of("a"): raw}
    assert archive.read(path, ["saved_at"])["saved_at"].to_pylist() == [at(0)]


def test_a_naive_time_is_not_saved(archive: Archive) -> None:
    """It would be taken for UTC for ever."""
    with pytest.raises(ValueError, match=r"received_at.*has no time zone"):
        archive.save("mail", DAY, [mail_row("a") | {"received_at": dt.datetime(2026, 5, 11, 10)}])
    assert every_file(archive) == []


KILLED = """
import sys, os
from pathlib import Path
from orders_pipeline.store.archive import Archive
from orders_pipeline_tests.store.builders import DAY, mail_row
Archive(Path(sys.argv[1])).save("mail", DAY, [mail_row("a")])
"""


def test_a_kill_before_the_rename_leaves_nothing_that_counts(archive: Archive, tmp_path: Path) -> None:
    """A half written file that is read as mail stops its day for good."""
    archive.save("mail", DAY, [mail_row("b")])
    before = archive.all_files("mail")
    stopped = tmp_path / "stopped"
    environment = os.environ | {
        "ORDERS_PIPELINE_STOP_AT": "archive.mail.written",
        "ORDERS_PIPELINE_STOPPED_FILE": str(stopped),
    }
    root = str(Path(__file__).resolve().parents[2])
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(archive.root)], env=environment, cwd=root)
    while not stopped.exists():
        assert child.poll() is None
    child.kill()
    child.wait()
    assert len(every_file(archive)) == 2, "the kill came between writing and renaming"
    assert archive.all_files("mail") == archive.files("mail", DAY) == before
    archive.save("mail", DAY, [mail_row("a")])
    assert len(archive.files("mail", DAY)) == 2


def test_a_full_disk_is_told_and_leaves_nothing(archive: Archive) -> None:
    """A file cut short that has the right name is a loss that nobody sees."""
    code = """
import os, resource, sys
from pathlib import Path
from orders_pipeline.errors import StoreError
from orders_pipeline.store.archive import Archive
from orders_pipeline_tests.store.builders import DAY, mail_row
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    Archive(Path(sys.argv[1])).save("mail", DAY, [mail_row("a") | {"raw": os.urandom(200_000)}])
except StoreError as error:
    print(error)
"""
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code, str(archive.root)], capture_output=True, text=True, check=True, cwd=root
    )
    assert "cannot save to the archive at" in done.stdout, done.stdout + done.stderr
    assert "File too large" in done.stdout
    assert every_file(archive) == []


def test_an_interrupted_save_leaves_nothing(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is no error of the disk, and leaves as little."""

    def interrupt(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(archive_module.pq, "write_table", interrupt)
    with pytest.raises(KeyboardInterrupt):
        archive.save("mail", DAY, [mail_row("a")])
    assert every_file(archive) == []


def test_files_and_folders_are_private(archive: Archive) -> None:
    """Every mail of a household lies here."""
    before = os.umask(0)
    try:
        archive.save("mail", DAY, [mail_row("a")])
        archive.save_act(ACT)
    finally:
        os.umask(before)
    for path in archive.root.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_a_flipped_bit_is_seen(archive: Archive) -> None:
    """Without checksums nineteen of twenty flipped bits gave another mail without a word."""
    raw = random.Random(1).randbytes(3000) + b"Order 4711, thank you. " * 200
    path = archive.save("mail", DAY, [mail_row(str(n)) | {"raw": raw} for n in range(20)])
    good, file = archive.read(path), archive.root / path
    data, chance = file.read_bytes(), random.Random(3)
    silent, lines = 0, []
    for _ in range(300):
        place = chance.randrange(len(data))
        file.write_bytes(data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :])
        try:
            silent += not archive.read(path).equals(good)
        except StoreError as error:
            lines.append(str(error))
    assert silent <= 3
    assert len(lines) > 200, "the others change what is never read, statistics in the footer"
    assert all(str(file) in line and "restore it from a backup" in line and "\n" not in line for line in lines)


BROKEN = {
    "missing": None,
    "empty": b"",
    "cut short": b"PAR1 and no more",
    "another kind": b"From nobody\n" * 100,
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_cannot_be_read_is_named_with_the_remedy(archive: Archive, data: bytes | None) -> None:
    """A day that fails for ever with 'invalid magic bytes' leaves a person alone."""
    path, act = archive.save("mail", DAY, [mail_row("a")]), archive.save_act(ACT)
    for file in (archive.root / path, archive.root / act):
        file.unlink()
        if data is not None:
            file.write_bytes(data)
    for read in (
        lambda: archive.read(path),
        lambda: list(archive.raw_messages({id_of("a"): path})),
        lambda: archive.read_act(act),
    ):
        with pytest.raises(StoreError, match=r"the archive file .*(mail|acts)/.*restore it from a backup"):
            read()


@pytest.mark.parametrize("text", ["[]", "{}", "null", '{"act_id": "x"}', "[" * 9000])
def test_an_act_that_is_none_is_named(archive: Archive, text: str) -> None:
    """A KeyError while adopting names no file."""
    path = archive.save_act(ACT)
    (archive.root / path).write_text(text)
    with pytest.raises(StoreError, match=r"acts/.*restore it from a backup"):
        archive.read_act(path)


def test_a_file_that_lacks_a_message_is_told(archive: Archive) -> None:
    """A message that is silently passed over has no outcome and no one looks for it."""
    path = archive.save("mail", DAY, [mail_row("a"), mail_row("b", raw=False)])
    with pytest.raises(StoreError, match=f"lacks message {id_of('b')}"):
        list(archive.raw_messages({id_of("a"): path, id_of("b"): path}))


def test_strange_things_in_the_archive_do_not_count(archive: Archive) -> None:
    """File managers and people leave things; a folder that looks like a day and is none is told."""
    path = archive.save("mail", DAY, [mail_row("a")])
    (archive.root / "mail" / ".DS_Store").write_text("x")
    (archive.root / "mail" / "notes").mkdir()
    (archive.root / path).with_name("copy.txt").write_text("x")
    assert archive.all_files("mail") == archive.files("mail", DAY) == [path]
    with pytest.raises(StoreError, match="is no day: move it out of the archive"):
        day_of_file("mail/day=yesterday/x.parquet")


def test_an_empty_archive_has_no_files(archive: Archive) -> None:
    """Reading must not depend on what was saved before."""
    for kind in ("mail", "listings", "verdicts", "acts"):
        assert archive.all_files(kind) == []


def test_raw_messages_come_from_all_files(archive: Archive) -> None:
    """A day's mail comes in batches, one file each."""
    first, second = archive.save("mail", DAY, [mail_row("a")]), archive.save("mail", None, [mail_row("b")])
    found = dict(archive.raw_messages({id_of("a"): first, id_of("b"): second}))
    assert found == {id_of("a"): raw_of("a"), id_of("b"): raw_of("b")}


def test_two_processes_that_save_the_same_batch_agree(archive: Archive) -> None:
    """Two runs of one day may fetch the same mail at the same time."""
    code = KILLED + "\nprint('saved', flush=True)"
    root = Path(__file__).resolve().parents[2]
    with process(f"import sys; sys.path.insert(0, {str(root)!r})\n" + code, archive.root):
        archive.save("mail", DAY, [mail_row("a")])
    assert len(archive.all_files("mail")) == 1
    assert archive.read(archive.all_files("mail")[0]).num_rows == 1
