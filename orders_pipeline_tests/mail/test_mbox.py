"""mbox files as a mailbox."""

from __future__ import annotations

import datetime as dt
import fcntl
import io
import mailbox
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail import mbox_format
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.mbox import MboxSource
from orders_pipeline.mail.mbox_format import message_bytes, read_from_line, spans
from orders_pipeline.mail.mbox_lock import wait_for_writer
from orders_pipeline.mail.sources import open_mailbox
from orders_pipeline.mailbox_settings import MboxMailbox
from orders_pipeline.models import Window
from orders_pipeline_tests.mail.messages import ORDER, with_headers

ALL = Window(start=dt.datetime(1990, 1, 1, tzinfo=dt.UTC), end=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
LINE = b"From o@lm.example Mon May 11 08:15:30 2026\n"
SECOND = with_headers(
    b"Hi,\n\nFrom here on it is easy.\n\nFrom Monday to Friday 10:00 we are open 2026.\n", Date="12 May 2026 10:00"
)


def stored(raw: bytes) -> bytes:
    """As an mbox keeps it: mboxrd quoting and a blank line."""
    head, blank, body = raw.partition(b"\n\n")
    lines = [b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in body.split(b"\n")]
    return LINE + head + blank + b"\n".join(lines).rstrip(b"\n") + b"\n\n"


@pytest.fixture
def box_file(tmp_path: Path) -> Path:
    path = tmp_path / "Inbox.mbox"
    path.write_bytes(stored(ORDER) + stored(SECOND) + stored(ORDER))
    return path


def test_messages_come_out_as_they_went_in(box_file: Path) -> None:
    """The same mail as a Maildir file and in an mbox is one message."""
    box = open_mailbox(MboxMailbox(kind="mbox", name="old", path=box_file))
    refs = box.list(ALL).refs
    ids = sorted(message_id_of(f.raw or b"") for f in box.fetch(refs))
    assert ids == sorted([message_id_of(ORDER), message_id_of(ORDER), message_id_of(SECOND)])
    assert len({ref.location for ref in refs}) == 3
    assert all(ref.location.startswith("Inbox.mbox:") for ref in refs)
    assert refs[0].received_at == dt.datetime(2026, 5, 11, 8, 15, 30, tzinfo=dt.UTC)


def test_what_the_standard_library_writes_is_read(tmp_path: Path) -> None:
    """An independent writer of the format."""
    writer = mailbox.mbox(tmp_path / "std")
    writer.add(ORDER)
    writer.add(SECOND)
    writer.close()
    box = MboxSource("old", tmp_path / "std")
    got = {message_id_of(f.raw or b"") for f in box.fetch(box.list(ALL).refs)}
    assert got == {message_id_of(ORDER), message_id_of(SECOND)}


def test_locations_outlive_deletion_and_new_mail(box_file: Path) -> None:
    """Compaction moves every offset; a mail must not become a new one by it."""
    box = MboxSource("old", box_file)
    before = {ref.location for ref in box.list(ALL).refs}
    box_file.write_bytes(stored(with_headers(b"new\n")) + stored(SECOND) + stored(ORDER))
    after = {ref.location for ref in box.list(ALL).refs}
    assert len(before & after) == 2


def test_a_file_compacted_between_listing_and_fetching_is_read_again(box_file: Path) -> None:
    """The bytes at the old place belong to another mail."""
    box = MboxSource("old", box_file)
    refs = box.list(ALL).refs
    box_file.write_bytes(stored(SECOND))
    got = [(f.raw and message_id_of(f.raw), f.gone) for f in box.fetch(refs)]
    assert sorted(got, key=str) == sorted([(message_id_of(SECOND), False), (None, True), (None, True)], key=str)


def test_flags_that_a_client_writes_into_the_file_make_no_new_message(box_file: Path) -> None:
    """Thunderbird and mutt rewrite headers of the stored mail when it is read."""
    box = MboxSource("old", box_file)
    before = [ref.location for ref in box.list(ALL).refs]
    flagged = box_file.read_bytes().replace(
        b"\nSubject:", b"\nX-Mozilla-Status: 0001\nStatus: RO\nX-Keywords: a\n b\nSubject:"
    )
    box_file.write_bytes(flagged)
    assert [ref.location for ref in box.list(ALL).refs] == before


@pytest.mark.parametrize(
    ("line", "date"),
    [
        (b"From a@b Mon May 11 08:15:30 2026\n", "2026-05-11T08:15:30"),
        (b"From a@b Mon May  1 08:15:30 2026\r\n", "2026-05-01T08:15:30"),
        (b"From a@b Mon May 11 08:15 2026\n", "2026-05-11T08:15:00"),
        (b"From 18@xxx Mon May 11 08:15:30 +0200 2026\n", "2026-05-11T06:15:30"),
        (b"From a@b Mon May 11 08:15:30 EST 2026\n", "2026-05-11T13:15:30"),
        (b"From a@b Mon May 11 08:15:30 2026 -0500\n", "2026-05-11T13:15:30"),
        (b"From a b c  Mon, 11 May 2026 08:15:30 +0000\n", "2026-05-11T08:15:30"),
        (b"From MAILER-DAEMON Mon May 11 08:15:30 2026\n", "2026-05-11T08:15:30"),
        (b"From here on Monday we go\n", None),
        (b"From a@b Mon May 32 08:15:30 2026\n", None),
        (b"From Mon to Fri 10:00 we are open 2026\n", None),
        (b"From: a@b\n", None),
    ],
)
def test_from_lines(line: bytes, date: str | None) -> None:
    """The date is UTC unless the line says otherwise; a sentence is no From_ line."""
    found = read_from_line(line + b"Subject: x\n")
    assert (found and found.date) == (date and dt.datetime.fromisoformat(date).replace(tzinfo=dt.UTC))


def test_bare_from_lines_of_new_clients_part_messages() -> None:
    """Thunderbird writes 'From ' and nothing after it nowadays."""
    data = b"From \nSubject: a\n\nx\n\nFrom \r\nSubject: b\n\nIt came\n\nFrom \nnowhere\n"
    assert len(list(spans(io.BytesIO(data)))) == 2


def test_from_inside_a_body_does_not_part_messages() -> None:
    """Half an order is no order."""
    dated = b"From me Mon May 11 08:15:30 2026\n"
    body = (
        b"text\n"
        + dated
        + b"Subject: not after a blank line\n\n"
        + dated
        + b"no header follows here\n\n"
        + b"From us.\n"
    )
    assert len(list(spans(io.BytesIO(LINE + b"Subject: x\n\n" + body + b"\n" + LINE + b"Subject: y\n\nz\n")))) == 2


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.lists(
            st.sampled_from([b"\n", b"From x\n", b">From y\n", b"text " * 9 + b"\n", LINE, b"A: b\n"]), max_size=30
        ),
        min_size=1,
        max_size=6,
    ),
    st.integers(1, 400),
)
def test_any_mail_survives_the_format(bodies: list[list[bytes]], chunk: int) -> None:
    """Splitting must not depend on where a chunk ends, nor on what a body says."""
    mails = [b"Subject: x\n\n" + b"".join(body) for body in bodies]
    data = b"".join(stored(mail) for mail in mails)
    old = mbox_format.CHUNK
    mbox_format.CHUNK = 1000 + chunk
    try:
        found = [message_bytes(data[s.start : s.end]) for s in spans(io.BytesIO(data))]
    finally:
        mbox_format.CHUNK = old
    assert [message_id_of(m) for m in found] == [message_id_of(m) for m in mails]


def test_a_folder_of_mboxes_is_read_thunderbird_files_included(tmp_path: Path, box_file: Path) -> None:
    """Folders without extension hold mail; .msf and rule files do not."""
    (tmp_path / "Archive.sbd").mkdir()
    (tmp_path / "Archive.sbd" / "2026").write_bytes(stored(SECOND))
    (tmp_path / "Drafts").write_bytes(b"")
    (tmp_path / "Inbox.msf").write_bytes(b'// <!-- <mdb:mork:z v="1.4"/> -->')
    (tmp_path / "filters").write_bytes(b"version=9\n")
    labels = {ref.location.rpartition(":")[0] for ref in MboxSource("old", tmp_path).list(ALL).refs}
    assert labels == {"Archive.sbd/2026", "Inbox.mbox"}


@pytest.mark.parametrize("kind", ["missing", "no mbox", "empty folder", "bad mbox in folder"])
def test_what_is_no_mbox_is_refused(tmp_path: Path, kind: str) -> None:
    """A wrong path must not look like an empty mailbox."""
    path = tmp_path / "x"
    if kind == "no mbox":
        path.write_bytes(ORDER)
    elif kind != "missing":
        path.mkdir()
    if kind == "bad mbox in folder":
        (path / "a.mbox").write_bytes(b"PK\3\4")
    with pytest.raises(MailboxError, match=r"^mailbox old: [^\n]+; [^\n]+$"):
        MboxSource("old", path).list(ALL)


def test_an_empty_mbox_file_is_an_empty_mailbox(tmp_path: Path) -> None:
    """A spool file without mail is no fault."""
    (tmp_path / "spool").write_bytes(b"")
    assert MboxSource("old", tmp_path / "spool").list(ALL).refs == ()


def test_unchanged_files_are_not_read_again(box_file: Path) -> None:
    """Thirty days in one run must not read a 2 GB file thirty times."""
    box = MboxSource("old", box_file)
    first = box.list(ALL).refs
    assert box.list(ALL).refs[0] is first[0]


def test_a_locked_file_is_waited_for_and_then_told(box_file: Path) -> None:
    """A message half delivered would be saved as a message."""
    code = (
        "import fcntl, sys; f = open(sys.argv[1], 'r+b'); fcntl.lockf(f, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(box_file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with open(box_file, "rb") as file, pytest.raises(MailboxError, match="locked by another program"):
            wait_for_writer("old", box_file, file, wait=0.3)
        holder.communicate(b"")
    with open(box_file, "rb") as file:
        wait_for_writer("old", box_file, file, wait=0.3)
        fcntl.lockf(file, fcntl.LOCK_UN)


def test_a_fresh_dot_lock_holds_and_a_stale_one_does_not(box_file: Path) -> None:
    """A program that died leaves its lock behind."""
    lock = Path(f"{box_file}.lock")
    lock.write_text("")
    with open(box_file, "rb") as file, pytest.raises(MailboxError):
        wait_for_writer("old", box_file, file, wait=0.2)
    os.utime(lock, (time.time() - 3600, time.time() - 3600))
    with open(box_file, "rb") as file:
        wait_for_writer("old", box_file, file, wait=0.2)


def test_memory_stays_far_below_the_size_of_the_file(tmp_path: Path) -> None:
    """A mailbox of years does not fit into memory."""
    path = tmp_path / "big"
    with open(path, "wb") as file:
        for i in range(40):
            file.write(stored(with_headers(b"x" * 70 + b"\n", X_Number=str(i)) + (b"y" * 70 + b"\n") * 14_000))
    size = path.stat().st_size
    tracemalloc.start()
    refs = MboxSource("old", path).list(ALL).refs
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(refs) == 40
    assert peak < size / 4


def test_the_time_of_a_copy_is_not_the_time_of_arrival(tmp_path: Path) -> None:
    """Python's mailbox module, and what is built on it, writes the moment of copying: years of mail fell on one day."""
    path = tmp_path / "copied.mbox"
    box = mailbox.mbox(path)
    box.add(with_headers(b"Hi.\n", Received="from a by b; Mon, 11 May 2026 08:15:30 +0000"))
    box.close()
    (ref,) = MboxSource("old", path).list(ALL).refs
    assert ref.received_at == dt.datetime(2026, 5, 11, 8, 15, 30, tzinfo=dt.UTC)
