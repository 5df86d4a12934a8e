"""What is listed is fetched, each message once, whatever the connection does in between."""

from __future__ import annotations

import datetime as dt
import re
import time
import tracemalloc

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.left_out import left_out_note
from orders_pipeline_tests.mail.imap.conftest import Open
from orders_pipeline_tests.mail.imap.dovecot import Account
from orders_pipeline_tests.mail.imap.proxy import Drop, Link, Proxy, Reply, Stall
from orders_pipeline_tests.mail.imap.scenes import DAY, asks_for_body, fill, mail, raws, window


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


def test_bye_is_the_connections_end_not_a_message(account: Account, opened: Open, faults: Proxy) -> None:
    """A server that restarts says BYE: the day goes on where it was."""
    sent = fill(account, 10)

    def command(link: Link, line: bytes) -> bytes | Reply:
        return Reply(b"* BYE restarting\r\n") if asks_for_body(line) and link.number == 1 else line

    faults.command = command
    source = opened(port=faults.port)
    assert raws(source.fetch(source.list(window()).refs)) == sorted(sent)


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
