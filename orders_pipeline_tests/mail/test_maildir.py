"""A Maildir as a mailbox."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.mail.sources import open_mailbox
from orders_pipeline.mailbox_settings import MaildirMailbox
from orders_pipeline.models import Window
from orders_pipeline_tests.mail.messages import ORDER

DAY = Window(start=dt.datetime(2026, 5, 11, tzinfo=dt.UTC), end=dt.datetime(2026, 5, 12, tzinfo=dt.UTC))


@pytest.fixture
def maildir(tmp_path: Path) -> Path:
    for folder in ("", ".Shops.2026", "Nested/Deeper"):
        for part in ("cur", "new", "tmp"):
            (tmp_path / "Maildir" / folder / part).mkdir(parents=True)
    root = tmp_path / "Maildir"
    (root / "new" / "1.a.host").write_bytes(ORDER)
    (root / "cur" / "2.b.host:2,S").write_bytes(ORDER)
    (root / "tmp" / "3.c.host").write_bytes(ORDER[:40])
    (root / ".Shops.2026" / "cur" / "4.d.host:2,").write_bytes(ORDER)
    (root / "Nested" / "Deeper" / "new" / "5.e.host").write_bytes(ORDER)
    (root / "dovecot.index.log").write_bytes(b"x")
    return root


def files(root: Path) -> dict[str, tuple[bytes, float]]:
    return {str(p.relative_to(root)): (p.read_bytes(), p.stat().st_mtime) for p in root.rglob("*") if p.is_file()}


def locations(box: MaildirSource) -> list[str]:
    return sorted(ref.location for ref in box.list(DAY).refs)


def test_all_folders_are_listed_and_nothing_is_touched(maildir: Path) -> None:
    """Reading a mailbox must not mark mail as read, or move it out of new/."""
    before = files(maildir)
    box = open_mailbox(MaildirMailbox(kind="maildir", name="home", path=maildir))
    refs = box.list(DAY).refs
    assert sorted(r.location for r in refs) == [
        ".Shops.2026/4.d.host",
        "1.a.host",
        "2.b.host",
        "Nested/Deeper/5.e.host",
    ]
    assert [f.raw for f in box.fetch(refs)] == [ORDER] * 4
    assert files(maildir) == before


def test_a_mail_that_is_read_later_keeps_its_location(maildir: Path) -> None:
    """Otherwise each mail is fetched again when its flags change."""
    box = MaildirSource("home", maildir)
    before = locations(box)
    (maildir / "new" / "1.a.host").rename(maildir / "cur" / "1.a.host:2,FS")
    (maildir / "cur" / "2.b.host:2,S").rename(maildir / "cur" / "2.b.host:2,ST")
    assert locations(box) == before


def test_a_mail_renamed_between_listing_and_fetching_is_found(maildir: Path) -> None:
    """A client that opens the folder meanwhile must not make mail 'gone'."""
    box = MaildirSource("home", maildir)
    refs = box.list(DAY).refs
    (maildir / "new" / "1.a.host").rename(maildir / "cur" / "1.a.host:2,S")
    (maildir / "cur" / "2.b.host:2,S").rename(maildir / "cur" / "2.b.host:2,RS")
    (maildir / ".Shops.2026" / "cur" / "4.d.host:2,").unlink()
    got = {f.ref.location: (f.raw == ORDER, f.gone) for f in box.fetch(refs)}
    assert got["1.a.host"] == got["2.b.host"] == (True, False)
    assert got[".Shops.2026/4.d.host"] == (False, True)


def test_a_mail_in_new_and_cur_at_once_is_one(maildir: Path) -> None:
    """A scan that races with a move sees it twice."""
    (maildir / "cur" / "1.a.host:2,").write_bytes(ORDER)
    assert locations(MaildirSource("home", maildir)).count("1.a.host") == 1


def test_new_mail_shows_at_the_next_listing(maildir: Path) -> None:
    """The index must not outlive the folder's content."""
    box = MaildirSource("home", maildir)
    box.list(DAY)
    (maildir / "new" / "9.z.host").write_bytes(ORDER)
    (maildir / "cur" / "2.b.host:2,S").unlink()
    assert {"9.z.host"} == set(locations(box)) - {"1.a.host", ".Shops.2026/4.d.host", "Nested/Deeper/5.e.host"}


@pytest.mark.parametrize("kind", ["empty folder", "file", "missing"])
def test_what_is_no_maildir_is_refused(tmp_path: Path, kind: str) -> None:
    """A wrong path must not look like an empty mailbox."""
    path = tmp_path / "box"
    if kind == "empty folder":
        path.mkdir()
    elif kind == "file":
        path.write_bytes(ORDER)
    with pytest.raises(MailboxError, match=r"^mailbox home: .*box (is no|does not)[^\n]*; [^\n]+$"):
        MaildirSource("home", path).list(DAY)
