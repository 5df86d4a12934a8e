"""Senders whose mail used to give orders and no longer does: what a changed template looks like from outside.

Belongs here: finding such drops in the history of outcomes. Not here: what is done about them (queue.py, the checks).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from orders_pipeline.models import Outcome
from orders_pipeline.review.outcome_row import OutcomeRow

LOOK_BACK = 20  # order-like mails before the drop
ENOUGH = 5  # fewer of them prove no habit
HIGH_SHARE = 0.8
FEWEST_FAILURES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class YieldDrop:
    """Of ``before_seen`` order-like mails ``before_parsed`` gave an order; of the ``message_ids`` after them none.

    ``template_digest`` is None when all mail of the sender is affected, else the new template that is.
    """

    sender_domain: str
    template_digest: str | None
    before_seen: int
    before_parsed: int
    first_day: dt.date
    last_day: dt.date
    message_ids: tuple[str, ...]


def yield_drops(rows: Iterable[OutcomeRow]) -> tuple[YieldDrop, ...]:
    """The drops that have not healed, sorted by sender and template; the order of the rows does not matter."""
    senders: dict[str, list[OutcomeRow]] = defaultdict(list)
    for row in rows:
        if row.order_like and row.sender_domain:
            senders[row.sender_domain].append(row)
    drops = []
    for sender in sorted(senders):
        history = sorted(senders[sender], key=lambda r: (r.received_at, r.message_id))
        whole = _sender_drop(history)
        drops += [whole] if whole else _template_drops(history)
    return tuple(drops)


def _sender_drop(history: Sequence[OutcomeRow]) -> YieldDrop | None:
    """The sender's last mails, at least three, all came to nothing."""
    tail = len(history)
    while tail and history[tail - 1].outcome is not Outcome.PARSED:
        tail -= 1
    return _drop(history[:tail], history[tail:], template=None)


def _template_drops(history: Sequence[OutcomeRow]) -> Iterator[YieldDrop]:
    """A template that never gave an order appeared at a sender whose mail did; older templates may go on."""
    templates: dict[str, list[int]] = defaultdict(list)
    for position, row in enumerate(history):
        templates[row.template_digest].append(position)
    for template in sorted(templates):
        group = [history[p] for p in templates[template]]
        if template and all(row.outcome is not Outcome.PARSED for row in group):
            drop = _drop(history[: templates[template][0]], group, template)
            if drop:
                yield drop


def _drop(before: Sequence[OutcomeRow], after: Sequence[OutcomeRow], template: str | None) -> YieldDrop | None:
    recent = before[-LOOK_BACK:]
    parsed = sum(row.outcome is Outcome.PARSED for row in recent)
    if len(after) < FEWEST_FAILURES or len(recent) < ENOUGH or parsed < HIGH_SHARE * len(recent):
        return None
    return YieldDrop(
        sender_domain=after[0].sender_domain,
        template_digest=template,
        before_seen=len(recent),
        before_parsed=parsed,
        first_day=after[0].day,
        last_day=after[-1].day,
        message_ids=tuple(row.message_id for row in after),
    )
