"""Orders: their courses, arithmetic and numbers, and that their mails say what the truth says."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from orders_pipeline.models import OrderStatus
from orders_pipeline.sample.catalogue import CARRIERS, SHOPS, UPS
from orders_pipeline.sample.lifecycle import Scenario, events_of, final_status
from orders_pipeline.sample.notation import long_day, money_text, short_day
from orders_pipeline.sample.phrases import PHRASES
from orders_pipeline.sample.purchases import generator, plan_purchases
from orders_pipeline.sample.truth import TrueMail
from orders_pipeline_tests.sample.conftest import LAST_DAY, Sample, text_of

SHOP_OF = {shop.name: shop for shop in SHOPS}
DAYS = [LAST_DAY - dt.timedelta(days=back) for back in range(29, -1, -1)]
PLANS = plan_purchases(DAYS, 20, 7)


def language_of(mail: TrueMail) -> str:
    """The language of the shop, or of its carrier, whichever wrote the mail."""
    assert mail.order is not None
    shop = SHOP_OF[mail.order[0]]
    return shop.carrier.language if mail.kind == "parcel" else shop.language


def test_there_are_shops_languages_and_currencies_enough() -> None:
    """The sample shows one way of writing only."""
    assert len(SHOPS) + len(CARRIERS) >= 8
    assert {shop.language for shop in SHOPS} == set(PHRASES) == {"en", "de", "fr", "es", "nl"}
    assert {shop.currency for shop in SHOPS} == {"EUR", "USD", "GBP", "CHF", "SEK", "JPY"}
    assert all(name.domain.endswith(".example") for name in (*SHOPS, *CARRIERS) if name is not UPS)


def test_lines_add_up_to_the_printed_total_but_for_the_misprints() -> None:
    """The judge's findings in the demo are accidents of the generator."""
    for purchase, _ in PLANS:
        tax = purchase.tax if purchase.shop.tax_added else Decimal(0)
        lines = sum((line.price * line.quantity for line in purchase.lines), Decimal(0))
        assert lines == purchase.subtotal
        total = purchase.subtotal - purchase.discount + purchase.shipping + tax
        assert purchase.total - total == purchase.misprint
    assert sum(bool(purchase.misprint) for purchase, _ in PLANS) == 3


def test_events_follow_each_other_and_no_parcel_arrives_before_it_is_sent() -> None:
    """A parcel is delivered before the order exists."""
    for _, events in PLANS:
        assert [event.day for event in events] == sorted(event.day for event in events)
        assert events[0].status is OrderStatus.CONFIRMED
        sent: set[int | None] = set()
        for event in events:
            if event.status is OrderStatus.SHIPPED:
                sent.add(event.parcel)
            assert event.parcel is None or event.parcel in sent


def test_mails_of_one_order_come_in_the_order_of_its_events(sample: Sample) -> None:
    """Out for delivery is received after delivered, and the status moves back."""
    rank = [OrderStatus.CONFIRMED, OrderStatus.SHIPPED, OrderStatus.OUT_FOR_DELIVERY, OrderStatus.DELIVERED]
    normal = {key for key, order in sample.summary.orders.items() if order.scenario == Scenario.NORMAL}
    for key in normal:
        told = [mail.status for mail in sample.summary.mails if mail.order == key and mail.path.count("-copy") == 0]
        assert told == rank[: len(told)]


def test_every_order_mail_prints_its_numbers(sample: Sample) -> None:
    """The truth names numbers that no mail shows."""
    for mail in sample.summary.mails:
        if mail.order is None:
            continue
        text = text_of(sample.message(mail))
        assert (mail.order[1] in text) == (mail.kind == "order")
        assert mail.tracking_number is None or mail.tracking_number in text
        if mail.expected_delivery and "broken_charset" not in mail.traps:
            assert long_day(mail.expected_delivery, language_of(mail)) in text


def test_every_confirmation_prints_its_total(sample: Sample) -> None:
    """The true total cannot be read anywhere."""
    confirmations = [m for m in sample.summary.mails if m.status is OrderStatus.CONFIRMED]
    assert confirmations
    for mail in confirmations:
        assert mail.order is not None
        shop, order = SHOP_OF[mail.order[0]], sample.summary.orders[mail.order]
        text = text_of(sample.message(mail)).replace("&nbsp;", "\u00a0").replace("&#x27;", "'")
        printed = money_text(order.total, shop.money)
        assert printed in text or "broken_charset" in mail.traps


def test_the_overdue_parcel_is_past_its_day_and_not_yet_given_up() -> None:
    """No alert shows, or the order is assumed delivered before anyone is told."""
    (event,) = (e for p, events in PLANS for e in events[-1:] if p.scenario is Scenario.OVERDUE)
    assert event.promised is not None
    assert 2 < (LAST_DAY - event.promised).days < 10


@pytest.mark.parametrize("scenario", list(Scenario))
def test_a_course_ends_as_its_name_says(scenario: Scenario) -> None:
    """The truth that other tests rely on is wrong."""
    purchase, _ = next(plan for plan in PLANS if plan[0].scenario is scenario)
    events = events_of(purchase, LAST_DAY, generator(7, "end"))
    expected = {
        Scenario.NORMAL: OrderStatus.DELIVERED,
        Scenario.SPLIT: OrderStatus.DELIVERED,
        Scenario.CANCELLED: OrderStatus.CANCELLED,
        Scenario.REFUNDED: OrderStatus.REFUNDED,
        Scenario.DELAYED: OrderStatus.DELAYED,
        Scenario.NEVER_SHIPPED: OrderStatus.CONFIRMED,
        Scenario.PICKUP: OrderStatus.READY_FOR_PICKUP,
    }
    assert final_status(events) is expected.get(scenario, OrderStatus.SHIPPED)


def test_ups_numbers_have_the_public_form_with_a_valid_check_digit() -> None:
    """A checked reader rejects the only number of a real carrier's form. The known number is UPS's own example."""
    numbers = [number for purchase, _ in PLANS if purchase.carrier is UPS for number in purchase.tracking]
    assert numbers
    for number in [*numbers, "1Z999AA10123456784"]:
        values = [int(c) if c.isdigit() else (ord(c) - 63) % 10 for c in number[2:]]
        weighed = sum(value * (2 if place % 2 else 1) for place, value in enumerate(values[:-1]))
        assert len(number) == 18
        assert (weighed + values[-1]) % 10 == 0


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("£{1,234.50}", "£1,249.00"),
        ("{1.234,50} €", "1.249,00 €"),
        ("{1 234,50} €", "1\u00a0249,00 €"),
        ("CHF {1'234.50}", "CHF 1'249.00"),
        ("¥{1,234}", "¥1,249"),
    ],
)
def test_amounts_are_written_after_their_pattern(pattern: str, text: str) -> None:
    """A shop writes amounts as nobody in its country does."""
    assert money_text(Decimal(1249), pattern) == text


def test_days_are_written_in_the_language() -> None:
    """A month in the wrong language cannot be read."""
    day = dt.date(2026, 3, 2)
    assert {language: long_day(day, language) for language in PHRASES} == {
        "en": "Monday, 2 March 2026",
        "de": "Montag, 2. März 2026",
        "fr": "lundi 2 mars 2026",
        "es": "lunes, 2 de marzo de 2026",
        "nl": "maandag 2 maart 2026",
    }
    assert short_day(day, "nl") == "02-03-2026"
