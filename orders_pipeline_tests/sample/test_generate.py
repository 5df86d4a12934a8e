"""The sample mailbox as files: repeatable, complete, and never mixed with real mail."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import subprocess
import sys
import zoneinfo
from collections import Counter
from email import message_from_bytes
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.sample.generate import write_sample_mailbox
from orders_pipeline.sample.truth import Trap
from orders_pipeline_tests.sample.conftest import LAST_DAY, Sample


def snapshot(folder: Path) -> dict[str, tuple[str, int]]:
    """Relative path -> (digest of the bytes, modification time in ns)."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in files
    }


def received(path: Path) -> dt.datetime | None:
    """The date of the top Received header."""
    header = message_from_bytes(path.read_bytes())["Received"]
    return parsedate_to_datetime(header.rpartition(";")[2].strip()) if header else None


def test_the_same_arguments_give_the_same_files_in_another_process(tmp_path: Path, sample: Sample) -> None:
    """Hash seeds, set order or the clock leak into the bytes: a demo and its expected output drift apart."""
    code = (
        "import datetime, pathlib, sys; from orders_pipeline.sample.generate import write_sample_mailbox;"
        "write_sample_mailbox(pathlib.Path(sys.argv[1]), last_day=datetime.date.fromisoformat(sys.argv[2]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Pacific/Auckland"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "m"), LAST_DAY.isoformat()], check=True, env=environment)
    assert snapshot(tmp_path / "m") == snapshot(sample.folder)


def test_a_second_call_changes_nothing(tmp_path: Path) -> None:
    """Every start of a demo rewrites the mailbox, so that all days look changed."""
    first = write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=3)
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")}
    second = write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=3)
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")} == before
    assert (first.written, second.written) == (first.files, 0)
    assert second.mails == first.mails


def test_a_damaged_or_missing_file_is_written_again(tmp_path: Path) -> None:
    """A call cut short leaves a mailbox that no later call completes."""
    first = write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=2)
    good = snapshot(tmp_path)
    (tmp_path / first.mails[0].path).write_bytes(b"cut")
    (tmp_path / first.mails[1].path).unlink()
    assert write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=2).written == 2
    assert snapshot(tmp_path) == good


def test_another_seed_gives_other_mail(tmp_path: Path, sample: Sample) -> None:
    """The seed is accepted and ignored."""
    other = write_sample_mailbox(tmp_path, last_day=LAST_DAY, seed=8)
    assert set(other.orders) != set(sample.summary.orders)


def test_the_summary_counts_what_lies_in_the_folder(sample: Sample) -> None:
    """Tests downstream compare with counts that the files do not bear out."""
    files = [path for part in ("cur", "new") for path in (sample.folder / part).iterdir()]
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    moments = {hashlib.sha256(path.read_bytes()).digest(): received(path) for path in files}
    days = Counter(moment.astimezone(zone).date() for moment in moments.values() if moment)
    assert days == sample.summary.per_day
    assert len(files) == sample.summary.files == len(sample.summary.mails)
    assert len(moments) == sample.summary.messages == sum(days.values()) + sample.summary.unplaced
    assert not list((sample.folder / "tmp").iterdir())


def test_each_day_holds_some_per_day_mails(sample: Sample) -> None:
    """One day gets all the mail, or none, and the demo shows a single busy partition."""
    assert sorted(sample.summary.per_day) == [LAST_DAY - dt.timedelta(days=back) for back in range(13, -1, -1)]
    assert all(15 <= count <= 25 for count in sample.summary.per_day.values())


@pytest.mark.parametrize(("days", "per_day"), [(1, 1), (2, 5), (40, 3), (10, 10), (120, 20)])
def test_other_sizes_work_and_keep_orders_apart(tmp_path: Path, days: int, per_day: int) -> None:
    """A small or large sample fails, or two orders share a number and are merged."""
    summary = write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=days, per_day=per_day)
    assert all(summary.per_day[day] for day in summary.days)
    shipped = [number for order in summary.orders.values() for number in order.tracking_numbers]
    assert len(shipped) == len(set(shipped))
    if days >= 10 and per_day >= 10:
        assert {trap for mail in summary.mails for trap in mail.traps} == set(Trap)


@pytest.mark.parametrize(
    ("zone", "last_day"),
    [
        ("Europe/Berlin", dt.date(2026, 10, 31)),  # 25 October has 25 hours
        ("Europe/Berlin", dt.date(2026, 4, 2)),  # 29 March has 23
        ("Africa/Cairo", dt.date(2026, 4, 30)),  # 24 April starts at 01:00
        ("Australia/Lord_Howe", dt.date(2026, 4, 10)),  # clocks change by half an hour
        ("Pacific/Kiritimati", dt.date(2026, 11, 29)),
        ("America/Los_Angeles", dt.date(2026, 11, 5)),
    ],
)
def test_mail_stays_in_its_local_day_where_clocks_change(tmp_path: Path, zone: str, last_day: dt.date) -> None:
    """An hour that does not exist, or exists twice, moves mail to the next day."""
    summary = write_sample_mailbox(tmp_path, last_day=last_day, days=10, zone=zone)
    for mail in summary.mails:
        moment = received(tmp_path / mail.path)
        assert (moment and moment.astimezone(zoneinfo.ZoneInfo(zone)).date()) == mail.day
        if moment:
            assert int((tmp_path / mail.path).stat().st_mtime) == int(moment.timestamp())


def test_mail_lies_at_both_borders_of_days(sample: Sample) -> None:
    """Nothing tests the border, and a day that is cut in UTC goes unnoticed."""
    moments = [received(sample.folder / mail.path) for mail in sample.summary.mails]
    times = Counter(moment.time() for moment in moments if moment)
    assert times[dt.time(0, 0, 30)] >= 5
    assert times[dt.time(23, 59, 30)] >= 5


def test_a_mailbox_of_real_mail_is_refused(tmp_path: Path) -> None:
    """A wrong path fills somebody's own mailbox with invented orders."""
    (tmp_path / "cur").mkdir()
    (tmp_path / "cur" / "1700000000.M1P2.host:2,S").write_bytes(b"Subject: real\n\nmail\n")
    with pytest.raises(MailboxError, match="not a sample's"):
        write_sample_mailbox(tmp_path, last_day=LAST_DAY)
    assert [path.name for path in (tmp_path / "cur").iterdir()] == ["1700000000.M1P2.host:2,S"]


def test_a_folder_of_other_things_is_refused(tmp_path: Path) -> None:
    """One wrong word on the command line put 283 mails into a folder of test cases."""
    (tmp_path / "cases.jsonl").write_text("{}")
    with pytest.raises(MailboxError, match="holds other files: choose an empty or new folder"):
        write_sample_mailbox(tmp_path, last_day=LAST_DAY)
    assert [path.name for path in tmp_path.iterdir()] == ["cases.jsonl"]


@pytest.mark.parametrize("other", [{"last_day": LAST_DAY + dt.timedelta(days=1)}, {"last_day": LAST_DAY, "seed": 8}])
def test_a_sample_of_other_arguments_is_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    """Made again a day later in the same folder, each order number is told twice, on two days."""
    write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=2)
    before = snapshot(tmp_path)
    with pytest.raises(MailboxError, match="other days or settings"):
        write_sample_mailbox(tmp_path, days=2, **other)
    assert snapshot(tmp_path) == before


def test_mail_that_was_read_or_added_meanwhile_stays_as_it_is(tmp_path: Path) -> None:
    """Reading a mail in a mail program makes the next call write it a second time."""
    first = write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=2)
    unread = next(mail.path for mail in first.mails if mail.path.startswith("new/"))
    seen = f"cur/{unread.removeprefix('new/')}:2,S"
    (tmp_path / unread).rename(tmp_path / seen)
    (tmp_path / "new" / "1.late.host").write_bytes(b"Subject: late\n\nmail\n")
    before = snapshot(tmp_path)
    again = write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=2)
    assert snapshot(tmp_path) == before
    assert seen in {mail.path for mail in again.mails}


def test_a_folder_that_cannot_be_written_is_an_error_in_one_line(tmp_path: Path) -> None:
    """A file in the way ends in a traceback."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(MailboxError, match="another folder") as caught:
        write_sample_mailbox(tmp_path / "file", last_day=LAST_DAY)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("days", "per_day"), [(0, 20), (-1, 20), (3, 0)])
def test_sizes_below_one_are_refused(tmp_path: Path, days: int, per_day: int) -> None:
    """A sample of no days is reported as written."""
    with pytest.raises(ValueError, match="at least 1"):
        write_sample_mailbox(tmp_path, last_day=LAST_DAY, days=days, per_day=per_day)
