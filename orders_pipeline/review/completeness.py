"""Rules about what is missing: fields that every order has, and orders that were not found at all.

Belongs here: absence. Not here: values that are there and wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from orders_pipeline.encoding import money_text
from orders_pipeline.models import OrderStatus, Outcome, Reason, Reviewable
from orders_pipeline.review.reasons import reason

# The parser's reason when it found no order and no other kind of mail either. Where it did find one (a bounce, a
# discussion) one word proves nothing: over 821 labelled mails these limits keep all 8 misses and drop 43 of 103 others.
UNDECIDED = "no_order_found"
FEWEST_WORDS = 2
FEWEST_WORDS_DECIDED = 3


def order_was_found(item: Reviewable) -> Iterator[Reason]:
    """The parse failed, or found no order in a mail that has the words of one."""
    result = item.result
    if result.outcome is Outcome.FAILED:
        yield reason("parse_failed", result.reason or "the parser failed and gave no reason")
    elif result.outcome is Outcome.NOT_ORDER:
        needed = FEWEST_WORDS if result.reason == UNDECIDED else FEWEST_WORDS_DECIDED
        if len(result.order_words) >= needed:
            words = ", ".join(result.order_words[:8])
            yield reason("order_words_without_parse", f"not taken as an order ({result.reason}), but it says: {words}")
    elif result.outcome is Outcome.PARSED and not result.orders:
        yield reason("no_order_found", "the outcome is parsed, yet there is no order")


def fields_are_there(item: Reviewable) -> Iterator[Reason]:
    """An order has a number or a tracking number, a confirmation has a total, a total has a currency."""
    for order in item.result.orders:
        name = f"order {order.order_number}" if order.order_number else "an order"
        if not order.order_number and not order.tracking_numbers:
            yield reason("missing_key", "neither an order number nor a tracking number was found")
        if order.status is OrderStatus.CONFIRMED and order.total is None:
            yield reason("missing_total", f"{name} is confirmed, yet has no total")
        if order.total is not None and not order.currency:
            yield reason("missing_currency", f"{name}: the total {money_text(order.total, None)} has no currency")
