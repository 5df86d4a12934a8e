"""A listing is complete or an error: whatever the server's clock, its answers, and what happened since the last one."""

from __future__ import annotations

import datetime as dt
import random
import re
from pathlib import Path

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.models import Window
from orders_pipeline_tests.mail.imap.conftest import Open
from orders_pipeline_tests.mail.imap.dovecot import PASSWORD, PASSWORD_ENV, Account, dovecot, open_source
from orders_pipeline_tests.mail.imap.proxy import AnswerRule, Drop, Link, Proxy, Reply
from orders_pipeline_tests.mail.imap.scenes import DAY, fill, mail, raws, uids, window

MINUTE = dt.timedelta(minutes=1)


@pytest.mark.parametrize("zone", ["Etc/GMT-14", "Etc/GMT+12"])
def test_a_server_at_the_other_end_of_the_world_moves_no_mail(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dates of SEARCH have no zone: eight hours of each day's mail were missing (bug report 61)."""
    monkeypatch.setenv(PASSWORD_ENV, PASSWORD)
    with dovecot(zone=zone) as server:
        account = server.account()
        edges = [DAY + dt.timedelta(days=n) for n in range(4)]
        for edge in edges:
            for ahead in (-30, -1, 0, 30):
                account.deliver(mail(ahead), edge + ahead * MINUTE)
        source = open_source(account.settings())
        listings = [source.list(window(start=edge)) for edge in edges]
        source.close()
    assert [len(listing.refs) for listing in listings] == [4, 4, 4, 2]
    for listing in listings:
        times = sorted(ref.received_at for ref in listing.refs if ref.received_at)
        assert times[:2] == [listing.window.start, listing.window.start + 30 * MINUTE]


def test_the_window_is_exact(account: Account, opened: Open) -> None:
    """A mail at midnight belongs to one day, not to two and not to none."""
    for second in (-1, 0, 86_399, 86_400):
        account.deliver(mail(second), DAY + dt.timedelta(seconds=second))
    assert uids(opened().list(window())) == [2, 3]
    late = Window(start=DAY + dt.timedelta(milliseconds=500), end=DAY + dt.timedelta(days=1, milliseconds=500))
    assert uids(opened().list(late)) == [3, 4]


def test_the_servers_search_is_not_asked(account: Account, opened: Open, faults: Proxy) -> None:
    """Servers that answer a search with too few: nothing in a listing rests on one."""
    fill(account, 5)
    source = opened(port=faults.port)
    assert len(source.list(window()).refs) == 5
    assert not [command for command in faults.commands() if b"SEARCH" in command]
    assert all(b"SELECT" not in command.upper() for command in faults.commands())


def test_dates_that_cannot_be_meant_are_unplaced(account: Account, opened: Open, faults: Proxy) -> None:
    """A date of 1970, in the future, or none at all: the mail is kept and shown, not lost (bug report 79)."""
    fill(account, 6)
    dates = {
        1: b"01-Jan-1970 00:00:00 +0000",
        2: b"01-Jan-2090 00:00:00 +0000",
        3: b"32-Foo-2026 00:00:00 +0000",
        4: b"",
    }

    def answer(link: Link, line: bytes) -> bytes:
        match = re.search(rb"UID (\d+) ", line)
        date = dates.get(int(match[1])) if match else None
        return line if date is None else re.sub(rb'INTERNALDATE "[^"]*"', b'INTERNALDATE "%s"' % date, line)

    faults.answer = answer
    source = opened(port=faults.port)
    listing = source.list(window())
    assert uids(listing) == [5, 6]
    assert len(listing.unplaced) == 4
    assert len(raws(source.fetch(listing.unplaced))) == 4


def test_late_mail_is_in_the_next_listing_of_its_day(account: Account, opened: Open, tmp_path: Path) -> None:
    """Mail that another program copies in with an old date: its day is looked at again (bug report 83)."""
    fill(account, 300)
    source = opened(cache=tmp_path)
    assert len(source.list(window()).refs) == 300
    account.deliver(mail(999), DAY + MINUTE)
    assert len(opened(cache=tmp_path).list(window()).refs) == 301
    assert len(opened().list(window()).refs) == 301


def test_what_is_kept_between_runs_never_differs_from_the_server(
    account: Account, opened: Open, tmp_path: Path
) -> None:
    """Mail comes and goes in any order between two runs; the kept index must give what a fresh look gives."""
    dice = random.Random(11)
    there: list[Path] = []
    for step in range(8):
        for _ in range(dice.choice((0, 1, 40, 130))):
            there.append(account.deliver(mail(len(there)), DAY + dice.randrange(2880) * MINUTE))
        for path in dice.sample(there, min(len(there), dice.choice((0, 1, 60)))):
            path.unlink()
            there.remove(path)
        kept = opened(cache=tmp_path).list(window(2))
        fresh = opened().list(window(2))
        assert [r.location for r in kept.refs] == [r.location for r in fresh.refs], step
        assert [r.received_at for r in kept.refs] == [r.received_at for r in fresh.refs], step
        assert len(kept.refs) == len(there)


def test_an_unchanged_mailbox_is_listed_in_one_question(
    account: Account, opened: Open, faults: Proxy, tmp_path: Path
) -> None:
    """Days are listed again each hour: where nothing changed, no folder is opened and no mail is asked for."""
    fill(account, 20)
    fill(account, 20, label="Shops")
    opened(cache=tmp_path).list(window())
    source = opened(port=faults.port, cache=tmp_path)
    # Another port is another account: it has an index of its own.
    assert len(source.list(window()).refs) == 40
    source.close()
    faults.links.clear()
    assert len(opened(port=faults.port, cache=tmp_path).list(window(30)).refs) == 40
    asked = [command.split()[0] for command in faults.commands() if command]
    assert b"EXAMINE" not in asked
    assert b"FETCH" not in asked
    assert asked.count(b"LIST") == 1


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "foreign", "unreadable"])
def test_a_damaged_index_is_as_good_as_none(account: Account, opened: Open, tmp_path: Path, damage: str) -> None:
    """What is kept can be lost: damage costs time, never mail, and never an error."""
    fill(account, 120)
    opened(cache=tmp_path).list(window())
    (file,) = tmp_path.glob("*.imap")
    assert file.stat().st_mode & 0o777 == 0o600
    data = file.read_bytes()
    if damage == "unreadable":
        file.unlink()
        file.mkdir()
    else:
        changed = {
            "cut": data[: len(data) // 2], "flipped": data[:200] + bytes([data[200] ^ 1]) + data[201:], "emptied": b"",
            "foreign": b"\x00" * 5000,
        }  # fmt: skip
        file.write_bytes(changed[damage])
    assert len(opened(cache=tmp_path).list(window()).refs) == 120


def test_a_cache_that_cannot_be_written_costs_only_time(account: Account, opened: Open, tmp_path: Path) -> None:
    """A full disk must not keep mail from being fetched."""
    fill(account, 3)
    assert len(opened(cache=tmp_path / "missing").list(window()).refs) == 3


def test_a_uid_that_is_given_out_again_is_another_message(
    account: Account, opened: Open, faults: Proxy, tmp_path: Path
) -> None:
    """A small server counts on from the highest UID that is left: the new mail was "already processed" (report 71)."""
    sent = fill(account, 2)
    last = account.deliver(mail(2), DAY + 2 * MINUTE)
    faults.answer = lambda link, line: re.sub(rb"( HIGHESTMODSEQ | CONDSTORE| LIST-STATUS)", b" X-", line)
    before = opened(port=faults.port, cache=tmp_path).list(window())
    last.unlink()
    account.deliver(mail(3, size=300), DAY + 5 * MINUTE)

    def answer(link: Link, line: bytes) -> bytes:
        line = re.sub(rb"( HIGHESTMODSEQ | CONDSTORE| LIST-STATUS)", b" X-", line)
        return re.sub(rb"UIDNEXT 5", b"UIDNEXT 4", re.sub(rb"UID 4\b", b"UID 3", line))

    faults.answer = answer
    faults.command = lambda link, line: re.sub(rb"UID FETCH ((?:\d+:)?)3 ", rb"UID FETCH \g<1>4 ", line)
    source = opened(port=faults.port, cache=tmp_path)
    listing = source.list(window())
    new = {ref.location for ref in listing.refs} - {ref.location for ref in before.refs}
    assert len(listing.refs) == 3
    assert len(new) == 1
    assert raws(source.fetch(listing.refs)) == sorted([*sent, mail(3, size=300)])


def test_a_message_that_the_server_cannot_describe_is_listed_unplaced(
    account: Account, opened: Open, faults: Proxy
) -> None:
    """A server that leaves one message out of its answers: it is named, and hides no other (bug reports 65, 67)."""
    fill(account, 9)
    faults.answer = lambda link, line: b"" if re.match(rb"\* 5 FETCH", line) else line
    listing = opened(port=faults.port).list(window())
    assert len(listing.refs) == 8
    assert [ref.location.rsplit("/", 1)[1] for ref in listing.unplaced] == ["5"]


@pytest.mark.parametrize(
    "rule",
    [
        lambda link, line: b"" if b" FETCH (" in line else line,
        lambda link, line: b"" if re.match(rb"\* (5 FETCH|SEARCH)", line) else line,
        lambda link, line: b"" if b"EXISTS" in line else line,
        lambda link, line: b"" if b"UIDVALIDITY" in line else line,
        lambda link, line: re.sub(rb"UID \d+", b"UID 5", line),
        lambda link, line: b"" if line.startswith(b"* LIST") else line,
    ],
    ids=["no answers", "one unnamed", "no count", "no UIDVALIDITY", "one UID for all", "no folders"],
)
def test_a_server_that_does_not_tell_all_is_an_error_never_a_shorter_listing(
    account: Account, opened: Open, faults: Proxy, rule: AnswerRule
) -> None:
    """A read that fails is an error, never an empty mailbox."""
    fill(account, 200)
    faults.answer = rule
    with pytest.raises(MailboxError, match=r"^mailbox post: [^\n]+; [^\n]+$"):
        opened(port=faults.port).list(window())


@pytest.mark.parametrize("status", [b"NO", b"BAD"])
@pytest.mark.parametrize("verb", [b"LIST", b"EXAMINE", b"FETCH"])
def test_a_refused_question_is_an_error(
    account: Account, opened: Open, faults: Proxy, verb: bytes, status: bytes
) -> None:
    """Whatever the server refuses while a mailbox is listed: one line, and no listing."""
    fill(account, 200)

    def command(link: Link, line: bytes) -> bytes | Reply:
        refused = line.split()[1:2] == [verb]
        return Reply(b"%s " + status + b" [LIMIT] not now\x07\r\n") if refused else line

    faults.command = command
    with pytest.raises(MailboxError, match=r"^mailbox post: [^\n\x07]+; [^\n]+$"):
        opened(port=faults.port).list(window())


def test_a_listing_goes_on_where_the_connection_broke(
    account: Account, opened: Open, faults: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that takes longer than connections last is read at last: each one begins where the last ended."""
    fill(account, 3000)

    def answer(link: Link, line: bytes) -> bytes:
        if link.sent > 60_000:
            raise Drop
        return line

    faults.answer = answer
    monkeypatch.setattr("orders_pipeline.mail.imap.index.CHUNK", 500)
    assert len(opened(port=faults.port).list(window(3)).refs) == 3000
    assert 3 <= len(faults.links) <= 9


def test_mail_deleted_while_it_is_listed_is_left_out_and_hides_nothing(
    account: Account, opened: Open, faults: Proxy
) -> None:
    """Sequence numbers shift when somebody deletes mail in the middle of a listing."""
    fill(account, 200)
    first = account.deliver(mail(500), DAY)
    done: list[bool] = []

    def command(link: Link, line: bytes) -> bytes | Reply:
        if line.split()[1:2] == [b"FETCH"] and not done:
            done.append(True)
            first.unlink()
            return Reply(b"* 201 EXPUNGE\r\n%s OK done\r\n")
        return line

    faults.command = command
    assert len(opened(port=faults.port).list(window()).refs) == 200


def test_the_count_of_each_folder_for_a_check(account: Account, opened: Open) -> None:
    """``mailbox check`` shows what is found before anything is saved."""
    fill(account, 3)
    fill(account, 2, label="Shops")
    account.deliver(mail(7), DAY - dt.timedelta(days=9))
    counts = opened().check(window())
    found = sorted((c.folder, c.messages, c.in_window, c.unplaced) for c in counts)
    assert found == [("INBOX", 4, 3, 0), ("Shops", 2, 2, 0)]
