"""What shows only when the outcomes of all days are compared.

Belongs here: the comparisons in one place. Not here: each comparison, which has a file of its own, and the queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from orders_pipeline.models import Reason
from orders_pipeline.review.conflicts import total_conflicts
from orders_pipeline.review.date_conflicts import date_conflicts
from orders_pipeline.review.drift import field_drifts
from orders_pipeline.review.novelty import first_of_kind
from orders_pipeline.review.outcome_row import OutcomeRow
from orders_pipeline.review.reasons import reason
from orders_pipeline.review.yields import YieldDrop, yield_drops

Signal = Callable[[Sequence[OutcomeRow]], Iterable[tuple[OutcomeRow, Reason]]]


def fallen_yields(rows: Sequence[OutcomeRow]) -> Iterator[tuple[OutcomeRow, Reason]]:
    """The mails since a sender or a template stopped giving orders."""
    by_message = {row.message_id: row for row in rows}
    for drop in yield_drops(rows):
        for message in drop.message_ids:
            yield by_message[message], _fell(drop)


SIGNALS: tuple[Signal, ...] = (field_drifts, fallen_yields, total_conflicts, date_conflicts, first_of_kind)


def compared(rows: Sequence[OutcomeRow]) -> Iterator[tuple[OutcomeRow, Reason]]:
    """Every ground for doubt that the comparisons find, each with the mail that it falls on."""
    for signal in SIGNALS:
        yield from signal(rows)


def _fell(drop: YieldDrop) -> Reason:
    if drop.used_to_parse:
        return reason(
            "template_stopped_parsing",
            f"{drop.before_parsed} of {drop.before_seen} mails of {drop.sender_domain} in this form gave an order"
            f" before {drop.first_day}, none of {len(drop.message_ids)} since",
        )
    return reason(
        "sender_yield_fell",
        f"{drop.before_parsed} of {drop.before_seen} mails of {drop.sender_domain} gave an order before"
        f" {drop.first_day}, none of {len(drop.message_ids)} {'like this one ' if drop.template_digest else ''}since",
    )
