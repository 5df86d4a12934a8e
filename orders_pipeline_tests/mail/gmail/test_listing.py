"""Listing: every message of the window, each once, or an error; never less."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.source import GmailSource
from orders_pipeline_tests.harness import DAY, noon, order_mail, plain_mail
from orders_pipeline_tests.loopback import DROP, Reply, as_json
from orders_pipeline_tests.mail.gmail.conftest import MakeSource
from orders_pipeline_tests.mail.gmail.days import fill, window
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn, error

MOMENT = dt.timedelta(milliseconds=1)


def listed(source: GmailSource, day: dt.date = DAY) -> list[str]:
    """The ids of a day, sorted."""
    return sorted(ref.location for ref in source.list(window(day)).refs)


def deliver(gmail: GmailStandIn, at: dt.datetime, **fields: object) -> str:
    """One mail at an instant."""
    return gmail.add(plain_mail(f"At {at.isoformat()}", at), at, **fields)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("reads_days", [False, True])
def test_a_day_holds_exactly_what_arrived_in_it(gmail: GmailStandIn, source: GmailSource, reads_days: bool) -> None:
    """Gmail has read dates as days of the Pacific coast: eight hours of each day were missing for others."""
    gmail.reads_days = reads_days
    day = window()
    instants = [day.start, day.start + MOMENT, day.end - MOMENT, noon(DAY), day.end - dt.timedelta(hours=3)]
    wanted = [deliver(gmail, at) for at in instants]
    for outside in (day.start - MOMENT, day.end, noon(DAY) - dt.timedelta(days=1), noon(DAY) + dt.timedelta(days=1)):
        deliver(gmail, outside)
    listing = source.list(day)
    assert sorted(r.location for r in listing.refs) == sorted(wanted)
    assert {r.received_at for r in listing.refs} == set(instants)
    assert listing.unplaced == ()


def test_spam_and_trash_are_left_out_and_everything_else_is_not(gmail: GmailStandIn, source: GmailSource) -> None:
    """An order that a filter archived or that waits under a label is an order too."""
    wanted = [deliver(gmail, noon(DAY, n), labels=labels) for n, labels in enumerate([(), ("SENT",), ("Label_7",)])]
    for label in ("SPAM", "TRASH"):
        deliver(gmail, noon(DAY, 30), labels=(label,))
    assert listed(source) == sorted(wanted)


def test_every_page_is_read(gmail: GmailStandIn, source: GmailSource) -> None:
    """A cap, or a second page that is never asked for, loses mail on the busiest days and on them alone."""
    ids = fill(gmail, 10_000)
    assert listed(source) == sorted(ids)
    assert sorted(gmail.gets("minimal")) == sorted(ids)


def test_messages_on_two_pages_are_listed_once(gmail: GmailStandIn, source: GmailSource) -> None:
    """Mail that arrives while pages are read pushes others to the next page: they come twice."""
    gmail.page_size = 10
    ids = fill(gmail, 35)
    late: list[str] = []

    def arrive(page: int) -> None:
        if len(late) < 3:
            late.append(deliver(gmail, noon(DAY, 30) + page * MOMENT))

    gmail.after_page = arrive
    assert listed(source) == sorted(ids + late)


def test_messages_that_a_deletion_moves_to_a_page_already_read_are_listed(
    gmail: GmailStandIn, source: GmailSource
) -> None:
    """A mail deleted between two pages pulls another one from the next page to the last: no page ever held it."""
    gmail.page_size = 10
    ids = fill(gmail, 35)
    gone = ids[-1]  # the newest, so on the first page
    gmail.after_page = lambda page: gmail.messages.pop(gone, None)
    assert set(listed(source)) >= set(ids) - {gone}


def test_a_mailbox_that_never_comes_to_rest_is_an_error(gmail: GmailStandIn, source: GmailSource) -> None:
    """Passes without end would hold the day's lock for ever; a listing known to be incomplete is none."""
    gmail.page_size = 10
    fill(gmail, 35)
    gmail.after_page = lambda page: [deliver(gmail, noon(DAY, 20) - n * MOMENT) for n in range(page * 3, page * 3 + 3)]
    with pytest.raises(MailboxError, match="mailbox post: the mailbox changes each time"):
        source.list(window())


def test_an_expired_page_token_starts_the_listing_anew(gmail: GmailStandIn, source: GmailSource) -> None:
    """Going on with what came so far would be a partial listing."""
    gmail.page_size = 10
    ids = fill(gmail, 35)
    gmail.fail(lambda r: r.parameters.get("pageToken") == "page20", error(400, "invalidArgument", "Invalid pageToken"))
    assert listed(source) == sorted(ids)


def test_page_tokens_that_always_expire_are_an_error(gmail: GmailStandIn, source: GmailSource) -> None:
    """Starting anew for ever is a hang."""
    gmail.page_size = 10
    fill(gmail, 35)
    gmail.fail(lambda r: "pageToken" in r.parameters, error(400, "invalidArgument", "Invalid pageToken"), times=99)
    with pytest.raises(MailboxError, match="mailbox post: Gmail's page tokens expire"):
        source.list(window())


def test_pages_in_a_circle_are_an_error(gmail: GmailStandIn, source: GmailSource) -> None:
    """A server that gives the same page again and again would keep the run until it is killed."""
    fill(gmail, 1)
    page = {"messages": [{"id": next(iter(gmail.messages))}], "nextPageToken": "again", "resultSizeEstimate": 1}
    gmail.fail("list", as_json(page), times=99)
    with pytest.raises(MailboxError, match="round in circles"):
        source.list(window())


def test_a_query_that_gmail_misreads_does_not_make_the_day_empty(gmail: GmailStandIn, source: GmailSource) -> None:
    """Milliseconds where seconds are meant give an empty page and no error: an empty day is asked for in two ways."""
    ids = fill(gmail, 3)
    gmail.fail(lambda r: r.kind == "list" and "/" not in r.parameters["q"], as_json({"resultSizeEstimate": 0}), times=9)
    assert listed(source) == sorted(ids)


def test_an_empty_day_is_empty(gmail: GmailStandIn, source: GmailSource) -> None:
    """An answer without messages whose estimate is 0 is how the API says that there are none."""
    assert listed(source) == []


@pytest.mark.parametrize(
    "reply",
    [
        as_json({}),
        as_json([]),
        as_json({"messages": None}),
        as_json({"messages": [{"threadId": "1"}], "resultSizeEstimate": 1}),
        as_json({"messages": [{"id": "../profile"}], "resultSizeEstimate": 1}),
        as_json({"resultSizeEstimate": 12}),
        as_json({"resultSizeEstimate": 0, "nextPageToken": 7}),
        Reply(200, b""),
        Reply(200, b'{"resultSizeEstimate": 0'),
        Reply(200, b"<html>sign in to the hotel's network</html>", content_type="text/html"),
        Reply(200, b"[" * 100_000),
        Reply(200, b"\xff\xfe"),
        Reply(204, b""),
        as_json({"resultSizeEstimate": 0}, 500),
        as_json({"messages": []}, 302, Location="/elsewhere"),
        Reply(200, b'{"messages": [{"id": "19a0000000000000"}], "resultSizeEstimate": 1}', cut_after=20),
        DROP,
    ],
)
def test_an_answer_that_is_no_page_never_makes_a_listing(
    gmail: GmailStandIn, source: GmailSource, reply: Reply
) -> None:
    """An error read as an empty page ends in a day that is done and holds nothing."""
    fill(gmail, 3)
    gmail.fail("list", reply, times=999)
    with pytest.raises(MailboxError, match=r"^mailbox post: ") as caught:
        source.list(window())
    assert "\n" not in str(caught.value)
    assert len(gmail.asked("list")) < 12


def test_a_passing_fault_of_a_page_costs_nothing(gmail: GmailStandIn, source: GmailSource) -> None:
    """A torn answer between good ones is asked for again, on the same page."""
    gmail.page_size = 10
    ids = fill(gmail, 25)
    gmail.fail(lambda r: r.parameters.get("pageToken") == "page10", Reply(200, b'{"messages": [{"id'), times=2)
    assert listed(source) == sorted(ids)


def test_the_users_own_query_narrows_the_days_and_cannot_widen_them(
    gmail: GmailStandIn, make_source: MakeSource
) -> None:
    """Without brackets an OR in it would bring in all mail of all days."""
    wanted = gmail.add(order_mail("FM-1", noon(DAY)), noon(DAY))
    fill(gmail, 3)
    gmail.add(order_mail("FM-2", noon(DAY)), noon(DAY) + dt.timedelta(days=40))
    assert listed(make_source(query="Fennmark")) == [wanted]
    assert all(r.parameters["q"].endswith(" (Fennmark)") for r in gmail.asked("list"))


def test_dates_are_asked_for_once_a_message(gmail: GmailStandIn, make_source: MakeSource, tmp_path: Path) -> None:
    """A date costs as much of the quota as the whole message: hourly re-listings would use it up."""
    ids = fill(gmail, 30)
    assert listed(make_source(tmp_path)) == sorted(ids)
    assert len(gmail.gets("minimal")) == 30
    again = make_source(tmp_path)
    assert listed(again) == sorted(ids)
    assert listed(again) == sorted(ids)
    assert len(gmail.gets("minimal")) == 30


def test_a_damaged_cache_is_as_good_as_none(gmail: GmailStandIn, make_source: MakeSource, tmp_path: Path) -> None:
    """It is there for speed: nothing in it may change what a day holds, nor keep the mailbox from being read."""
    ids = fill(gmail, 30)
    listed(make_source(tmp_path))
    (file,) = tmp_path.glob("post.*.parquet")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-20], b"PAR1" + bytes(200), whole[: len(whole) // 2]):
        file.write_bytes(damaged)
        assert listed(make_source(tmp_path)) == sorted(ids)


def test_a_garbled_date_in_the_cache_moves_no_message(
    gmail: GmailStandIn, make_source: MakeSource, tmp_path: Path
) -> None:
    """A message filed under another day by a bad disk would be missing from its own for good."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    ids = fill(gmail, 3)
    listed(make_source(tmp_path))
    (file,) = tmp_path.glob("post.*.parquet")
    table = pq.read_table(file)
    moved = pa.array([ms + 86_400_000 * 9 for ms in table.column("received_ms").to_pylist()])
    pq.write_table(table.set_column(table.schema.get_field_index("received_ms"), "received_ms", moved), file)
    assert listed(make_source(tmp_path)) == sorted(ids)


def test_a_listing_that_fails_keeps_the_dates_it_got(
    gmail: GmailStandIn, make_source: MakeSource, tmp_path: Path
) -> None:
    """A mailbox of 100,000 mails whose quota ends halfway must get further at each try."""
    fill(gmail, 200)
    gmail.fail(lambda r: r.kind == "get" and r.path > "/gmail/v1/users/me/messages/19a0000000000080", error(429), 9999)
    with pytest.raises(MailboxError, match="HTTP 429"):
        make_source(tmp_path).list(window())
    gmail.heal()
    gmail.requests.clear()
    assert len(listed(make_source(tmp_path))) == 200
    assert 0 < len(gmail.gets("minimal")) < 100


def test_a_message_that_vanishes_while_it_is_listed_is_not_listed(gmail: GmailStandIn, source: GmailSource) -> None:
    """It is neither an error nor a message that is owed."""
    ids = fill(gmail, 5)
    gmail.after_page = lambda page: gmail.messages.pop(ids[2], None)
    assert listed(source) == sorted(set(ids) - {ids[2]})


def test_mail_dated_ahead_and_mail_without_a_date_is_unplaced(gmail: GmailStandIn, source: GmailSource) -> None:
    """It lies in no day that is ever asked for, and would never be seen."""
    ids = fill(gmail, 2)
    ahead = deliver(gmail, dt.datetime(2199, 1, 1, tzinfo=dt.UTC))
    undated = as_json({"id": ids[0], "sizeEstimate": 100})
    gmail.fail(lambda r: r.kind == "get" and r.path.endswith(ids[0]), undated)
    listing = source.list(window())
    assert [r.location for r in listing.refs] == [ids[1]]
    assert {r.location: r.received_at is None for r in listing.unplaced} == {ahead: False, ids[0]: True}


def test_a_re_listing_of_quiet_days_asks_only_for_ids(gmail: GmailStandIn, make_source: MakeSource) -> None:
    """Thirty days are looked at each hour: what is known must not be paid for again."""
    from orders_pipeline.models import Window

    days = [DAY + dt.timedelta(days=n) for n in range(30)]
    ids = [i for day in days for i in fill(gmail, 10, day)]
    source = make_source()
    span = Window(start=window(days[0]).start, end=window(days[-1]).end)
    assert len(source.list(span).refs) == len(ids)
    gmail.requests.clear()
    assert len(source.list(span).refs) == len(ids)
    assert [r.kind for r in gmail.requests] == ["list"]
