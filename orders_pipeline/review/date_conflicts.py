"""Dates that are impossible together: each mail of an order alone may be right, and both cannot be.

Belongs here: comparing the days of an order's mails. Not here: one mail's date against its own day (plausibility.py).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from orders_pipeline.models import OrderStatus, Reason
from orders_pipeline.review.outcome_row import OrderFacts, OutcomeRow
from orders_pipeline.review.reasons import reason

# A shop's letters overtake each other by hours: the order is confirmed in the morning after the night it left.
SLACK = dt.timedelta(days=1)
_ARRIVED = frozenset({OrderStatus.DELIVERED, OrderStatus.READY_FOR_PICKUP})

_Statement = tuple[OutcomeRow, OrderFacts]


def date_conflicts(rows: Iterable[OutcomeRow]) -> Iterator[tuple[OutcomeRow, Reason]]:
    """The mails by whose date an order would arrive before it was placed; each of several orders of a mail counts.

    A mail's date is its arrival or the day it was sent, whichever fits better (mail is copied, and dates are forged).
    """
    by_order: dict[str, list[_Statement]] = defaultdict(list)
    for row in rows:
        for facts in row.orders:
            if facts.order_key:
                by_order[facts.order_key].append((row, facts))
    for key in sorted(by_order):
        if len(by_order[key]) > 1:
            yield from _of_order(sorted(by_order[key], key=lambda one: one[0].when))


def _of_order(statements: Sequence[_Statement]) -> Iterator[tuple[OutcomeRow, Reason]]:
    confirmed = [row for row, facts in statements if facts.status is OrderStatus.CONFIRMED]
    if not confirmed:
        return
    placed = min(_earliest(row) for row in confirmed)
    for row, facts in statements:
        name = f"order {facts.order_number or '?'}"
        if facts.status in _ARRIVED and placed - _latest(row) > SLACK:
            said = f"arrived by this mail of {row.day}, and was placed on {placed.date()} by another"
            yield row, reason("dates_contradict_across_mails", f"{name} {said}")
        promised = facts.expected_delivery
        if promised is not None and placed.date() - promised > SLACK:
            said = f"delivery on {promised}, and placed on {placed.date()} by another mail"
            yield row, reason("dates_contradict_across_mails", f"{name}: {said}")


def _earliest(row: OutcomeRow) -> dt.datetime:
    return row.received_at if row.sent_at is None else min(row.received_at, row.sent_at)


def _latest(row: OutcomeRow) -> dt.datetime:
    return row.received_at if row.sent_at is None else max(row.received_at, row.sent_at)
