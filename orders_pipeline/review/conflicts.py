"""One order number with two totals: a contradiction that shows only when mails of several days are compared.

Belongs here: finding the mails that deviate. Not here: queueing them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TypeVar

from orders_pipeline.encoding import money_text
from orders_pipeline.models import OrderStatus, Reason
from orders_pipeline.review.outcome_row import OrderFacts, OutcomeRow
from orders_pipeline.review.reasons import reason

_T = TypeVar("_T")

# The amount in such a mail is rightly another one: what is paid back, or what is left.
_OTHER_AMOUNT = frozenset(
    {
        OrderStatus.CANCELLED,
        OrderStatus.PARTIALLY_CANCELLED,
        OrderStatus.REFUNDED,
        OrderStatus.RETURN_STARTED,
        OrderStatus.MERGED,
        OrderStatus.SPLIT,
    }
)


def total_conflicts(rows: Iterable[OutcomeRow]) -> Iterator[tuple[OutcomeRow, Reason]]:
    """The mails whose total or currency is not the one that most mails of their order state.

    With a tie the earlier statement is taken for the right one. A missing total or currency contradicts nothing.
    """
    statements: dict[str, list[tuple[OutcomeRow, OrderFacts]]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.when):
        for facts in row.orders:
            if facts.order_key and facts.total is not None and facts.status not in _OTHER_AMOUNT:
                statements[facts.order_key].append((row, facts))
    for key in sorted(statements):
        yield from _deviations(statements[key])


def _deviations(statements: list[tuple[OutcomeRow, OrderFacts]]) -> Iterator[tuple[OutcomeRow, Reason]]:
    total = _usual(facts.total for _, facts in statements)
    currency = _usual(facts.currency for _, facts in statements if facts.currency)
    for row, facts in statements:
        if facts.total != total or (facts.currency and facts.currency != currency):
            yield (
                row,
                reason(
                    "total_differs_across_mails",
                    f"order {facts.order_number or '?'}: {_said(facts.total, facts.currency)} here,"
                    f" {_said(total, currency)} in other mail",
                ),
            )


def _usual(values: Iterable[_T]) -> _T | None:
    """The most frequent value, of several the first."""
    counts = Counter(values)
    return max(counts, key=lambda value: counts[value], default=None)


def _said(total: Decimal | None, currency: str | None) -> str:
    return money_text(total, currency) if total is not None else "no total"
