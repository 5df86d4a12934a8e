"""Each promised trap is in the mailbox, seen with the standard library alone."""

from __future__ import annotations

import datetime as dt
import json
import re
import time
from collections import Counter
from email.header import decode_header, make_header
from email.utils import parsedate_to_datetime

import pytest

from orders_pipeline.models import OrderStatus
from orders_pipeline.sample.catalogue import OWNER_SECOND_ADDRESS
from orders_pipeline.sample.truth import Trap
from orders_pipeline_tests.sample.conftest import Sample, text_of

NOISE = {
    "newsletter",
    "one_time_code",
    "notice",
    "personal",
    "phishing",
    "cart_reminder",
    "order_words",
    "review_request",
}


def test_one_mail_has_no_message_id(sample: Sample) -> None:
    """Identity by Message-ID alone loses this mail."""
    without = [m for m in sample.summary.mails if sample.message(m)["Message-ID"] is None]
    assert without == sample.trapped(Trap.NO_MESSAGE_ID)
    assert len(without) == 1


def test_one_mail_declares_utf_8_and_is_not(sample: Sample) -> None:
    """A strict decoder raises, a lenient one garbles the amounts."""
    (mail,) = sample.trapped(Trap.BROKEN_CHARSET)
    message = sample.message(mail)
    assert message.get_content_charset() == "utf-8"
    with pytest.raises(UnicodeDecodeError):
        sample.raw(mail).decode("utf-8")
    assert mail.order is not None
    assert mail.order[1] in text_of(message)


def test_one_order_is_a_single_base64_body(sample: Sample) -> None:
    """A search in the raw bytes finds nothing."""
    (mail,) = sample.trapped(Trap.BASE64_WHOLE)
    message = sample.message(mail)
    assert mail.order is not None
    assert not message.is_multipart()
    assert message["Content-Transfer-Encoding"] == "base64"
    assert mail.order[1].encode() not in sample.raw(mail).partition(b"\n\n")[2]
    assert mail.order[1] in text_of(message)


def test_one_order_is_html_only(sample: Sample) -> None:
    """A reader of the text part sees an empty mail."""
    (mail,) = sample.trapped(Trap.HTML_ONLY)
    assert sample.message(mail).get_content_type() == "text/html"


def test_one_order_carries_schema_org_markup_with_the_printed_values(sample: Sample) -> None:
    """The markup cannot be read, or says something else than the mail."""
    (mail,) = sample.trapped(Trap.JSON_LD)
    html = next(part for part in sample.message(mail).walk() if part.get_content_type() == "text/html")
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text_of(html), re.S)
    assert found is not None
    data = json.loads(found[1])
    assert mail.order is not None
    order = sample.summary.orders[mail.order]
    assert (data["@type"], data["orderNumber"]) == ("Order", order.order_number)
    assert (data["price"], data["priceCurrency"]) == (str(order.total), order.currency)


def test_one_order_is_forwarded_by_the_owner(sample: Sample) -> None:
    """The owner becomes the shop."""
    (mail,) = sample.trapped(Trap.FORWARD)
    message = sample.message(mail)
    assert OWNER_SECOND_ADDRESS in message["From"]
    assert message["Subject"].startswith("Fwd: ")
    assert mail.order is not None
    head, _, forwarded = text_of(message).partition("---------- Forwarded message ---------\n")
    assert mail.order[0] not in head
    assert f"From: {mail.order[0]} <" in forwarded


def test_one_mail_lies_there_twice(sample: Sample) -> None:
    """The same bytes under two names are counted as two orders."""
    counts = Counter(sample.raw(mail) for mail in sample.summary.mails)
    assert [count for count in counts.values() if count > 1] == [2]
    assert len({sample.raw(mail) for mail in sample.trapped(Trap.DUPLICATE)}) == 1
    assert len({mail.path for mail in sample.trapped(Trap.DUPLICATE)}) == 2


def test_two_mails_share_a_message_id_and_differ(sample: Sample) -> None:
    """The second is dropped as a duplicate."""
    one, two = sample.trapped(Trap.SAME_MESSAGE_ID)
    assert sample.message(one)["Message-ID"] == sample.message(two)["Message-ID"] is not None
    assert sample.raw(one) != sample.raw(two)
    assert (one.order, one.status) != (two.order, two.status)


def test_some_totals_do_not_add_up(sample: Sample) -> None:
    """The judge has nothing to find."""
    wrong = {order.order_number for order in sample.summary.orders.values() if not order.adds_up}
    assert len(wrong) == 3
    assert wrong == {mail.order[1] for mail in sample.trapped(Trap.MISPRINTED_TOTAL) if mail.order}


def test_one_mail_has_no_date_but_a_file_time_in_the_future(sample: Sample) -> None:
    """A mail whose day cannot be told is lost instead of listed as unplaced."""
    (mail,) = sample.trapped(Trap.UNPLACED)
    message = sample.message(mail)
    assert message["Date"] is None
    assert message["Received"] is None
    assert (sample.folder / mail.path).stat().st_mtime > time.time() + 2 * 86_400
    assert [m for m in sample.summary.mails if m.day is None] == [mail]


def test_some_mails_are_dated_on_the_day_before_they_came(sample: Sample) -> None:
    """Days are cut by the Date header, which the sender writes."""
    late = sample.trapped(Trap.LATE_DATE)
    assert len(late) >= 3
    for mail in late:
        sent = parsedate_to_datetime(sample.message(mail)["Date"])
        assert mail.day is not None
        assert sent.date() == mail.day - dt.timedelta(days=1)


def test_every_kind_of_noise_is_there(sample: Sample) -> None:
    """The parser is only shown orders, so that false alarms cannot show."""
    kinds = {mail.kind for mail in sample.summary.mails}
    assert kinds == NOISE | {"order", "parcel"}


def test_newsletters_can_be_unsubscribed_and_phishing_fails_authentication(sample: Sample) -> None:
    """The headers that tell such mail apart are missing."""
    by_kind = {kind: [m for m in sample.summary.mails if m.kind == kind] for kind in NOISE}
    assert all(sample.message(m)["List-Unsubscribe"] for m in by_kind["newsletter"])
    assert all("dmarc=fail" in sample.message(m)["Authentication-Results"] for m in by_kind["phishing"])


def test_a_hostile_subject_decodes_to_control_characters(sample: Sample) -> None:
    """Nothing in the demo checks that a mail cannot write escape sequences to the terminal."""
    subjects = [str(make_header(decode_header(sample.message(mail)["Subject"]))) for mail in sample.summary.mails]
    assert any("\x1b" in subject for subject in subjects)
    assert not any("\x1b" in sample.raw(mail).decode("latin-1") for mail in sample.summary.mails)


def test_statuses_and_scenarios_of_every_kind_are_told(sample: Sample) -> None:
    """An alert or a course of an order is never shown."""
    assert {order.scenario for order in sample.summary.orders.values()} == {
        "normal",
        "split",
        "split_open",
        "cancelled",
        "refunded",
        "overdue",
        "silent",
        "delayed",
        "never_shipped",
        "pickup",
    }
    assert {order.status for order in sample.summary.orders.values()} >= {
        OrderStatus.CONFIRMED,
        OrderStatus.SHIPPED,
        OrderStatus.DELIVERED,
        OrderStatus.CANCELLED,
        OrderStatus.REFUNDED,
        OrderStatus.DELAYED,
        OrderStatus.READY_FOR_PICKUP,
    }
