"""What mailboxes of files remember between runs."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from orders_pipeline.config import FetchSettings
from orders_pipeline.mail.sources import open_mailbox
from orders_pipeline.mailbox_settings import EmlMailbox, MaildirMailbox, MboxMailbox
from orders_pipeline.models import Listing, Window
from orders_pipeline_tests.mail.messages import ORDER

ALL = Window(start=dt.datetime(1990, 1, 1, tzinfo=dt.UTC), end=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
OLD = 1_600_000_000  # a time of change long ago: nobody can be writing the file any more
LINE = b"From o@lm.example Mon May 11 08:15:30 2026\n"
Lister = Callable[[], Listing]


def _maildir(folder: Path) -> MaildirMailbox:
    (folder / "cur").mkdir()
    (folder / "new").mkdir()
    return MaildirMailbox(kind="maildir", name="box", path=folder)


def _write(path: Path, data: bytes, changed: int = OLD) -> None:
    path.write_bytes(data)
    os.utime(path, (changed, changed))


@pytest.fixture(params=["maildir", "mbox", "eml"])
def box(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Lister, Path]:
    """The one file of a mailbox, a function that lists as a new run would, and the folder of the index."""
    folder, cache = tmp_path / "mail", tmp_path / "cache"
    folder.mkdir()
    cache.mkdir()
    settings = {
        "maildir": lambda: _maildir(folder),
        "mbox": lambda: MboxMailbox(kind="mbox", name="box", path=folder / "all.mbox"),
        "eml": lambda: EmlMailbox(kind="eml", name="box", path=folder),
    }[request.param]()
    path = folder / {"maildir": "cur/1.a.host:2,S", "mbox": "all.mbox", "eml": "a.eml"}[request.param]
    _write(path, LINE + ORDER)
    return path, lambda: open_mailbox(settings, FetchSettings(), cache).list(ALL), cache


def _other_date(path: Path, changed: int = OLD) -> None:
    """The same size and, if asked for, the same time of change: only who opens the file sees the difference."""
    data = path.read_bytes()
    _write(path, data.replace(b"Mon May 11 08:15:30 2026", b"Mon May 18 08:15:30 2026"), changed)


def test_a_file_that_did_not_change_is_not_opened_by_the_next_run(box: tuple[Path, Lister, Path]) -> None:
    """A backfill of a year is a dozen runs: each read 2 GB, or opened 200,000 files, again."""
    path, listing, _ = box
    first = listing()
    _other_date(path)
    assert listing().refs == first.refs


def test_a_file_that_changed_is_read_again(box: tuple[Path, Lister, Path]) -> None:
    """An index that is believed over the file loses mail."""
    path, listing, _ = box
    listing()
    _other_date(path, OLD + 1)
    assert [ref.received_at for ref in listing().refs] == [dt.datetime(2026, 5, 18, 8, 15, 30, tzinfo=dt.UTC)]


def test_a_file_that_was_written_just_now_is_read_again(box: tuple[Path, Lister, Path]) -> None:
    """Two changes within one step of the file system's clock look like one."""
    path, listing, _ = box
    now = int(dt.datetime.now(dt.UTC).timestamp())
    os.utime(path, (now, now))
    listing()
    _other_date(path, now)
    assert [ref.received_at for ref in listing().refs] == [dt.datetime(2026, 5, 18, 8, 15, 30, tzinfo=dt.UTC)]


@pytest.mark.parametrize("damage", [b"", b"PAR1 and then nothing", bytes(range(256))], ids=["empty", "cut", "other"])
def test_a_damaged_index_costs_time_and_nothing_else(box: tuple[Path, Lister, Path], damage: bytes) -> None:
    """What can be lost must not be able to stop a run."""
    _, listing, cache = box
    first = listing()
    (kept,) = cache.iterdir()
    kept.write_bytes(damage)
    assert listing().refs == first.refs
    assert [path for path in cache.iterdir() if path.suffix == ".part"] == []


def test_a_folder_that_cannot_be_written_costs_time_and_nothing_else(box: tuple[Path, Lister, Path]) -> None:
    """A full disk has other problems than an index."""
    _, listing, cache = box
    cache.rmdir()
    cache.write_text("a file where the folder was")
    assert len(listing().refs) == 1


@pytest.mark.parametrize("limits", [(1024, 8192), (8192, 1024)], ids=["raised", "lowered"])
def test_a_large_message_is_found_after_the_limit_changed(tmp_path: Path, limits: tuple[int, int]) -> None:
    """Its digest in the kept index was of the other kind, and the message was taken for gone."""
    path = tmp_path / "all.mbox"
    _write(path, LINE + ORDER + b"y\n" * 2_000)
    settings = MboxMailbox(kind="mbox", name="box", path=path)
    for limit in limits:
        source = open_mailbox(settings, FetchSettings(max_message_bytes=limit), tmp_path)
        (fetched,) = source.fetch(source.list(ALL).refs)
        assert fetched.raw is not None
        assert (len(fetched.raw) > 4_000) == (limit > 4_000)


def test_the_index_is_private(box: tuple[Path, Lister, Path]) -> None:
    """Names of folders and times of mail are the owner's business."""
    _, listing, cache = box
    listing()
    assert [path.stat().st_mode & 0o777 for path in cache.iterdir()] == [0o600]


def test_a_deleted_message_is_not_listed_from_the_index(box: tuple[Path, Lister, Path]) -> None:
    """What is not there cannot be owed."""
    path, listing, _ = box
    listing()
    if path.suffix == ".mbox":
        _write(path, b"", OLD + 1)
    else:
        path.unlink()
    assert listing().refs == ()


def test_a_file_system_with_large_inode_numbers_is_listed(
    box: tuple[Path, Lister, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inode numbers have 64 bits without a sign (a union file system uses all of them): no listing ever succeeded."""

    class Status:
        def __init__(self, real: os.stat_result) -> None:
            self._real = real

        def __getattr__(self, name: str) -> int:
            return 2**64 - 1 if name == "st_ino" else getattr(self._real, name)

    stat, fstat = os.stat, os.fstat
    monkeypatch.setattr(os, "stat", lambda *given, **named: Status(stat(*given, **named)))
    monkeypatch.setattr(os, "fstat", lambda handle: Status(fstat(handle)))
    assert len(box[1]().refs) == 1
    assert list(box[2].iterdir())
    assert len(box[1]().refs) == 1
