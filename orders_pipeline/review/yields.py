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
FEWEST_OF_TEMPLATE = 2  # the same form letter that gave orders: there is less room for chance


@dataclass(frozen=True, slots=True, kw_only=True)
class YieldDrop:
    """Of ``before_seen`` order-like mails ``before_parsed`` gave an order; of the ``message_ids`` after them none.

    ``template_digest`` is None when all mail of the sender is affected, else the template that is: a new one, or with
    ``used_to_parse`` one whose own mail gave orders before.
    """

    sender_domain: str
    template_digest: str | None
    before_seen: int
    before_parsed: int
    first_day: dt.date
    last_day: dt.date
    message_ids: tuple[str, ...]
    used_to_parse: bool = False


def yield_drops(rows: Iterable[OutcomeRow]) -> tuple[YieldDrop, ...]:
    """The drops that have not healed, sorted by sender and template; the order of the rows does not matter."""
    senders: dict[str, list[OutcomeRow]] = defaultdict(list)
    for row in rows:
        if row.order_like and row.sender_domain:
            senders[row.sender_domain].append(row)
    drops = []
    for sender in sorted(senders):
        history = sorted(senders[sender], key=lambda row: row.when)
        whole = _sender_drop(history)
        drops += [whole] if whole else _template_drops(history)
    return tuple(drops)


def _sender_drop(history: Sequence[OutcomeRow]) -> YieldDrop | None:
    """The sender's last mails, at least three, all came to nothing."""
    tail = _tail(history)
    return _drop(history[:tail], history[tail:], template=None)


def _template_drops(history: Sequence[OutcomeRow]) -> Iterator[YieldDrop]:
    """A template that gave orders and no longer does, or a new one that never did at a sender whose mail does; other
    templates may go on."""
    templates: dict[str, list[int]] = defaultdict(list)
    for position, row in enumerate(history):
        templates[row.template_digest].append(position)
    for template in sorted(templates):
        group = [history[p] for p in templates[template]]
        tail = _tail(group)
        if not template or tail == len(group):
            continue
        # What came before is the template's own mail, or for a new one all of the sender's.
        before = group[:tail] if tail else history[: templates[template][0]]
        fewest = FEWEST_OF_TEMPLATE if tail else FEWEST_FAILURES
        if drop := _drop(before, group[tail:], template, fewest=fewest, used_to_parse=tail > 0):
            yield drop


def _tail(history: Sequence[OutcomeRow]) -> int:
    """Where the mails begin that gave nothing and after which none gave anything."""
    tail = len(history)
    while tail and history[tail - 1].outcome is not Outcome.PARSED:
        tail -= 1
    return tail


def _drop(
    before: Sequence[OutcomeRow],
    after: Sequence[OutcomeRow],
    template: str | None,
    *,
    fewest: int = FEWEST_FAILURES,
    used_to_parse: bool = False,
) -> YieldDrop | None:
    recent = before[-LOOK_BACK:]
    parsed = sum(row.outcome is Outcome.PARSED for row in recent)
    if len(after) < fewest or len(recent) < ENOUGH or parsed < HIGH_SHARE * len(recent):
        return None
    return YieldDrop(
        sender_domain=after[0].sender_domain,
        template_digest=template,
        before_seen=len(recent),
        before_parsed=parsed,
        first_day=after[0].day,
        last_day=after[-1].day,
        message_ids=tuple(row.message_id for row in after),
        used_to_parse=used_to_parse,
    )
