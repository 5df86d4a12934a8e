"""How fast mail is fetched from Dovecot on loopback, beside a bare imaplib loop that throws it away.

Belongs here: the measurement, for a person (``make bench``) and for one test with a wide margin.
"""

from __future__ import annotations

import datetime as dt
import imaplib
import os
import random

from orders_pipeline.models import Window
from orders_pipeline_tests.mail.imap.dovecot import PASSWORD, PASSWORD_ENV, Account, dovecot, open_source
from orders_pipeline_tests.timing import best

_DAY = dt.datetime(2026, 5, 11, tzinfo=dt.UTC)


def fetch_rate(messages: int = 2000, *, size: int = 6000) -> dict[str, float]:
    """Messages a second, the best of three each, over one day of mail (``size`` bytes each, varied by half):

    ``imaplib`` is one FETCH a message, ``imaplib_all`` one FETCH for all (no bytes are looked at in either), ``ours``
    is listing and fetching with a new connection. ``ratio`` is ``ours`` over ``imaplib``.
    """
    before = os.environ.get(PASSWORD_ENV)
    os.environ[PASSWORD_ENV] = PASSWORD
    try:
        with dovecot() as server:
            account = server.account()
            _fill(account, messages, size)
            rates = {
                "imaplib": messages / best(lambda: _bare(account, messages)),
                "imaplib_all": messages / best(lambda: _bare(account, messages, all_at_once=True)),
                "ours": messages / best(lambda: _ours(account, messages)),
            }
    finally:
        os.environ.pop(PASSWORD_ENV)
        if before is not None:
            os.environ[PASSWORD_ENV] = before
    return {**rates, "ratio": rates["ours"] / rates["imaplib"], "ratio_all": rates["ours"] / rates["imaplib_all"]}


def _fill(account: Account, messages: int, size: int) -> None:
    dice = random.Random(7)
    for number in range(messages):
        lines = dice.randint(size // 2, size * 3 // 2) // 72
        body = b"\r\n".join(b"%070d" % dice.getrandbits(200) for _ in range(lines))
        raw = b"From: a@fennmark.example\r\nSubject: Order %d\r\n\r\n%s\r\n" % (number, body)
        account.deliver(raw, _DAY + dt.timedelta(seconds=number))


def _bare(account: Account, messages: int, *, all_at_once: bool = False) -> None:
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


def _ours(account: Account, messages: int) -> None:
    source = open_source(account.settings())
    try:
        listing = source.list(Window(start=_DAY, end=_DAY + dt.timedelta(days=1)))
        assert sum(item.raw is not None for item in source.fetch(listing.refs)) == messages
    finally:
        source.close()
