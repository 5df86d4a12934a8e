"""A folder of .eml files as a mailbox."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.eml import EmlSource
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.sources import open_mailbox
from orders_pipeline.mailbox_settings import EmlMailbox
from orders_pipeline.models import MessageRef, Window
from orders_pipeline_tests.mail.messages import ORDER, with_headers

DAY = Window(start=dt.datetime(2026, 5, 11, tzinfo=dt.UTC), end=dt.datetime(2026, 5, 12, tzinfo=dt.UTC))
ALL = Window(start=dt.datetime(1990, 1, 1, tzinfo=dt.UTC), end=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mail" / "sub").mkdir(parents=True)
    (tmp_path / "mail" / "a.eml").write_bytes(ORDER)
    (tmp_path / "mail" / "sub" / "B.EML").write_bytes(ORDER.replace(b"20418", b"20419"))
    (tmp_path / "mail" / "sub" / "late.eml").write_bytes(ORDER.replace(b"11 May", b"12 May"))
    (tmp_path / "mail" / "notes.txt").write_bytes(ORDER)
    (tmp_path / "mail" / "._a.eml").write_bytes(b"\0\5\x16\7")
    return tmp_path / "mail"


def test_a_window_lists_what_arrived_in_it(folder: Path) -> None:
    """Subfolders and capital letters are mail too, other files are not."""
    box = open_mailbox(EmlMailbox(kind="eml", name="files", path=folder))
    listing = box.list(DAY)
    assert [ref.location for ref in listing.refs] == ["a.eml", "sub/B.EML"]
    assert {ref.mailbox for ref in listing.refs} == {"files"}
    assert listing.refs[0].size == len(ORDER)
    assert listing.unplaced == ()


def test_the_end_of_a_window_belongs_to_the_next(folder: Path) -> None:
    """A mail at midnight is in one day, not two and not none."""
    (folder / "a.eml").write_bytes(ORDER.replace(b"08:15:30 +0200", b"02:00:00 +0200"))
    box = EmlSource("files", folder)
    before = Window(start=DAY.start - dt.timedelta(days=1), end=DAY.start)
    assert "a.eml" not in {ref.location for ref in box.list(before).refs}
    assert "a.eml" in {ref.location for ref in box.list(DAY).refs}


def test_fetch_gives_the_bytes_of_each_ref_once(folder: Path) -> None:
    """A ref that gets no answer would be owed for ever."""
    box = EmlSource("files", folder)
    refs = box.list(ALL).refs
    got = {f.ref.location: f.raw for f in box.fetch(refs)}
    assert got == {
        "a.eml": ORDER,
        "sub/B.EML": (folder / "sub/B.EML").read_bytes(),
        "sub/late.eml": (folder / "sub/late.eml").read_bytes(),
    }


def test_a_from_line_on_top_gives_the_date_and_is_no_part_of_the_message(folder: Path) -> None:
    """The same mail with and without it is one message."""
    (folder / "f.eml").write_bytes(b"From x@y Mon May 11 20:00:00 2026\n" + with_headers(b"x\n", Date="1 Jan 2020"))
    box = EmlSource("files", folder)
    ref = next(r for r in box.list(DAY).refs if r.location == "f.eml")
    assert ref.received_at == dt.datetime(2026, 5, 11, 20, tzinfo=dt.UTC)
    (fetched,) = box.fetch([ref])
    assert fetched.raw is not None
    assert message_id_of(fetched.raw) == message_id_of(with_headers(b"x\n", Date="1 Jan 2020"))


def test_the_file_time_places_a_mail_without_dates(folder: Path) -> None:
    """The last resort is better than no day."""
    (folder / "n.eml").write_bytes(b"Subject: x\n\ny\n")
    os.utime(folder / "n.eml", (DAY.start.timestamp() + 60, DAY.start.timestamp() + 60))
    assert "n.eml" in {ref.location for ref in EmlSource("files", folder).list(DAY).refs}


def test_a_mail_without_any_usable_date_is_unplaced(folder: Path) -> None:
    """It is kept and shown, not filed under 1970."""
    (folder / "n.eml").write_bytes(b"Subject: x\nDate: Fri, 1 Jan 2100 00:00:00 +0000\n\ny\n")
    os.utime(folder / "n.eml", (0, 0))
    listing = EmlSource("files", folder).list(ALL)
    assert [ref.location for ref in listing.unplaced] == ["n.eml"]
    assert "n.eml" not in {ref.location for ref in listing.refs}


def test_a_file_deleted_after_the_listing_is_gone(folder: Path) -> None:
    """Deleting a mail must not block its day."""
    box = EmlSource("files", folder)
    refs = box.list(DAY).refs
    (folder / "a.eml").unlink()
    assert {f.ref.location: f.gone for f in box.fetch(refs)} == {"a.eml": True, "sub/B.EML": False}


def test_a_mailbox_that_vanished_is_an_error_not_many_gone_messages(folder: Path) -> None:
    """An unmounted disk would mark everything as deleted."""
    box = EmlSource("files", folder)
    refs = box.list(DAY).refs
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(MailboxError, match=r"files.*does not exist"):
        list(box.fetch(refs))
    with pytest.raises(MailboxError):
        box.list(DAY)


def test_one_unreadable_file_is_listed_by_its_time_and_fails_alone(folder: Path, as_ordinary_user: Callable) -> None:
    """Its day owes it; the other mail of the day goes through."""
    path = folder / "a.eml"
    path.chmod(0)
    os.utime(path, (DAY.start.timestamp(), DAY.start.timestamp()))
    with as_ordinary_user():
        box = EmlSource("files", folder)
        refs = box.list(DAY).refs
        got = {f.ref.location: f for f in box.fetch(refs)}
    assert got["a.eml"].error == "cannot read the file: Permission denied"
    assert got["sub/B.EML"].raw


def test_a_link_to_itself_is_an_unreadable_file(folder: Path) -> None:
    """A folder must not fail for one bad link."""
    (folder / "loop.eml").symlink_to(folder / "loop.eml")
    box = EmlSource("files", folder)
    ref = next(r for r in box.list(ALL).refs if r.location == "loop.eml")
    (fetched,) = box.fetch([ref])
    assert fetched.error


def test_an_unreadable_subfolder_fails_the_listing(folder: Path, as_ordinary_user: Callable) -> None:
    """A partial listing would make the day done without its mail."""
    (folder / "sub").chmod(0)
    with as_ordinary_user(), pytest.raises(MailboxError, match="sub cannot be read: permission denied; give"):
        EmlSource("files", folder).list(DAY)
    (folder / "sub").chmod(0o755)


@pytest.mark.parametrize(
    ("make", "words"), [(lambda p: None, "does not exist"), (lambda p: p.write_text("x"), "is no folder")]
)
def test_a_wrong_path_is_told_in_one_line(tmp_path: Path, make: Callable, words: str) -> None:
    """A read that fails is never an empty mailbox."""
    make(tmp_path / "x")
    with pytest.raises(MailboxError, match=rf"^mailbox files: .*/x {words}; [^\n]+$"):
        EmlSource("files", tmp_path / "x").list(DAY)


def test_names_of_undecodable_bytes_work(folder: Path) -> None:
    """A location goes into a table: it must be text, and lead back to the file."""
    raw_name = os.fsencode(folder) + b"/\xff\\x\x1b.eml"
    with open(raw_name, "wb") as file:
        file.write(ORDER)
    box = EmlSource("files", folder)
    ref = next(r for r in box.list(DAY).refs if "xff" in r.location)
    assert ref.location == "\\xff\\\\x\\x1b.eml"
    ref.location.encode("utf-8")
    (fetched,) = box.fetch([MessageRef(mailbox="files", location=ref.location, received_at=None)])
    assert fetched.raw == ORDER


def test_only_changed_files_are_read_again(folder: Path) -> None:
    """Listing thirty days in one run must not open every file thirty times."""
    box = EmlSource("files", folder)
    box.list(DAY)
    stamp = (folder / "a.eml").stat()
    (folder / "a.eml").write_bytes(ORDER.replace(b"11 May", b"12 May"))  # same size
    os.utime(folder / "a.eml", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # and same time: not seen
    assert "a.eml" in {r.location for r in box.list(DAY).refs}
    os.utime(folder / "a.eml")
    assert "a.eml" not in {r.location for r in box.list(DAY).refs}


def test_pipes_are_left_alone(folder: Path) -> None:
    """Opening one waits for ever."""
    os.mkfifo(folder / "pipe.eml")
    assert len(EmlSource("files", folder).list(DAY).refs) == 2


def test_fetch_works_without_a_listing_before_it(folder: Path) -> None:
    """A later process fetches what an earlier one listed."""
    (fetched,) = EmlSource("files", folder).fetch([MessageRef(mailbox="files", location="a.eml", received_at=None)])
    assert fetched.raw == ORDER
