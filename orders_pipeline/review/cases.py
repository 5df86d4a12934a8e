"""From verdicts to proposed cases, one day at a time.

Belongs here: deriving cases from a day's items and verdicts. Not here: judging, and what shows only across days
(queue.py).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable

from orders_pipeline.encoding import canonical_json, result_to_dict
from orders_pipeline.models import EvalCase, Reviewable, Verdict
from orders_pipeline.review.reasons import ranked

CASE_ID_LENGTH = 16


def case_id_of(canonical_digest: str) -> str:
    """The id of the case that a canonical input proposes: the first 16 characters of its digest."""
    return canonical_digest[:CASE_ID_LENGTH]


def derive_cases(items: Iterable[Reviewable], verdicts: Iterable[Verdict]) -> tuple[EvalCase, ...]:
    """The cases of suspect verdicts: one a day and canonical input, sorted by (day, case id).

    The suspect message with the smallest id stands for its like; the other messages of the day with the same input
    are its ``duplicates``. A verdict on another parse of a message than the one given counts for nothing.
    """
    suspicions: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.suspect:
            suspicions[verdict.message_id, verdict.parse_digest].append(verdict)
    alike: dict[tuple[dt.date, str], dict[str, Reviewable]] = defaultdict(dict)
    for item in items:
        alike[item.day, item.canonical_digest][item.message_id] = item
    cases = []
    for group in alike.values():
        suspects = [i for i in group.values() if (i.message_id, i.parse_digest) in suspicions]
        if suspects:
            item = min(suspects, key=lambda i: i.message_id)
            others = tuple(sorted(group.keys() - {item.message_id}))
            cases.append(_case(item, suspicions[item.message_id, item.parse_digest], others))
    return tuple(sorted(cases, key=lambda c: (c.day, c.case_id, c.message_id)))


def _case(item: Reviewable, verdicts: list[Verdict], duplicates: tuple[str, ...]) -> EvalCase:
    return EvalCase(
        day=item.day,
        case_id=case_id_of(item.canonical_digest),
        message_id=item.message_id,
        canonical_digest=item.canonical_digest,
        template_digest=item.template_digest,
        sender_domain=item.sender_domain,
        outcome=item.result.outcome,
        reasons=ranked([reason for verdict in verdicts for reason in verdict.reasons]),
        produced=canonical_json(result_to_dict(item.result)),
        judge="+".join(sorted({verdict.judge for verdict in verdicts})),
        duplicates=duplicates,
    )
