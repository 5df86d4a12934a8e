"""The protocol that every judge keeps, and what it yields when it could not judge.

Belongs here: what the review stage may ask of a judge, and the making of its answers. Not here: any one judge.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from orders_pipeline.models import Reason, Reviewable, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFault:
    """Judging one item failed. It is not a verdict: the item stays pending.

    ``uses_try`` is False when the fault is not the item's (connection, login, budget): such a fault may recur
    without ever exhausting the item. ``not_before`` is when another try makes sense at the earliest, when known.
    """

    message_id: str
    parse_digest: str
    error: str
    uses_try: bool = True
    not_before: dt.datetime | None = None


def verdict_of(
    item: Reviewable, judge: str, version: str, reasons: tuple[Reason, ...], confidence: float | None = None
) -> Verdict:
    """What a judge says of the parse that an item is."""
    return Verdict(
        message_id=item.message_id,
        parse_digest=item.parse_digest,
        judge=judge,
        judge_version=version,
        reasons=reasons,
        confidence=confidence,
    )


class Judge(Protocol):
    """Says of parses whether a person should doubt them."""

    @property
    def name(self) -> str:
        """Stable and short: part of every verdict."""
        ...

    @property
    def version(self) -> str:
        """Changes when the same item may get another verdict."""
        ...

    @property
    def batch_size(self) -> int:
        """How many results are saved at a time: the most that a kill may cost. A paid judge says 1."""
        ...

    @property
    def asks_model(self) -> bool:
        """Whether it asks the configured model, which costs: then it is told beforehand how many calls are made, and
        it is left out where nothing may be paid."""
        ...

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        """Yield one result for each item, each as soon as it is known, in any order.

        An error is a ``JudgeFault``, never a verdict. What a verdict says depends on its item alone.
        """
        ...
