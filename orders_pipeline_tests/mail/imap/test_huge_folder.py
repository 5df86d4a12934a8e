"""A huge folder."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline_tests.mail.imap.dovecot import PASSWORD, PASSWORD_ENV, dovecot, open_source
from orders_pipeline_tests.mail.imap.scenes import DAY, window

MBOX = "mail_location = mbox:~/mail:INBOX=~/mail/inbox:INDEX=~/index"  # one file: 100,000 are made and gone in no time


def test_a_hundred_thousand_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids that fill a command line, answers that fill the memory, hours for each listing (bug report 80)."""
    monkeypatch.setenv(PASSWORD_ENV, PASSWORD)
    count = 100_000
    with dovecot(more=MBOX) as server:
        account = server.account()
        account.root.mkdir(exist_ok=True)
        with (account.root / "inbox").open("wb") as file:
            for number in range(count):
                arrived = (DAY + dt.timedelta(minutes=number)).strftime("%a %b %d %H:%M:%S %Y")
                file.write(b"From x@fennmark.example %s\nSubject: %d\n\n.\n\n" % (arrived.encode(), number))
        server.give(account.root.parent)
        for _ in range(3):  # 3.5 s, then 0.3 s each
            source = open_source(account.settings(timeout_seconds=60), tmp_path)
            assert len(source.list(window(30)).refs) == 30 * 1440
            source.close()
