"""Rules about dates: can this delivery date be true for a mail of this day?

Belongs here: values that are possible in form and impossible in fact. Not here: sums (arithmetic.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from orders_pipeline.models import OrderStatus, Reason, Reviewable
from orders_pipeline.review.reasons import reason

EARLIEST_DAYS = -1
LATEST_DAYS = 400
# These mails may repeat a promise that has passed.
_LOOKING_BACK = frozenset(
    {
        OrderStatus.DELAYED,
        OrderStatus.DELIVERED,
        OrderStatus.CANCELLED,
        OrderStatus.REFUNDED,
        OrderStatus.RETURN_STARTED,
    }
)
_LOOK_BACK_DAYS = -120


def delivery_date_is_possible(item: Reviewable) -> Iterator[Reason]:
    """The promised day lies from a day before the mail to 400 days after it.

    Either date of the mail will do, arrival or sending: mail copied to a new mailbox arrived long after it was sent,
    and a Date header is the sender's word.
    """
    dates = [item.day] if item.sent_at is None else [item.day, item.sent_at.date()]
    for order in item.result.orders:
        if order.expected_delivery is None:
            continue
        earliest = _LOOK_BACK_DAYS if order.status in _LOOKING_BACK else EARLIEST_DAYS
        away = [(order.expected_delivery - date).days for date in dates]
        if not any(earliest <= days <= LATEST_DAYS for days in away):
            side = "before" if away[0] < 0 else "after"
            yield reason(
                "impossible_date",
                f"delivery on {order.expected_delivery} is {abs(away[0])} days {side} the mail of {item.day}",
            )
