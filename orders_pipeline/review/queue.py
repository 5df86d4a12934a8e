"""The case queue: what a person should look at next, over all days.

Belongs here: gathering cases and what shows only across days, grouping near-duplicates, capping, ordering. Not here:
the comparisons themselves (conflicts.py, yields.py).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from orders_pipeline.config import ReviewSettings
from orders_pipeline.models import EvalCase, Reason
from orders_pipeline.review.cases import case_id_of
from orders_pipeline.review.conflicts import total_conflicts
from orders_pipeline.review.outcome_row import OutcomeRow
from orders_pipeline.review.reasons import ranked, reason
from orders_pipeline.review.yields import YieldDrop, yield_drops

REASONS_PER_CODE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """One place in the queue, from 1. ``group_size`` counts the undecided cases of the same template, this one
    included, also those that the cap leaves out. ``score`` is the strength of the strongest reason, 0 to 1.

    ``day`` and ``message_id`` are those of the first mail with this input.
    """

    position: int
    day: dt.date
    case_id: str
    message_id: str
    sender_domain: str
    template_digest: str
    group_size: int
    score: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _Mention:
    """One reason source for one input: a case of a day, or a mail that only a comparison brought up."""

    day: dt.date
    message_id: str
    case_id: str
    sender_domain: str
    template_digest: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    first: _Mention
    last_day: dt.date
    score: float
    reasons: tuple[Reason, ...]

    @property
    def group(self) -> str:
        """The template whoever sent it (phishing changes its domain with every mail); without one, like no other."""
        return self.first.template_digest or self.first.case_id

    @property
    def rank(self) -> tuple[float, int, str]:
        return -self.score, -self.last_day.toordinal(), self.first.case_id


def build_queue(
    cases: Iterable[EvalCase],
    rows: Sequence[OutcomeRow],
    decided: Collection[str],
    settings: ReviewSettings,
) -> tuple[QueueRow, ...]:
    """The queue, best first: by the strongest reason, then the most recent.

    ``cases`` are those of all days, ``rows`` all outcomes, ``decided`` the ids of cases that a person has decided on.
    One input is one row, however many days it came on. At most ``max_per_template`` rows share a template, at
    most ``queue_limit`` rows are returned. The order of the inputs does not matter.
    """
    mentions: dict[str, list[_Mention]] = defaultdict(list)
    for one in [*map(_of_case, cases), *_of_comparisons(rows)]:
        mentions[one.case_id].append(one)
    decided = frozenset(decided)
    candidates = sorted((_merge(m) for case, m in mentions.items() if case not in decided), key=lambda c: c.rank)
    groups: dict[str, list[_Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.group].append(candidate)
    kept = sorted((c for group in groups.values() for c in group[: settings.max_per_template]), key=lambda c: c.rank)
    return tuple(
        _row(position, candidate, len(groups[candidate.group]))
        for position, candidate in enumerate(kept[: settings.queue_limit], start=1)
    )


def _of_case(case: EvalCase) -> _Mention:
    return _Mention(
        case.day, case.message_id, case.case_id, case.sender_domain, case.template_digest, tuple(case.reasons)
    )


def _of_comparisons(rows: Sequence[OutcomeRow]) -> list[_Mention]:
    by_message = {row.message_id: row for row in rows}
    found = list(total_conflicts(rows))
    for drop in yield_drops(rows):
        found += [(by_message[message], _fell(drop)) for message in drop.message_ids]
    return [
        _Mention(
            row.day, row.message_id, case_id_of(row.canonical_digest), row.sender_domain, row.template_digest, (why,)
        )
        for row, why in found
    ]


def _fell(drop: YieldDrop) -> Reason:
    return reason(
        "sender_yield_fell",
        f"{drop.before_parsed} of {drop.before_seen} mails of {drop.sender_domain} gave an order before"
        f" {drop.first_day}, none of {len(drop.message_ids)} {'like this one ' if drop.template_digest else ''}since",
    )


def _merge(mentions: list[_Mention]) -> _Candidate:
    reasons = ranked([reason for one in mentions for reason in one.reasons], per_code=REASONS_PER_CODE)
    return _Candidate(
        first=min(mentions, key=lambda m: (m.day, m.message_id)),
        last_day=max(one.day for one in mentions),
        score=max((one.strength for one in reasons), default=0.0),
        reasons=reasons,
    )


def _row(position: int, candidate: _Candidate, group_size: int) -> QueueRow:
    first = candidate.first
    return QueueRow(
        position=position,
        day=first.day,
        case_id=first.case_id,
        message_id=first.message_id,
        sender_domain=first.sender_domain,
        template_digest=first.template_digest,
        group_size=group_size,
        score=candidate.score,
        reasons=candidate.reasons,
    )
