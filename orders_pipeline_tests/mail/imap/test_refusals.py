"""A message, a folder or a server that refuses: each is told apart, and keeps nothing else back."""

from __future__ import annotations

import re
import shutil

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline_tests.mail.imap.conftest import Open
from orders_pipeline_tests.mail.imap.dovecot import Account
from orders_pipeline_tests.mail.imap.proxy import AnswerRule, Drop, Link, Proxy, Reply
from orders_pipeline_tests.mail.imap.scenes import DAY, asks_for_body, fill, mail, raws, window


def uid_asked(line: bytes) -> bytes:
    match = re.search(rb"UID FETCH (\S+) ", line)
    return match[1] if match else b""


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
