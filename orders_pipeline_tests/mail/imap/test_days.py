"""Days fetched from a server through the stages: the same tables as from files, whatever the connection does."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline.models import UnitState
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.relist import relist_days
from orders_pipeline_tests.harness import DAY, Scene, deliver, different_tables, noon, order_mail, plain_mail, select
from orders_pipeline_tests.mail.imap.dovecot import PASSWORD_ENV, Account
from orders_pipeline_tests.mail.imap.proxy import Drop, Link, Proxy, Reply

# Where a message lies, and what is made of it, differs between files and a server.
OF_A_LOCATION = ("location", "locations", "listing_digest")


def on_server(root: Path, account: Account, port: int, *, settings: str = "") -> Scene:
    """A pipeline whose one mailbox, ``inbox``, is on the server."""
    box = (
        f'[[mailbox]]\nname = "inbox"\nkind = "imap"\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
        f'username = "{account.user}"\npassword_env = "{PASSWORD_ENV}"\ntimeout_seconds = 10\n'
    )
    root.mkdir(exist_ok=True)
    return Scene(root, mailboxes=(), settings=box + settings)


def test_days_from_a_server_that_drops_every_50_messages_equal_those_from_files(
    account: Account, faults: Proxy, tmp_path: Path
) -> None:
    """Everything once: no mail lost at a break, none twice, no flag changed."""
    files = Scene(tmp_path / "files")
    days = [DAY + dt.timedelta(days=n) for n in range(3)]
    for number, (day, minute) in enumerate((day, minute) for day in days for minute in range(60)):
        at = noon(day, minute)
        raw = order_mail(f"FM-{80000 + number}", at) if number % 4 else plain_mail(f"Sunday {number}", at)
        deliver(files.root / "inbox", raw, f"{number:04d}.mail")
        account.deliver(raw, at, label="Shops" if number % 5 == 0 else "INBOX", flags="S" if number % 3 else "")
    before = account.names()

    def answer(link: Link, line: bytes) -> bytes:
        if b"BODY[]" in line and link.bodies >= 50:
            raise Drop
        return line

    faults.answer = answer
    server = on_server(tmp_path / "server", account, faults.port)
    for scene in (files, server):
        work = scene.work()
        assert [run_day(work, day).problem for day in days] == [None] * 3
        work.close()
    assert sum(link.bodies >= 50 for link in faults.links) >= 3
    assert sum(link.bodies for link in faults.links) <= 180 + len(faults.links)
    assert different_tables(files.dump(ignore=OF_A_LOCATION), server.dump(ignore=OF_A_LOCATION)).keys() <= {"locations"}
    assert select(server.work().store, "SELECT count(*), count(DISTINCT message_id) FROM locations") == [(180, 180)]
    assert account.names() == before


def test_one_message_that_the_server_refuses_leaves_the_day_open_and_the_others_saved(
    account: Account, faults: Proxy, tmp_path: Path
) -> None:
    """A server error on one mail is a pending unit, and heals; it is not gone and costs no other mail."""
    for number in range(10):
        account.deliver(order_mail(f"FM-{90000 + number}", noon(DAY, number)), noon(DAY, number))
    refused = [True]

    def command(link: Link, line: bytes) -> bytes | Reply:
        if refused and b"BODY.PEEK[]" in line and (b":" in line or b" 4 " in line):
            return Reply(b"%s NO [SERVERBUG] Internal error\r\n")
        return line

    faults.command = command
    scene = on_server(tmp_path, account, faults.port)
    report = run_day(scene.work(), DAY)
    assert report.problem is not None
    assert "1 listed messages are not fetched yet" in report.problem
    assert select(scene.work().store, "SELECT count(*) FROM parse_outcomes") == [(9,)]
    assert select(scene.work().store, "SELECT state FROM units") == [(UnitState.PENDING.value,)]
    refused.clear()
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None


def test_a_failing_server_makes_no_empty_done_day(
    account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No fault of a mailbox ends in a day that is done and has no mail."""
    account.deliver(order_mail("FM-1", noon(DAY)), noon(DAY))
    scene = on_server(tmp_path, account, account.server.port)
    right = account.settings().password_env
    assert right is not None
    monkeypatch.setenv(right, "wrong")
    report = run_day(scene.work(), DAY)
    assert report.problem is not None
    assert "refuses the login" in report.problem
    assert scene.why_not_done() == "no complete listing of inbox"


def test_late_mail_reopens_its_day_and_a_renumbered_folder_saves_nothing_twice(
    account: Account, faults: Proxy, tmp_path: Path
) -> None:
    """After a folder is renumbered all locations are new and all messages known: nothing is lost or doubled."""
    for number in range(5):
        account.deliver(order_mail(f"FM-{number}", noon(DAY, number)), noon(DAY, number))
    scene = on_server(tmp_path, account, faults.port)
    assert run_day(scene.work(), DAY).problem is None
    account.deliver(order_mail("FM-late", noon(DAY, 50)), noon(DAY, 50))
    assert relist_days(scene.work(), [DAY]).reopened == {DAY: 1}
    assert run_day(scene.work(), DAY).problem is None
    faults.answer = lambda link, line: line.replace(b"UIDVALIDITY ", b"UIDVALIDITY 9")
    assert relist_days(scene.work(), [DAY]).reopened == {DAY: 6}
    assert run_day(scene.work(), DAY).problem is None
    assert scene.why_not_done() is None
    assert select(scene.work().store, "SELECT count(*) FROM messages") == [(6,)]
    assert select(scene.work().store, "SELECT count(*) FROM locations") == [(12,)]
