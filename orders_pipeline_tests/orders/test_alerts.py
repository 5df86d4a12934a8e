"""Which orders need a person, from when to when, and what silences them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from orders_pipeline.config import AlertSettings
from orders_pipeline.models import OrderStatus
from orders_pipeline.orders.alert import Ack, Alert, AlertKind, Snooze
from orders_pipeline.orders.alerts import alerts
from orders_pipeline.orders.assumed import assume_delivered
from orders_pipeline.orders.logical import LogicalOrder, OrderParse
from orders_pipeline_tests.orders.builders import START, at, carrier, mail, one

S, K = OrderStatus, AlertKind
SETTINGS = AlertSettings()


def due(order: LogicalOrder, day: int, **changes: object) -> tuple[Alert, ...]:
    return alerts([order], SETTINGS.model_copy(update=changes), START.date() + dt.timedelta(days=day))


def days_of(order: LogicalOrder, kind: AlertKind) -> list[int]:
    """The days on which the order has an alert of the kind, as far as the eye reaches."""
    return [day for day in range(-1, 130) if any(a.kind is kind for a in due(order, day))]


def promised(day: int) -> dt.date:
    return START.date() + dt.timedelta(days=day)


@pytest.mark.parametrize(
    ("parses", "kind", "first", "last"),
    [
        pytest.param([mail(0, S.CONFIRMED), mail(3, S.CANCELLED)], K.CANCELLED, 3, 17, id="cancelled"),
        pytest.param([mail(0, S.CONFIRMED), mail(3, S.PARTIALLY_CANCELLED)], K.CANCELLED, 3, 17, id="in part"),
        pytest.param([mail(0, S.CONFIRMED), mail(3, S.REFUNDED)], K.REFUNDED, 3, 17, id="refunded"),
        pytest.param([mail(0, S.SHIPPED, "NW1", expected_delivery=promised(5))], K.OVERDUE, 7, 37, id="overdue"),
        pytest.param([mail(0, S.CONFIRMED, expected_delivery=promised(5))], K.OVERDUE, 7, 37, id="not even sent"),
        pytest.param([mail(0, S.CONFIRMED)], K.NEVER_SHIPPED, 7, 90, id="never shipped"),
    ],
)
def test_alerts_begin_and_end_as_configured(parses: list[OrderParse], kind: AlertKind, first: int, last: int) -> None:
    """An alert that never ends is soon not read, one that starts late is of no use."""
    assert days_of(one(*parses), kind) == list(range(max(first, 0), last + 1))


@pytest.mark.parametrize(
    "parses",
    [
        pytest.param([mail(0, S.CONFIRMED), mail(1, S.SHIPPED)], id="on its way without a promise"),
        pytest.param(
            [mail(0, S.SHIPPED, "NW1", expected_delivery=promised(5)), carrier(9, S.DELIVERED, "NW1")], id="came"
        ),
        pytest.param(
            [mail(0, S.SHIPPED, expected_delivery=promised(5)), mail(4, S.READY_FOR_PICKUP)], id="at the shop"
        ),
        pytest.param([mail(0, S.CONFIRMED), mail(1, S.MERGED)], id="goes on under another number"),
        pytest.param([mail(0, S.DELIVERED), mail(2, S.RETURN_STARTED)], id="sent back by the buyer"),
        pytest.param([mail(0, None)], id="no status"),
    ],
)
def test_orders_that_need_nobody_are_silent(parses: list[OrderParse]) -> None:
    """False alarms are why people turn alerts off."""
    order = one(*parses)
    assert [a for day in range(130) for a in due(order, day)] == []


def test_a_preorder_is_silent_until_its_promise_has_passed() -> None:
    """A book that appears in two months is not a parcel that was forgotten."""
    order = one(mail(0, S.CONFIRMED, expected_delivery=promised(60)))
    assert [day for day in range(130) if due(order, day)] == list(range(61, 93))


def test_one_parcel_that_arrived_does_not_hide_the_other() -> None:
    """The case for which alerts exist."""
    order = one(
        mail(0, S.SHIPPED, "NW1", expected_delivery=promised(3)),
        mail(0, S.SHIPPED, "NW2", expected_delivery=promised(5)),
        carrier(3, S.DELIVERED, "NW1"),
    )
    (alert,) = due(order, 8)
    assert alert.kind is K.OVERDUE
    assert alert.since == promised(7)


def test_an_alert_keeps_its_id_while_it_lasts() -> None:
    """Whoever is notified by id would be told the same every morning."""
    order = one(mail(0, S.CONFIRMED, expected_delivery=promised(5)))
    assert len({a.alert_id for day in range(7, 37) for a in due(order, day)}) == 1


def test_excluded_merchants_are_silent_in_any_spelling() -> None:
    """A subscription never ships."""
    assert due(one(mail(0, S.CONFIRMED)), 10, exclude_merchants=("COPPER KETTLE ltd",)) == ()
    assert len(due(one(mail(0, S.CONFIRMED)), 10, exclude_merchants=("Copper", ""))) == 1


def silenced(order: LogicalOrder, day: int, *acts: Snooze | Ack) -> bool:
    snoozes = [a for a in acts if isinstance(a, Snooze)]
    acks = [a for a in acts if isinstance(a, Ack)]
    return alerts([order], SETTINGS, promised(day), snoozes, acks) == ()


def test_snooze_lasts_until_its_day_and_the_last_one_stands() -> None:
    """A snooze that outlives its date hides the parcel for good."""
    order = one(mail(0, S.CONFIRMED))
    long, short = (Snooze(order_id=order.order_id, until=promised(day)) for day in (40, 20))
    assert [silenced(order, day, long, short) for day in (10, 19, 20, 30)] == [True, True, False, False]
    assert not silenced(order, 10, Snooze(order_id="another", until=promised(40)))
    assert not silenced(order, 10, Snooze(order_id=order.order_id, until=promised(40), kind=K.OVERDUE))


def test_acknowledgement_lasts_until_the_next_mail_of_the_order() -> None:
    """ "I know it is late" must not hide that it was cancelled."""
    parses = [mail(0, S.CONFIRMED)]
    ack = Ack(order_id=one(*parses).order_id, acked_at=at(10))
    assert silenced(one(*parses), 30, ack)
    assert not silenced(one(*parses, mail(11, S.CANCELLED)), 12, ack)
    assert silenced(one(*parses, mail(9, S.CANCELLED)), 12, ack)


def test_days_are_those_of_the_zone() -> None:
    """A cancellation at 23:30 in Berlin is 21:30 UTC: its fourteenth day must not depend on the machine's zone."""
    order = one(mail(0.65, S.CANCELLED))  # 23:36 UTC on the first, 01:36 in Berlin on the second
    (utc,) = alerts([order], SETTINGS, promised(1))
    (berlin,) = alerts([order], SETTINGS, promised(1), zone=ZoneInfo("Europe/Berlin"))
    assert (utc.since, berlin.since) == (promised(0), promised(1))


def test_detail_is_one_printable_line_with_the_amount_as_people_write_it() -> None:
    """Amounts come back from the store with four decimals, names with whatever a sender put in."""
    order = one(mail(0, S.CANCELLED, merchant="Kettle\x1b[31m\u202e\nCo", total=Decimal("12.5000"), currency="EUR"))
    (alert,) = due(order, 1)
    assert alert.detail == "Kettle [31m Co: order CK-500123 (12.50 EUR) was cancelled on 2026-05-01"


def test_the_most_recent_alert_comes_first_and_nothing_gives_nothing() -> None:
    """Silent when there is nothing."""
    orders = [one(mail(day, S.CANCELLED, order_number=str(day))) for day in (1, 5, 3)]
    assert [a.since for a in alerts(orders, SETTINGS, promised(6))] == [promised(5), promised(3), promised(1)]
    assert alerts([], SETTINGS, promised(6)) == ()


@pytest.mark.parametrize(
    ("parses", "first"),
    [
        pytest.param([mail(0, S.SHIPPED, "NW1", expected_delivery=promised(5))], 15, id="ten days past the promise"),
        pytest.param(
            [mail(0, S.SHIPPED, "NW1", expected_delivery=promised(5)), mail(8, None, "NW1")], 18, id="ten days silent"
        ),
        pytest.param([mail(0, S.CONFIRMED, expected_delivery=promised(5))], None, id="never sent"),
        pytest.param([mail(0, S.SHIPPED, "NW1")], None, id="nothing promised"),
        pytest.param(
            [mail(0, S.SHIPPED, "NW1", expected_delivery=promised(5)), mail(6, S.CANCELLED)], None, id="cancelled"
        ),
    ],
)
def test_silence_after_the_promise_counts_as_delivered(parses: list[OrderParse], first: int | None) -> None:
    """Many carriers never say "delivered": without the rule every parcel would be overdue in the end."""
    order = one(*parses)
    assumed = [
        day for day in range(60) if assume_delivered([order], SETTINGS, at(day))[0].status is S.ASSUMED_DELIVERED
    ]
    assert assumed == ([] if first is None else list(range(first, 60)))
