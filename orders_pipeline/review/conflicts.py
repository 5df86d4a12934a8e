"""One order number with two totals: a contradiction that shows only when mails of several days are compared.

Belongs here: finding the mails that deviate. Not here: queueing them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal

from orders_pipeline.models import OrderStatus, Reason
from orders_pipeline.review.outcome_row import OrderFacts, OutcomeRow
from orders_pipeline.review.reasons import reason

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
    for row in sorted(rows, key=lambda r: (r.received_at, r.message_id)):
        for facts in row.orders:
            if facts.order_key and facts.total is not None and facts.status not in _OTHER_AMOUNT:
                statements[facts.order_key].append((row, facts))
    for key in sorted(statements):
        yield from _deviations(statements[key])


def _deviations(statements: list[tuple[OutcomeRow, OrderFacts]]) -> Iterator[tuple[OutcomeRow, Reason]]:
    counts = Counter(_amount(facts) for _, facts in statements)
    if len(counts) == 1:
        return
    usual = max(counts, key=lambda amount: counts[amount])  # the first of the most frequent: dicts keep time order
    source = next(row for row, facts in statements if _amount(facts) == usual)
    for row, facts in statements:
        total, currency = _amount(facts)
        if total != usual[0] or (currency and usual[1] and currency != usual[1]):
            yield (
                row,
                reason(
                    "total_differs_across_mails",
                    f"order {facts.order_number or '?'}: {_said((total, currency))} here,"
                    f" {_said(usual)} in the mail of {source.day} ({source.message_id[:16]})",
                ),
            )


def _amount(facts: OrderFacts) -> tuple[Decimal, str]:
    return facts.total or Decimal(0), facts.currency or ""


def _said(amount: tuple[Decimal, str]) -> str:
    return f"{amount[0]} {amount[1]}".strip()
