"""Reading a mailbox beside a loop that reads the same mail and throws it away: IMAP, Maildir, mbox.

Belongs here: the loops, and ours. The server is a Dovecot on loopback, so that the network costs nothing; without one
IMAP is left out.
"""

from __future__ import annotations

import datetime as dt
import imaplib
import mailbox
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from bench.figures import Figure, Scale, Section, Sense, Table
from bench.measuring import in_turn
from bench.workloads import raw_messages
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.mail.mbox import MboxSource
from orders_pipeline.models import Window
from orders_pipeline_tests.mail.imap.dovecot import (
    PASSWORD,
    PASSWORD_ENV,
    Account,
    dovecot,
    find_dovecot,
    open_source,
)

_DAY = dt.datetime(2026, 5, 11, tzinfo=dt.UTC)
_EVER = Window(start=dt.datetime(2000, 1, 1, tzinfo=dt.UTC), end=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))


def measure(scale: Scale) -> Section:
    """See the package: a figure for IMAP, tables for it and for files."""
    raws = raw_messages(scale.pick(100, 2000))
    size = f"{len(raws):,} messages, {sum(map(len, raws)) / 1e6:.0f} MB, median {median(map(len, raws)) / 1e3:.0f} kB"
    figures: list[Figure] = []
    tables: list[Table] = []
    if find_dovecot():
        figures, table = _imap(raws)
        tables.append(table)
    tables.append(_files(raws))
    return Section(
        title="Reading mailboxes",
        how=(
            f"One day of mail ({size}) is listed and fetched by a new mailbox object, beside a loop of the standard"
            " library that reads the same mail and throws it away. Best of five, in turn."
            + ("" if figures else " IMAP is left out: there is no Dovecot on this machine.")
        ),
        figures=figures,
        tables=tables,
    )


def _imap(raws: Sequence[bytes]) -> tuple[list[Figure], Table]:
    before = os.environ.get(PASSWORD_ENV)
    os.environ[PASSWORD_ENV] = PASSWORD
    try:
        with dovecot() as server:
            account = server.account()
            for number, raw in enumerate(raws):
                account.deliver(raw, _DAY + dt.timedelta(seconds=number))
            works: dict[str, Callable[[], object]] = {
                "imaplib, a FETCH a message": lambda: bare_imap(account, len(raws)),
                "imaplib, one FETCH for all": lambda: bare_imap(account, len(raws), all_at_once=True),
                "ours: listing, then fetching": lambda: _read(open_source(account.settings()), len(raws)),
            }
            works["imaplib, one FETCH for all"]()  # Dovecot makes its index
            seconds, busy = (
                in_turn(*works.values(), times=5, clock=clock) for clock in (time.perf_counter, time.process_time)
            )
    finally:
        os.environ.pop(PASSWORD_ENV)
        if before is not None:
            os.environ[PASSWORD_ENV] = before
    one, every, ours = (len(raws) / taken for taken in seconds)
    figures = [
        Figure(
            what="IMAP fetch, one FETCH for all", against="imaplib that throws it away", ours=f"{ours:,.0f} messages/s",
            theirs=f"{every:,.0f} messages/s", ratio=ours / every, sense=Sense.AT_LEAST, reach=0.6,
        ),
        Figure(
            what="IMAP fetch, a FETCH a message", against="imaplib that throws it away", ours=f"{ours:,.0f} messages/s",
            theirs=f"{one:,.0f} messages/s", ratio=ours / one, sense=Sense.AT_LEAST, reach=0.6,
        ),
    ]  # fmt: skip
    return figures, _table("IMAP, from Dovecot on loopback", raws, list(works), seconds, busy)


def bare_imap(account: Account, messages: int, *, all_at_once: bool = False) -> None:
    """Log in and fetch every body of the INBOX by imaplib, without a look at it."""
    client = imaplib.IMAP4("127.0.0.1", account.server.port, timeout=60)
    client.authenticate("PLAIN", lambda _: f"\0{account.user}\0{PASSWORD}".encode())
    client.select("INBOX", readonly=True)
    uids = client.uid("SEARCH", "ALL")[1][0].split()
    assert len(uids) == messages
    if all_at_once:
        assert len(client.uid("FETCH", "1:*", "(BODY.PEEK[])")[1]) >= messages
    else:
        for uid in uids:
            assert client.uid("FETCH", uid.decode(), "(BODY.PEEK[])")[1][0]
    client.logout()


def _files(raws: Sequence[bytes]) -> Table:
    with tempfile.TemporaryDirectory(prefix="orders-bench-") as name:
        folder = Path(name)
        maildir, mbox = mailbox.Maildir(folder / "maildir"), mailbox.mbox(folder / "mbox")
        for raw in raws:
            maildir.add(raw)
            mbox.add(raw)
        mbox.close()
        for path in (p for p in folder.rglob("*") if p.is_file()):
            os.utime(path, (_DAY.timestamp(), _DAY.timestamp()))  # what changed just now is not kept
        cache, count = folder / "cache", len(raws)
        cache.mkdir()
        works: dict[str, Callable[[], object]] = {
            "Maildir: mailbox.Maildir": lambda: _bare_files(mailbox.Maildir(folder / "maildir")),
            "Maildir: ours, never seen before": lambda: _read(MaildirSource("m", folder / "maildir"), count),
            "Maildir: ours, index kept": lambda: _read(MaildirSource("m", folder / "maildir", cache=cache), count),
            "mbox: mailbox.mbox": lambda: _bare_files(mailbox.mbox(folder / "mbox")),
            "mbox: ours, never seen before": lambda: _read(MboxSource("b", folder / "mbox"), count),
            "mbox: ours, index kept": lambda: _read(MboxSource("b", folder / "mbox", cache=cache), count),
        }
        seconds, busy = (
            in_turn(*works.values(), times=5, clock=clock) for clock in (time.perf_counter, time.process_time)
        )
    return _table("Files, from the system's cache", raws, list(works), seconds, busy)


def _bare_files(box: mailbox.Mailbox) -> int:
    return sum(len(box.get_bytes(key)) for key in box.iterkeys())


def _read(source: Mailbox, count: int) -> None:
    try:
        assert sum(item.raw is not None for item in source.fetch(source.list(_EVER).refs)) == count
    finally:
        source.close()


def _table(
    title: str, raws: Sequence[bytes], names: Sequence[str], seconds: Sequence[float], busy: Sequence[float]
) -> Table:
    megabytes = sum(map(len, raws)) / 1e6
    return Table(
        title=title,
        columns=("reader", "messages/s", "MB/s", "own processor time, µs a message"),
        rows=[
            (name, f"{len(raws) / took:,.0f}", f"{megabytes / took:,.0f}", f"{own / len(raws) * 1e6:,.0f}")
            for name, took, own in zip(names, seconds, busy, strict=True)
        ],
    )
