"""The sample as the pipeline reads it: the Maildir source places every mail, the parser finds the true orders.

Floors, not targets: what the reading parts must never fall below on mail that is ordinary for its senders.
"""

from __future__ import annotations

import datetime as dt
import zoneinfo
from dataclasses import dataclass

import pytest

from orders_pipeline.config import OwnerSettings, ParseSettings
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import OrderStatus, Outcome, ParseResult, Window
from orders_pipeline.sample.catalogue import OWNER_ADDRESS, OWNER_SECOND_ADDRESS
from orders_pipeline.sample.clock import day_span
from orders_pipeline.sample.truth import TrueMail
from orders_pipeline_tests.sample.conftest import Sample

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
OWNER = OwnerSettings(addresses=(OWNER_ADDRESS, OWNER_SECOND_ADDRESS))


@dataclass(frozen=True)
class Read:
    """One mail with what the parser made of it."""

    mail: TrueMail
    result: ParseResult


@pytest.fixture(scope="module")
def readings(sample: Sample) -> list[Read]:
    found = []
    for mail in sample.summary.mails:
        raw = sample.raw(mail)
        day = mail.day or sample.summary.days[-1]
        received_at = dt.datetime.combine(day, dt.time(12), ZONE)
        email = parse_email(raw, message_id=message_id_of(raw), received_at=received_at)
        found.append(Read(mail, parse_message(email, ParseSettings(), zone=str(ZONE), owner=OWNER)))
    return found


def test_the_maildir_source_places_every_mail_in_its_day(sample: Sample) -> None:
    """Mail at a border, with a late Date or without any, lands in the wrong day or in none."""
    source = MaildirSource("sample", sample.folder)
    unplaced: set[str] = set()
    for day in sample.summary.days:
        start, end = day_span(day, ZONE)
        listing = source.list(Window(start=start, end=end))
        unplaced |= {ref.location for ref in listing.unplaced}
        raws = {fetched.raw for fetched in source.fetch(listing.refs)}
        assert raws == {sample.raw(mail) for mail in sample.summary.mails if mail.day == day}
        assert len(raws) == sample.summary.per_day[day]
    assert len(unplaced) == sample.summary.unplaced == 1


def test_no_number_total_or_status_is_read_wrong(sample: Sample, readings: list[Read]) -> None:
    """A wrong value is worse than none: it makes an order that does not exist."""
    wrong = []
    for read in readings:
        if read.mail.order is None:
            continue
        true = sample.summary.orders[read.mail.order]
        for order in read.result.orders:
            allowed = {
                "order_number": {None, true.order_number},
                "total": {None, true.total},
                "currency": {None, true.currency},
                "status": {None, read.mail.status},
                "tracking_numbers": {(), (read.mail.tracking_number,)},
            }
            wrong += [
                (read.mail.path, f, getattr(order, f)) for f, ok in allowed.items() if getattr(order, f) not in ok
            ]
    assert not wrong


def test_nearly_every_order_mail_is_read_in_full(sample: Sample, readings: list[Read]) -> None:
    """A language or a layout is lost."""
    missed = []
    told = [read for read in readings if read.mail.order]
    for read in told:
        assert read.mail.order is not None
        true = sample.summary.orders[read.mail.order]
        order = read.result.orders[0] if read.result.orders else None
        numbers = (read.mail.tracking_number,) if read.mail.tracking_number else ()
        confirms = read.mail.status is OrderStatus.CONFIRMED
        complete = (
            order is not None
            and order.order_number == (true.order_number if read.mail.kind == "order" else None)
            and order.tracking_numbers == numbers
            and order.status is read.mail.status
            and (not confirms or (order.total, order.currency) == (true.total, true.currency))
        )
        if not complete:
            missed.append((read.mail.path, read.mail.order, read.mail.status, read.result.reason))
    assert len(missed) <= len(told) * 0.05, missed


def test_noise_is_rarely_taken_for_an_order(readings: list[Read]) -> None:
    """Newsletters and fraud become orders, and the alerts are no longer read."""
    false = [(r.mail.path, r.mail.kind) for r in readings if not r.mail.order and r.result.outcome is Outcome.PARSED]
    noise = [r for r in readings if not r.mail.order]
    assert len(false) <= len(noise) * 0.05, false
    assert {kind for _, kind in false} <= {"phishing", "review_request"}


def test_mail_with_order_words_is_kept_for_a_judge(readings: list[Read]) -> None:
    """Mail about an order that cannot be read goes by unseen."""
    about = [read.result for read in readings if read.mail.kind == "order_words"]
    assert about
    assert all(result.outcome is Outcome.NOT_ORDER and result.order_words for result in about)
