"""Days fetched from Gmail through the stages: whatever it does, the tables are those of the same mail on disk."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from pathlib import Path

import pytest

from orders_pipeline.config import FetchSettings
from orders_pipeline.mail.gmail.source import GmailSource
from orders_pipeline.mailbox_settings import GmailMailbox
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.relist import relist_days
from orders_pipeline.stages.work import Work
from orders_pipeline.store import ledger
from orders_pipeline_tests.harness import DAY, Scene, deliver, different_tables, noon, order_mail, plain_mail, select
from orders_pipeline_tests.loopback import DROP
from orders_pipeline_tests.mail.gmail.conftest import write_token
from orders_pipeline_tests.mail.gmail.http_stand_in import Request
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn, error
from orders_pipeline_tests.stages.killing import kill_at

DAYS = [DAY + dt.timedelta(days=n) for n in range(5)]
A_DAY = 60
# Where a message lies in the mailbox, and digests of that.
_PLACES = ("location", "listings.listing_digest")


@pytest.fixture
def twins(gmail: GmailStandIn, tmp_path: Path) -> tuple[Scene, Scene]:
    """The same mail in the account ``inbox`` and in the Maildir ``inbox``."""
    (tmp_path / "online").mkdir()
    online = Scene(tmp_path / "online", mailboxes=())
    offline = Scene(tmp_path / "offline")
    write_token(online.root / "token.json", gmail)
    online.settings = (
        '[[mailbox]]\nname = "inbox"\nkind = "gmail"\nclient_file = "client.json"\ntoken_file = "token.json"\n'
        f'endpoint = "{gmail.url}"\n'
    )
    online.write_config()
    for day in DAYS:
        for n in range(A_DAY):
            at = noon(day, n % 60)
            raw = order_mail(f"FM-{day:%d}{n:03d}", at, total="31.00" if n % 7 else "24.50")
            raw = plain_mail(f"Sunday {n}", at) if n % 3 else raw
            gmail.add(raw, at)
            deliver(offline.root / "inbox", raw, f"{day}.{n:03d}")
    return online, offline


def work_of(scene: Scene, waits: list[float]) -> Work:
    """A new run over the account, with its cache, whose waits take no time."""
    work = scene.work()
    settings = work.config.mailbox[0]
    assert isinstance(settings, GmailMailbox)
    box = GmailSource(settings, FetchSettings(), work.store.folder.cache, sleep=waits.append)
    work._mailboxes[box.name] = box
    return work


def test_days_fetched_through_limits_and_faults_equal_those_of_the_same_maildir(
    gmail: GmailStandIn, twins: tuple[Scene, Scene], waits: list[float]
) -> None:
    """Limits, outages, lost answers and a token that ends, all the way through: everything once, nothing less."""
    online, offline = twins
    count = [0]

    def every(step: int, request: Request, kind: str) -> bool:
        count[0] += request.kind == kind
        return request.kind == kind and count[0] % step == 0

    gmail.fail(lambda r: every(11, r, "get"), error(429, "rateLimitExceeded", Retry_After="1"), times=10_000)
    gmail.fail(lambda r: r.kind == "batch" and len(gmail.asked("batch")) % 5 == 2, DROP, times=6)
    gmail.fail(lambda r: r.kind == "list" and len(gmail.asked("list")) % 3 == 1, error(503), times=3)
    for day in DAYS:
        work = work_of(online, waits)
        assert run_day(work, day).problem is None
        work.close()
        gmail.tokens.valid.clear()
        assert run_day(offline.work(), day).problem is None
    assert waits
    assert online.days_done() >= set(DAYS)
    assert select(online.work().store, "SELECT count(*), count(DISTINCT message_id) FROM messages") == [(300, 300)]
    assert different_tables(online.dump(ignore=_PLACES), offline.dump(ignore=_PLACES)) == {}
    assert set(gmail.gets()) == set(gmail.messages)


def test_a_process_killed_twice_fetches_everything_once(gmail: GmailStandIn, twins: tuple[Scene, Scene]) -> None:
    """What a killed process had saved is not paid for again, and nothing that it had not saved is missing."""
    online, offline = twins
    online.settings += "[fetch]\nbatch_messages = 20\n"
    online.write_config()
    command = ("-m", "orders_pipeline_tests.stages.child", *(day.isoformat() for day in DAYS))
    gmail.fail(lambda r: r.kind == "batch" and len(gmail.asked("batch")) % 9 == 0, error(429, Retry_After="0"), times=4)
    for point in ("archive.mail.renamed:2", "fetch.commit.inside:2"):
        kill_at(point, command, online.process_environ(), online.root)
    done = online.run(*command)
    assert json.loads(done.stdout) == dict.fromkeys((day.isoformat() for day in DAYS), None), done.stderr
    for day in DAYS:
        assert run_day(offline.work(), day).problem is None
    assert select(online.work().store, "SELECT count(*), count(DISTINCT message_id) FROM messages") == [(300, 300)]
    assert different_tables(online.dump(ignore=_PLACES), offline.dump(ignore=_PLACES)) == {}
    twice = [name for name, count in Counter(gmail.gets()).items() if count > 1]
    assert len(twice) <= 40  # the batch in flight at the first kill, and nothing of the second


def test_an_account_that_cannot_be_read_leaves_the_day_open_and_what_came_kept(
    gmail: GmailStandIn, twins: tuple[Scene, Scene], waits: list[float]
) -> None:
    """An outage in the middle of a day: what was fetched is saved, the rest is owed, and no try is used up."""
    online, _ = twins
    late = set(list(gmail.messages)[40:60])
    gmail.fail(
        lambda r: r.parameters.get("format") == "raw" and r.path.rpartition("/")[2] in late,
        error(429, "rateLimitExceeded"),
        times=99_999,
    )
    report = run_day(work_of(online, waits), DAY)
    assert report.problem is not None
    assert "(20 of 60 not read: " in report.problem
    assert "\n" not in report.problem
    assert online.why_not_done() is not None
    assert select(online.work().store, "SELECT count(*) FROM messages") == [(40,)]
    owed = "SELECT count(*), max(tries) FROM units WHERE stage = ? AND state = 'pending'"
    assert select(online.work().store, owed, [ledger.FETCH]) == [(20, 0)]
    gmail.heal()
    gmail.requests.clear()
    assert run_day(work_of(online, waits), DAY).problem is None
    assert online.why_not_done() is None
    assert sorted(gmail.gets()) == sorted(late)


def test_late_mail_reopens_its_day_and_a_quiet_re_listing_asks_for_ids_alone(
    gmail: GmailStandIn, twins: tuple[Scene, Scene], waits: list[float]
) -> None:
    """Mail that Gmail files under a day that is over, such as an import, is found and fetched."""
    online, _ = twins
    for day in DAYS:
        assert run_day(work_of(online, waits), day).problem is None
    gmail.requests.clear()
    assert relist_days(work_of(online, waits), DAYS).reopened == {}
    assert {r.kind for r in gmail.requests} == {"list"}
    late = gmail.add(order_mail("FM-9", noon(DAYS[1])), noon(DAYS[1]))
    assert relist_days(work_of(online, waits), DAYS).reopened == {DAYS[1]: 1}
    gmail.requests.clear()
    assert run_day(work_of(online, waits), DAYS[1]).problem is None
    assert gmail.gets() == [late]


def test_a_login_that_ended_makes_no_day_done(
    gmail: GmailStandIn, twins: tuple[Scene, Scene], waits: list[float]
) -> None:
    """A consent withdrawn on Monday must not make a week of empty days; after a new login all of them arrive."""
    online, _ = twins
    known, gmail.tokens.refresh_token = gmail.tokens.refresh_token, "another"
    for day in DAYS:
        report = run_day(work_of(online, waits), day)
        assert report.problem == (
            "mailbox inbox: the login is no longer valid (invalid_grant: Token has been expired or revoked.);"
            " run: orders-pipeline mailbox login inbox"
        )
    assert online.days_done() & set(DAYS) == set()
    gmail.tokens.refresh_token = known
    for day in DAYS:
        assert run_day(work_of(online, waits), day).problem is None
    assert select(online.work().store, "SELECT count(*) FROM messages") == [(300,)]
