"""The demo over mailboxes on servers that fail: the tables are those of the same mail in a Maildir.

Small here, as part of every run of the tests; ``ORDERS_PIPELINE_TESTS_FULL=1`` takes thirty days with a hundred mails.
"""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter
from pathlib import Path

import pytest

from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.models import Window
from orders_pipeline.sample.config import sample_config_toml
from orders_pipeline.sample.generate import write_sample_mailbox
from orders_pipeline_tests.cli.test_demo import DEMO, Demo
from orders_pipeline_tests.harness import ZONE, Dump, different_tables
from orders_pipeline_tests.mail.gmail.conftest import write_token
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn, error
from orders_pipeline_tests.mail.imap.dovecot import PASSWORD, PASSWORD_ENV, dovecot
from orders_pipeline_tests.mail.imap.proxy import Drop, Link, proxy
from orders_pipeline_tests.stages.killing import kill_at

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("killed")]

FULL = bool(os.environ.get("ORDERS_PIPELINE_TESTS_FULL"))
DAYS, PER_DAY, DROP_AFTER = (30, 100, 50) if FULL else (4, 12, 10)
ALL = Window(start=dt.datetime(1990, 1, 1, tzinfo=dt.UTC), end=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
KILLS = ("archive.mail.renamed:2", "fetch.commit.inside:3")
# Where a message lies, digests of that, and its size: a server sends CRLF where the file has LF.
_PLACES = ("location", "listings.listing_digest", "messages.size")
Mail = list[tuple[bytes, dt.datetime]]


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dump, Mail, dt.date]:
    """The tables of the demo over a Maildir, its mail with the times of arrival, and the first day."""
    folder = tmp_path_factory.mktemp("offline")
    demo = Demo(folder)
    last = dt.datetime.now(ZONE).date() - dt.timedelta(days=1)
    made = write_sample_mailbox(demo.home / "sample-mail", last_day=last, days=DAYS, per_day=PER_DAY)
    text = sample_config_toml(Path("sample-mail"), ZONE.key, made.days[0])
    (demo.home / "orders_pipeline.toml").write_text(text, encoding="utf-8")
    box = MaildirSource("sample", demo.home / "sample-mail")
    # What has no usable date in a file has one on a server: when it came there. That mail is left out.
    refs = box.list(ALL).refs
    mail = [(f.raw, f.ref.received_at) for f in box.fetch(refs) if f.raw and f.ref.received_at]
    for ref in box.list(ALL).unplaced:
        for path in (demo.home / "sample-mail").rglob(f"{ref.location.rpartition('/')[2]}*"):
            path.unlink()
    status, out = demo.run()
    assert status == 0, out
    return demo.dump(ignore=_PLACES), mail, made.days[0]


def _configure(demo: Demo, first: dt.date, section: str) -> None:
    lines = sample_config_toml(Path("x"), ZONE.key, first).splitlines()
    at = lines.index('kind = "maildir"')
    lines[at : at + 2] = section.splitlines()
    (demo.home / "orders_pipeline.toml").write_text("\n".join([*lines, "[fetch]", "batch_messages = 40", ""]))


def _kill_twice_and_finish(demo: Demo) -> None:
    for point in KILLS:
        kill_at(point, DEMO, demo.environ, demo.folder)
    status, out = demo.run()
    assert status == 0, out
    assert f"{DAYS} of {DAYS} done" in out


def test_gmail_with_limits_and_two_kills(tmp_path: Path, offline: tuple[Dump, Mail, dt.date]) -> None:
    """Rate limits all the way through, and the process killed twice: everything once."""
    tables, mail, first = offline
    gmail = GmailStandIn()
    try:
        for raw, at in mail:
            gmail.add(raw, at)
        demo = Demo(tmp_path)
        write_token(demo.home / "token.json", gmail)
        _configure(
            demo,
            first,
            f'kind = "gmail"\nclient_file = "client.json"\ntoken_file = "token.json"\nendpoint = "{gmail.url}"',
        )
        turn = Counter[str]()

        def every_thirteenth(request: object) -> bool:
            turn["all"] += 1
            return turn["all"] % 13 == 0

        gmail.fail(every_thirteenth, error(429, "rateLimitExceeded", Retry_After="0"), times=100_000)
        _kill_twice_and_finish(demo)
        assert turn["all"] > 13
        assert different_tables(demo.dump(ignore=_PLACES), tables) == {}
    finally:
        gmail.close()


def test_imap_with_dropped_connections_and_two_kills(
    tmp_path: Path, offline: tuple[Dump, Mail, dt.date], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection ends after every few messages, and the process is killed twice: everything once, no flag set."""
    tables, mail, first = offline
    monkeypatch.setenv(PASSWORD_ENV, PASSWORD)
    with dovecot() as server, proxy(server.port) as faults:
        account = server.account()
        for number, (raw, at) in enumerate(mail):
            account.deliver(raw, at, flags="S" if number % 3 else "")
        before, dropped = account.names(), Counter[str]()

        def drop(link: Link, line: bytes) -> bytes:
            if link.bodies >= DROP_AFTER:
                dropped["connections"] += 1
                raise Drop
            return line

        faults.answer = drop
        demo = Demo(tmp_path)
        section = f'kind = "imap"\nhost = "127.0.0.1"\nport = {faults.port}\nsecurity = "none"\n'
        _configure(demo, first, section + f'username = "{account.user}"\npassword_env = "{PASSWORD_ENV}"')
        _kill_twice_and_finish(demo)
        assert dropped["connections"] >= len(mail) // DROP_AFTER // 2
        assert account.names() == before
        assert different_tables(demo.dump(ignore=_PLACES), tables) == {}
        asked = sum(link.bodies for link in faults.links)
        assert asked <= len(mail) + 2 * 40 + dropped["connections"]  # what was in flight, and nothing else, came twice
