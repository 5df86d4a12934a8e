"""What is listed is fetched, each message once, whatever the connection and the server do in between."""

from __future__ import annotations

import datetime as dt
import re
import shutil
import time
import tracemalloc

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.left_out import left_out_note
from orders_pipeline_tests.mail.imap.conftest import Open
from orders_pipeline_tests.mail.imap.dovecot import Account
from orders_pipeline_tests.mail.imap.proxy import AnswerRule, Drop, Link, Proxy, Reply, Stall
from orders_pipeline_tests.mail.imap.scenes import DAY, fill, mail, raws, window


def asks_for_body(line: bytes) -> bool:
    return b"BODY.PEEK[]" in line


def uid_asked(line: bytes) -> bytes:
    match = re.search(rb"UID FETCH (\S+) ", line)
    return match[1] if match else b""


def test_mail_comes_as_it_is_and_no_flag_changes(account: Account, opened: Open) -> None:
    """Reading marked mail as seen: the owner's mail programs would show it as read (bug report 66)."""
    sent = fill(account, 30) + fill(account, 5, label="Läden/Älter & mehr")
    before = account.names()
    source = opened()
    listing = source.list(window())
    assert len(listing.refs) == 35
    assert raws(source.fetch(listing.refs)) == sorted(sent)
    source.close()
    assert account.names() == before


def test_a_server_that_closes_every_20_messages_is_resumed(account: Account, opened: Open, faults: Proxy) -> None:
    """An endless reconnect without a resume point: each connection begins from nothing (bug report 81)."""
    sent = fill(account, 100)

    def answer(link: Link, line: bytes) -> bytes:
        if b"BODY[]" in line and link.bodies >= 20:
            raise Drop
        return line

    faults.answer = answer
    source = opened(port=faults.port)
    assert raws(source.fetch(source.list(window()).refs)) == sorted(sent)
    assert sum(link.bodies for link in faults.links) <= 100 + len(faults.links)
    assert len(faults.links) <= 7


def test_a_connection_lost_in_a_message_costs_that_message_only(account: Account, opened: Open, faults: Proxy) -> None:
    """A lost connection was read as an empty answer, and the rest never came (bug report 64)."""
    sent = fill(account, 10, size=5000)
    source = opened(port=faults.port)
    listing = source.list(window())
    left = faults.links[0].sent + 3 * 5500

    def answer(link: Link, line: bytes) -> bytes:
        if link.number == 1 and link.sent > left:
            raise Drop
        return line

    faults.answer = answer
    assert raws(source.fetch(listing.refs)) == sorted(sent)
    assert faults.links[0].bodies < 5


def test_messages_are_given_as_they_come(account: Account, opened: Open, faults: Proxy) -> None:
    """A batch that is collected whole is lost whole when the process is killed in it."""
    fill(account, 10)

    def answer(link: Link, line: bytes) -> bytes:
        if b"BODY[]" in line and link.bodies >= 4:
            raise Stall
        return line

    faults.answer = answer
    source = opened(port=faults.port, timeout_seconds=1)
    items = source.fetch(source.list(window()).refs)
    assert all(next(items).raw for _ in range(4))


def test_a_server_that_falls_silent_is_an_error_in_one_line_after_a_bounded_time(
    account: Account, opened: Open, faults: Proxy
) -> None:
    """A mailbox that hangs must not hang the day: the timeout ends it, and nothing counts as done."""
    fill(account, 3)

    def command(link: Link, line: bytes) -> bytes:
        if asks_for_body(line):
            raise Stall
        return line

    faults.command = command
    source = opened(port=faults.port, timeout_seconds=0.3)
    refs = source.list(window()).refs
    began = time.monotonic()
    with pytest.raises(
        MailboxError, match=r"^mailbox post: .*breaks again and again: .*silent for 0\.3 s; check"
    ) as told:
        list(source.fetch(refs))
    assert time.monotonic() - began < 20
    assert "\n" not in str(told.value)


def test_a_message_that_vanished_is_gone_and_the_others_come(account: Account, opened: Open) -> None:
    """A message deleted between listing and fetching stopped the batch for ever (bug report 68)."""
    fill(account, 4)
    gone = account.deliver(mail(99), DAY)
    source = opened()
    refs = source.list(window()).refs
    gone.unlink()
    items = list(source.fetch(refs))
    assert len(items) == 5
    assert [item.gone for item in items].count(True) == 1
    assert sum(item.raw is not None for item in items) == 4


@pytest.mark.parametrize("uid", [1, 7, 20])
def test_a_message_that_the_server_refuses_is_its_own_error(
    account: Account, opened: Open, faults: Proxy, uid: int
) -> None:
    """One poison message blocked everything (bug report 67); a server error is not "gone" (68)."""
    sent = fill(account, 20)

    def command(link: Link, line: bytes) -> bytes | Reply:
        if asks_for_body(line):
            asked = {n for part in uid_asked(line).split(b",") for n in _numbers(part)}
            if uid in asked:
                return Reply(b"%s NO [SERVERBUG] Internal error\x1b[31m\r\n")
        return line

    faults.command = command
    source = opened(port=faults.port)
    items = list(source.fetch(source.list(window()).refs))
    faulty = [item for item in items if item.raw is None]
    assert [item.gone for item in faulty] == [False]
    assert faulty[0].error == "the server refuses to send it: [SERVERBUG] Internal error [31m"
    assert faulty[0].ref.location.endswith(f"/{uid}")
    assert len([item for item in items if item.raw]) == 19
    assert {item.raw for item in items if item.raw} <= set(sent)


def _numbers(part: bytes) -> range:
    first, _, last = part.partition(b":")
    return range(int(first), int(last or first) + 1)


@pytest.mark.parametrize("uid", [1, 8, 20])
def test_a_message_that_breaks_each_connection_is_its_own_error(
    account: Account, opened: Open, faults: Proxy, uid: int
) -> None:
    """A message at which the server crashes must not stand before all others for ever (bug report 67)."""
    fill(account, 20)

    def answer(link: Link, line: bytes) -> bytes:
        if b"BODY[]" in line and b"UID %d " % uid in line:
            raise Drop
        return line

    faults.answer = answer
    source = opened(port=faults.port)
    items = list(source.fetch(source.list(window()).refs))
    assert [item.error for item in items if item.raw is None] == [
        "the connection breaks each time that this message is asked for"
    ]
    assert len(items) == 20
    assert len(faults.links) <= 5


def test_the_last_message_owed_that_breaks_each_connection_is_its_own_error_too(
    account: Account, opened: Open, faults: Proxy
) -> None:
    """When all others are saved there is nothing to compare with: its headers show that the connection is fine."""
    fill(account, 1)

    def answer(link: Link, line: bytes) -> bytes:
        if b"BODY[]" in line:
            raise Drop
        return line

    faults.answer = answer
    source = opened(port=faults.port)
    (item,) = source.fetch(source.list(window()).refs)
    assert item.error == "the connection breaks each time that this message is asked for"


def test_a_server_that_refuses_all_mail_is_an_error_of_the_mailbox(
    account: Account, opened: Open, faults: Proxy
) -> None:
    """A quota or a maintenance window must not use up the tries of every message."""
    fill(account, 20)

    def command(link: Link, line: bytes) -> bytes | Reply:
        return Reply(b"%s NO bandwidth exceeded\r\n") if asks_for_body(line) else line

    faults.command = command
    source = opened(port=faults.port)
    with pytest.raises(MailboxError, match="refuses to send mail of the folder INBOX: bandwidth exceeded; it is tried"):
        list(source.fetch(source.list(window()).refs))


def test_bye_is_the_connections_end_not_a_message(account: Account, opened: Open, faults: Proxy) -> None:
    """A server that restarts says BYE: the day goes on where it was."""
    sent = fill(account, 10)

    def command(link: Link, line: bytes) -> bytes | Reply:
        return Reply(b"* BYE restarting\r\n") if asks_for_body(line) and link.number == 1 else line

    faults.command = command
    source = opened(port=faults.port)
    assert raws(source.fetch(source.list(window()).refs)) == sorted(sent)


def test_a_message_that_the_server_leaves_out_is_asked_for_again(account: Account, opened: Open, faults: Proxy) -> None:
    """A UID that the server left out of an answer counted as absent (bug report 65)."""
    sent = fill(account, 10)
    left_out: list[int] = []

    def answer(link: Link, line: bytes) -> bytes:
        if b"BODY[]" in line and b"UID 4 " in line and not left_out:
            left_out.append(1)
            return b""
        return line

    def swallow(link: Link, line: bytes) -> bytes:
        return b"" if b"BODY[]" in line and b"UID 4 " in line else line

    faults.answer = _without_tail(answer)
    source = opened(port=faults.port)
    refs = source.list(window()).refs
    assert raws(source.fetch(refs)) == sorted(sent)
    assert left_out
    faults.answer = _without_tail(swallow)
    items = list(source.fetch(refs))
    assert [item.error for item in items if not item.raw] == ["the server lists it, and sends nothing"]
    assert not any(item.gone for item in items)


def _without_tail(rule: AnswerRule) -> AnswerRule:
    """Swallow the closing bracket of an answer whose beginning was swallowed."""
    swallowed: list[bool] = []

    def answer(link: Link, line: bytes) -> bytes:
        if swallowed and line == b")\r\n":
            swallowed.clear()
            return b""
        passed = rule(link, line)
        if not passed:
            swallowed.append(True)
        return passed

    return answer


def test_another_uidvalidity_is_an_error_never_other_bytes(account: Account, opened: Open, faults: Proxy) -> None:
    """After a folder is renumbered, UID 1 is another message: its bytes must not be saved under the old location."""
    fill(account, 3)
    source = opened(port=faults.port)
    refs = source.list(window()).refs
    faults.answer = lambda link, line: re.sub(rb"UIDVALIDITY \d+", b"UIDVALIDITY 77", line)
    with pytest.raises(MailboxError, match=r"renumbered the folder INBOX since it was listed .*; it is listed again"):
        list(source.fetch(refs))
    again = source.list(window()).refs
    assert [ref.location for ref in again] == [f"INBOX/77/{n}" for n in (1, 2, 3)]
    assert len(raws(source.fetch(again))) == 3


def test_a_folder_that_cannot_be_read_does_not_keep_the_others_back(
    account: Account, opened: Open, faults: Proxy
) -> None:
    """One folder's fault is told after the mail of the others is saved."""
    fill(account, 3)
    fill(account, 2, label="Shops")
    source = opened(port=faults.port)
    refs = source.list(window()).refs

    def command(link: Link, line: bytes) -> bytes | Reply:
        return Reply(b"%s NO [NOPERM] not yours\r\n") if b"EXAMINE" in line and b"INBOX" in line else line

    faults.command = command
    came = []

    def take() -> None:
        came.extend(source.fetch(refs))

    with pytest.raises(MailboxError, match=r"cannot open the folder INBOX: \[NOPERM\] not yours; check"):
        take()
    assert len(came) == 2


def test_mail_of_a_folder_that_was_deleted_is_gone(account: Account, opened: Open) -> None:
    """A folder removed between listing and fetching takes its mail along; that is no fault."""
    fill(account, 2, label="Old")
    source = opened()
    refs = source.list(window()).refs
    shutil.rmtree(account.root / ".Old")
    shutil.rmtree(account.root.parent / "index" / ".Old", ignore_errors=True)
    assert [item.gone for item in source.fetch(refs)] == [True, True]


def test_a_message_over_the_limit_keeps_its_headers_and_structure(account: Account, opened: Open) -> None:
    """A huge attachment filled the memory and stopped the day (bug report 80)."""
    small = fill(account, 2)
    attachment = b"QUJD" * 18 + b"\r\n"
    raw = b"\r\n".join([
        b"From: a@fennmark.example", b"Subject: Large", b"MIME-Version: 1.0",
        b'Content-Type: multipart/mixed; boundary="b"', b"", b"--b", b"Content-Type: text/plain", b"", b"Hello", b"--b",
        b'Content-Type: application/pdf; name="invoice.pdf"', b"Content-Transfer-Encoding: base64", b"",
        attachment * 300_000 + b"--b--", b"",
    ])  # fmt: skip
    account.deliver(raw, DAY + dt.timedelta(hours=2))
    size = len(raw)
    del raw
    source = opened(fetch={"max_message_bytes": 1024 * 1024})
    refs = source.list(window()).refs
    tracemalloc.start()
    try:
        items = list(source.fetch(refs))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * 1024 * 1024
    large = [item.raw for item in items if item.raw and b"Subject: Large" in item.raw]
    assert left_out_note(large[0]) == f"body of {size} bytes left out, over fetch.max_message_bytes (1048576)"
    assert re.search(rb"\r\napplication/pdf, 22\d{6} bytes, invoice\.pdf\r\n", large[0])
    assert sorted(item.raw for item in items if item.raw and item.raw not in large) == sorted(small)


def test_more_bytes_than_announced_are_read_past(account: Account, opened: Open, faults: Proxy) -> None:
    """A server that announces 20 bytes and sends 20 MB must not fill the memory."""
    account.deliver(mail(1, size=5_000_000), DAY)
    sent = fill(account, 2)
    faults.answer = lambda link, line: re.sub(rb"RFC822.SIZE \d+", b"RFC822.SIZE 20", line)
    source = opened(port=faults.port, fetch={"max_message_bytes": 1024 * 1024})
    found = raws(source.fetch(source.list(window()).refs))
    assert [left_out_note(raw) is not None for raw in found].count(True) == 1
    assert set(sent) <= set(found)


def test_answers_that_nobody_asked_for_confuse_nothing(account: Account, opened: Open, faults: Proxy) -> None:
    """Another program changes flags and deletes mail while we read: its news comes between our answers."""
    sent = fill(account, 10)

    def answer(link: Link, line: bytes) -> bytes:
        if re.match(rb"\* \d+ FETCH \(UID", line):
            news = rb"* 3 FETCH (FLAGS (\Seen $Label))" + b"\r\n" + rb"* 2 FETCH (UID 2 FLAGS ())" + b"\r\n"
            return news + b"* OK [ALERT] take care {5}\r\n* 12 RECENT\r\n" + line
        return line

    faults.answer = answer
    source = opened(port=faults.port)
    assert raws(source.fetch(source.list(window()).refs)) == sorted(sent)


def test_a_reader_who_stops_half_way_leaves_a_usable_mailbox(account: Account, opened: Open) -> None:
    """The rest of an answer that nobody read must not be taken for the answer to the next question."""
    sent = fill(account, 50, size=20_000)
    source = opened()
    refs = source.list(window()).refs
    next(iter(source.fetch(refs)))
    assert len(source.list(window()).refs) == 50
    assert raws(source.fetch(refs)) == sorted(sent)


def test_batches_are_bounded_by_bytes(account: Account, opened: Open, faults: Proxy) -> None:
    """What is asked for at once stays below the configured bytes; a larger one goes alone."""
    fill(account, 12, size=10_000)
    source = opened(port=faults.port, fetch={"batch_bytes": 25_000})
    assert len(raws(source.fetch(source.list(window()).refs))) == 12
    asked = [command for command in faults.commands() if asks_for_body(command)]
    assert len(asked) == 6


def test_closing_never_fails(account: Account, opened: Open, faults: Proxy) -> None:
    """A mailbox that is down at the end of a run must not fail what is done."""
    fill(account, 1)
    source = opened(port=faults.port)
    source.close()
    source.list(window())

    def command(link: Link, line: bytes) -> bytes:
        if b"LOGOUT" in line:
            raise Drop
        return line

    faults.command = command
    source.close()
    source.close()
    assert len(source.list(window()).refs) == 1
