"""Fetching: each message once, and no fault of the server is taken for an absence."""

from __future__ import annotations

import base64
import re
import time
import zlib
from pathlib import Path

import pytest

from orders_pipeline.config import FetchSettings
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.patience import MAX_SECONDS, MAX_WAITS
from orders_pipeline.mail.gmail.source import GmailSource
from orders_pipeline.models import Fetched, MessageRef
from orders_pipeline_tests.harness import DAY, noon
from orders_pipeline_tests.loopback import DROP, Reply, as_json
from orders_pipeline_tests.mail.gmail.conftest import MakeSource
from orders_pipeline_tests.mail.gmail.days import fill, window
from orders_pipeline_tests.mail.gmail.http_stand_in import Match, Request
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn, error

RATE = error(429, "rateLimitExceeded", "Too many concurrent requests for user.")


def raw_of(*ids: str) -> Match:
    """The requests for the bytes of these messages."""

    def match(request: Request) -> bool:
        return request.parameters.get("format") == "raw" and request.path.rpartition("/")[2] in ids

    return match


def fetched(source: GmailSource, refs: tuple[MessageRef, ...]) -> dict[str, Fetched]:
    """What came, by id; each id once."""
    items = list(source.fetch(refs))
    assert len({f.ref.location for f in items}) == len(items) == len(refs)
    return {f.ref.location: f for f in items}


def whole(gmail: GmailStandIn, items: dict[str, Fetched]) -> bool:
    """Whether each message came with its own bytes."""
    return all(f.raw == gmail.messages[name].raw for name, f in items.items())


def test_every_message_comes_once_with_its_own_bytes(gmail: GmailStandIn, source: GmailSource) -> None:
    """Parts of a batch come in any order: bytes under another's id would be another mail's order."""
    ids = fill(gmail, 120)
    items = fetched(source, source.list(window()).refs)
    assert sorted(items) == sorted(ids)
    assert whole(gmail, items)
    assert sorted(gmail.gets()) == sorted(ids)
    assert len(gmail.asked("batch")) == 6  # three for the dates, three for the bytes


@pytest.mark.parametrize("path", ["", "/", "/through/a/proxy", "/through/a/proxy/"])
def test_every_call_goes_to_the_configured_address(gmail: GmailStandIn, make_source: MakeSource, path: str) -> None:
    """The library sends batches to Google whatever the address, and drops the last part of its path."""
    ids = fill(gmail, 3)
    source = make_source(endpoint=gmail.url + path)
    assert sorted(fetched(source, source.list(window()).refs)) == sorted(ids)
    assert {r.kind for r in gmail.requests} == {"token", "list", "batch", "get"}


def test_a_part_of_a_batch_that_fails_is_asked_for_again_and_no_other(
    gmail: GmailStandIn, source: GmailSource, waits: list[float]
) -> None:
    """Of 94,113 mails "all" were backed up, although parts of 200-answers said 429."""
    ids = fill(gmail, 25)
    refs = source.list(window()).refs
    gmail.fail(raw_of(*ids[:4]), RATE, times=4)
    items = fetched(source, refs)
    assert len(items) == 25
    assert whole(gmail, items)
    assert sorted(gmail.gets()) == sorted([*ids, *ids[:4]])
    assert len(waits) == 1


def test_a_limit_that_stays_is_an_error_that_names_what_is_owed(
    gmail: GmailStandIn, source: GmailSource, waits: list[float]
) -> None:
    """The others are kept, the four stay owed, and the tries of none are used up: nothing was wrong with them."""
    ids = fill(gmail, 25)
    refs = source.list(window()).refs
    gmail.fail(raw_of(*ids[:4]), RATE, times=9999)
    items: list[Fetched] = []
    with pytest.raises(MailboxError, match=r"HTTP 429 .* \(4 of 25 not read: ") as caught:
        items.extend(source.fetch(refs))
    assert "\n" not in str(caught.value)
    assert len(waits) == MAX_WAITS
    assert sum(waits) < MAX_SECONDS
    items = []
    gmail.heal()
    gmail.requests.clear()
    assert whole(gmail, fetched(source, tuple(r for r in refs if r.location in ids[:4])))
    assert sorted(gmail.gets()) == sorted(ids[:4])


def test_what_came_before_a_failure_was_given_out(gmail: GmailStandIn, source: GmailSource) -> None:
    """What came and was not handed on would be paid for again at each try."""
    ids = fill(gmail, 25)
    refs = source.list(window()).refs
    gmail.fail(raw_of(*ids[:4]), RATE, times=9999)
    items: list[Fetched] = []
    with pytest.raises(MailboxError):
        items.extend(source.fetch(refs))
    assert sorted(f.ref.location for f in items) == sorted(ids[4:])


def test_a_message_that_is_not_there_any_more_is_gone(gmail: GmailStandIn, source: GmailSource) -> None:
    """A mail deleted between list and get must not hold its day for ever."""
    ids = fill(gmail, 5)
    refs = source.list(window()).refs
    del gmail.messages[ids[1]]
    items = fetched(source, refs)
    assert [name for name, f in items.items() if f.gone] == [ids[1]]
    assert whole(gmail, {k: v for k, v in items.items() if k != ids[1]})


@pytest.mark.parametrize(
    "reply",
    [
        error(500, "backendError"),
        error(503),
        Reply(404, b"<html>Not Found</html>", content_type="text/html"),
        Reply(200, b'{"id": "19a'),
        Reply(200, b""),
    ],
)
def test_a_message_that_alone_cannot_be_given_is_its_own_error(
    gmail: GmailStandIn, source: GmailSource, reply: Reply
) -> None:
    """A server error is not an absence; and one such mail must not keep the mailbox from being read for ever."""
    ids = fill(gmail, 5)
    refs = source.list(window()).refs
    gmail.fail(raw_of(ids[3]), reply, times=999)
    if reply.status == 404:  # no answer of the API: the address is wrong, or something stands between
        with pytest.raises(MailboxError, match="HTTP 404"):
            list(source.fetch(refs))
        return
    items = fetched(source, refs)
    assert not any(f.gone for f in items.values())
    assert [name for name, f in items.items() if f.error] == [ids[3]]
    assert whole(gmail, {k: v for k, v in items.items() if k != ids[3]})
    assert len(gmail.gets()) < 5 + MAX_WAITS + 2


def test_a_server_that_gives_nothing_is_the_mailboxs_error(gmail: GmailStandIn, source: GmailSource) -> None:
    """An outage would use up the tries of every message of the day."""
    fill(gmail, 5)
    refs = source.list(window()).refs
    gmail.fail(lambda r: r.kind in ("get", "profile"), error(503), times=9999)
    with pytest.raises(MailboxError, match="mailbox post: Gmail answered HTTP 503"):
        list(source.fetch(refs))


@pytest.mark.parametrize(
    "reply",
    [
        DROP,
        error(500),
        RATE,
        error(403, "userRateLimitExceeded"),
        error(403, "RATE_LIMIT_EXCEEDED", new_form=True),
        Reply(200, b"", content_type="multipart/mixed; boundary=batch_x"),
        Reply(200, b"--batch_x\r\nContent-Type: a/b\r\n\r\nHTTP", content_type="multipart/mixed; boundary=batch_x"),
        Reply(200, b"{}"),
        Reply(200, b"\xff\xff", content_type="multipart/mixed; boundary=batch_x"),
    ],
    ids=["dropped", "500", "429", "403 user", "403 new form", "empty", "torn", "JSON", "no text"],
)  # fmt: skip
def test_a_batch_that_fails_as_a_whole_is_asked_for_again(
    gmail: GmailStandIn, source: GmailSource, waits: list[float], reply: Reply
) -> None:
    """The answer to a batch can be lost or torn like any other."""
    fill(gmail, 60)
    refs = source.list(window()).refs
    gmail.fail("batch", reply, times=2)
    items = fetched(source, refs)
    assert len(items) == 60
    assert whole(gmail, items)
    assert len(waits) == 2


def test_a_part_that_the_server_left_out_is_asked_for_again_and_no_other(
    gmail: GmailStandIn, source: GmailSource
) -> None:
    """The library stops at the first part that is missing: the parts behind it would be paid for twice."""
    ids = fill(gmail, 20)
    refs = source.list(window()).refs
    gmail.fail(raw_of(ids[10]), DROP)
    items = fetched(source, refs)
    assert len(items) == 20
    assert whole(gmail, items)
    assert sorted(gmail.gets()) == sorted([*ids, ids[10]])


@pytest.mark.parametrize("cut", [10, 400, 2_000, 6_000])
def test_a_batch_cut_off_in_the_middle_gives_only_whole_messages(
    gmail: GmailStandIn, source: GmailSource, cut: int
) -> None:
    """Half of a message under its id would be kept as the message."""
    fill(gmail, 10)
    refs = source.list(window()).refs
    asked = gmail.answer
    cuts = [cut]

    def answer(request: Request) -> Reply:
        reply = asked(request)
        if request.kind == "batch" and cuts:
            # The server ends the answer early and says so: the length is right, the content is torn.
            return Reply(200, reply.body[: cuts.pop()], content_type=reply.content_type)
        return reply

    gmail.answer = answer
    items = fetched(source, refs)
    assert len(items) == 10
    assert whole(gmail, items)


def test_retry_after_is_kept_to(gmail: GmailStandIn, source: GmailSource, waits: list[float]) -> None:
    """Who comes back early is told to wait longer."""
    ids = fill(gmail, 3)
    refs = source.list(window()).refs
    gmail.fail(raw_of(ids[0]), error(429, "rateLimitExceeded", Retry_After="17"))
    gmail.fail("batch", error(503, Retry_After="23"))
    assert whole(gmail, fetched(source, refs))
    assert [int(w) for w in waits] == [23, 17]


def test_a_long_retry_after_ends_the_try(gmail: GmailStandIn, source: GmailSource, waits: list[float]) -> None:
    """A run that sleeps for an hour holds its day's lock for an hour; the sensor asks again in any case."""
    fill(gmail, 3)
    gmail.fail("list", error(429, "rateLimitExceeded", Retry_After="3600"))
    with pytest.raises(MailboxError, match="asks to wait 3600 s"):
        source.list(window())
    assert waits == []


def test_less_is_asked_for_at_once_after_a_limit(gmail: GmailStandIn, source: GmailSource) -> None:
    """A batch of 50 that is over the limit is over it again."""
    fill(gmail, 100)
    refs = source.list(window()).refs
    gmail.requests.clear()
    gmail.fail("batch", RATE)
    fetched(source, refs)
    sizes = [len(re.findall(rb"GET /", r.body)) for r in gmail.asked("batch")]
    assert sizes[:2] == [50, 25]
    assert sum(sizes) == 150


SLOW = (
    Reply(stall=True),
    Reply(200, b'{"messages": []' + b" " * 400, drip=0.02),
    Reply(200, b"", {"X-Slow": "x" * 2000}, drip_head=0.02),
)


@pytest.mark.parametrize("reply", SLOW, ids=["stalls", "drips", "drips its head"])
def test_a_server_that_stalls_or_drips_is_given_up(gmail: GmailStandIn, make_source: MakeSource, reply: Reply) -> None:
    """Each single byte comes within the timeout, and the answer never ends."""
    gmail.fail("list", reply, times=99)
    began = time.monotonic()
    with pytest.raises(MailboxError, match=r"did not answer within|too slowly"):
        make_source(timeout_seconds=0.1).list(window())
    assert time.monotonic() - began < 15


def test_an_answer_without_end_is_cut_off(gmail: GmailStandIn, source: GmailSource) -> None:
    """It would fill the memory."""
    gmail.fail("list", Reply(200, b" " * (17 * 1024 * 1024)), times=99)
    with pytest.raises(MailboxError, match="more than 16777216 bytes"):
        source.list(window())


@pytest.mark.parametrize("spaces", [1_000, 400 * 1024 * 1024])
def test_a_packed_answer_is_unpacked_within_bounds(gmail: GmailStandIn, source: GmailSource, spaces: int) -> None:
    """Servers pack what they send; 400 kB can unpack to 400 MB."""
    packer = zlib.compressobj(wbits=31)
    megabyte = b" " * min(spaces, 1024 * 1024)
    body = packer.compress(b'{"resultSizeEstimate": 0') + b"".join(
        packer.compress(megabyte) for _ in range(spaces // len(megabyte))
    )
    body += packer.compress(b"}") + packer.flush()
    gmail.fail("list", Reply(200, body, {"Content-Encoding": "gzip"}), times=99)
    if spaces == 1_000:
        assert source.list(window()).refs == ()
        return
    with pytest.raises(MailboxError, match="more than 16777216 bytes"):
        source.list(window())


def test_bytes_of_another_message_are_not_kept(gmail: GmailStandIn, source: GmailSource) -> None:
    """A proxy that mixes up answers would file one person's order under another mail."""
    ids = fill(gmail, 3)
    refs = source.list(window()).refs
    gmail.fail(raw_of(ids[0]), as_json({"id": ids[1], "raw": "QUJD"}))
    with pytest.raises(MailboxError, match=f"another message than {ids[0]}"):
        list(source.fetch(refs))


def test_a_date_that_proves_wrong_is_forgotten(gmail: GmailStandIn, make_source: MakeSource, tmp_path: Path) -> None:
    """What is remembered is never believed over the server: the message belongs to another day."""
    ids = fill(gmail, 3)
    refs = make_source(tmp_path).list(window()).refs
    gmail.messages[ids[0]].received_at = noon(DAY.replace(day=20))
    with pytest.raises(MailboxError, match="has another date now"):
        list(make_source(tmp_path).fetch(refs))
    listing = make_source(tmp_path).list(window())
    assert sorted(r.location for r in listing.refs) == ids[1:]


@pytest.mark.parametrize("size", [1_500_000, 12_000_000])
def test_a_large_message_comes_whole(gmail: GmailStandIn, source: GmailSource, size: int) -> None:
    """A long answer comes in many pieces."""
    name = gmail.add(b"Subject: large\r\n\r\n" + b"0123456789abcde\n" * (size // 16), noon(DAY))
    items = fetched(source, source.list(window()).refs)
    assert items[name].raw == gmail.messages[name].raw


def large_mail(size: int) -> bytes:
    """A mail with an attachment of ``size`` bytes."""
    packed = base64.encodebytes(b"\0" * size)
    return (
        b"Received: from mx.fennmark.example by inbox.example; Mon, 11 May 2026 12:00:00 +0200\r\n"
        b"From: Fennmark <orders@fennmark.example>\r\nSubject: Your order\r\n FM-70001\r\n"
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n'
        b'--b\r\nContent-Type: application/pdf; name="invoice.pdf"\r\nContent-Transfer-Encoding: base64\r\n'
        b'Content-Disposition: attachment; filename="invoice.pdf"\r\n\r\n' + packed + b"\r\n--b--\r\n"
    )


@pytest.mark.parametrize("told", [None, 50, 2_000_000])
def test_a_message_over_the_limit_keeps_headers_and_structure(
    gmail: GmailStandIn, make_source: MakeSource, told: int | None
) -> None:
    """A mail of a gigabyte must not end the process, whatever size the server tells for it."""
    from orders_pipeline.mail.left_out import left_out_note

    name = gmail.add(large_mail(300_000), noon(DAY), size=told)
    source = make_source(fetch=FetchSettings(max_message_bytes=100_000))
    raw = fetched(source, source.list(window()).refs)[name].raw
    assert raw is not None
    assert len(raw) < 2_000
    assert "left out, over fetch.max_message_bytes (100000)" in (left_out_note(raw) or "")
    assert b"Subject: Your order FM-70001\r\n" in raw
    assert b"application/pdf, 300000 bytes, invoice.pdf" in raw
    assert sum(r.parameters.get("format") == "raw" for r in gmail.asked("get")) <= (0 if told == 2_000_000 else 1)


def test_a_message_whose_bytes_are_none_is_an_error_of_its_own(gmail: GmailStandIn, source: GmailSource) -> None:
    """An empty message in the archive would be proof of a mail that nobody ever saw."""
    ids = fill(gmail, 4)
    refs = source.list(window()).refs
    for name, raw in zip(ids, ("", None, "!!!!", 7), strict=True):
        gmail.fail(raw_of(name), as_json({"id": name, "raw": raw}), times=99)
    assert all(f.error and not f.gone and f.raw is None for f in fetched(source, refs).values())
