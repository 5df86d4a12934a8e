"""The light rows that the queue compares across days: no bodies, no evidence, so that ten years fit in memory.

Belongs here: these records. Not here: what is concluded from them.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from orders_pipeline.models import OrderStatus, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFacts:
    """What one parsed order says of its number, total and dates.

    ``order_key`` is equal for readings of one order, whatever the spelling of shop and number; None without a number.
    The caller makes it (``orders.keys.order_key``). ``forms`` are those of ``forms.FIELDS`` (``forms.forms_of``).
    """

    order_key: str | None
    merchant: str | None = None
    order_number: str | None = None
    status: OrderStatus | None = None
    total: Decimal | None = None
    currency: str | None = None
    expected_delivery: dt.date | None = None
    forms: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRow:
    """One outcome of any day. ``order_like`` is ``needs_review`` of its result.

    ``fine`` says that every judge that was asked found nothing to doubt; False also before a verdict.
    """

    day: dt.date
    received_at: dt.datetime
    message_id: str
    canonical_digest: str
    template_digest: str
    sender_domain: str
    outcome: Outcome
    order_like: bool
    sent_at: dt.datetime | None = None
    fine: bool = False
    orders: tuple[OrderFacts, ...] = ()

    @property
    def when(self) -> tuple[dt.datetime, str]:
        """The order of rows in time, the same whatever order they come in."""
        return self.received_at, self.message_id
