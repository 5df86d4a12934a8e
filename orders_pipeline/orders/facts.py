"""What the mails of one order say of it apart from its progress: names, money, size.

Belongs here: choosing one value where mails state several. Not here: status and dates (timeline.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

from orders_pipeline.models import OrderStatus
from orders_pipeline.orders.keys import number_key
from orders_pipeline.orders.logical import OrderParse

# The amount in such a mail is what is paid back or left.
_OTHER_AMOUNT = frozenset(
    {OrderStatus.CANCELLED, OrderStatus.PARTIALLY_CANCELLED, OrderStatus.REFUNDED, OrderStatus.RETURN_STARTED}
)


def merchant_of(parses: Sequence[OrderParse]) -> str | None:
    """The most frequent name; mails that know the order number go before carriers' mails."""
    shops = [p.order.merchant for p in parses if number_key(p.order.order_number)]
    return _usual(shops) or _usual(p.order.merchant for p in parses)


def order_number_of(parses: Sequence[OrderParse]) -> str | None:
    """The most frequent spelling."""
    return _usual(p.order.order_number for p in parses)


def total_of(parses: Sequence[OrderParse]) -> tuple[Decimal | None, str | None]:
    """Total and currency, once an order, however many parcels it comes in.

    The last confirmation says it (a changed order is confirmed again); without one the largest amount, since mail
    about one parcel may state that parcel's share. An amount paid back counts only when there is no other.
    """
    stated = [p.order for p in parses if p.order.total is not None and p.order.total.is_finite()]
    confirmed = [o for o in stated if o.status is OrderStatus.CONFIRMED]
    whole = [o for o in stated if o.status not in _OTHER_AMOUNT]
    if not stated:
        return None, None
    chosen = confirmed[-1] if confirmed else max(whole or stated, key=lambda o: o.total or Decimal(0))
    return chosen.total, chosen.currency or _usual(o.currency for o in stated)


def items_of(parses: Sequence[OrderParse]) -> int:
    """The lines of the mail that lists the most."""
    return max((len(p.order.items) for p in parses), default=0)


def _usual(values: Iterable[str | None]) -> str | None:
    """The most frequent value, of several the first; None when there is none."""
    counts = Counter(value for value in values if value)
    return max(counts, key=lambda value: counts[value], default=None)
