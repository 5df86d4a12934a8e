"""The case queue: what a person should look at next, over all days.

Belongs here: gathering cases and what shows only across days, grouping near-duplicates, capping, ordering. Not here:
the comparisons themselves (signals.py), and who is in the sample (fine_sample.py).
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from orders_pipeline.config import ReviewSettings
from orders_pipeline.models import EvalCase, Reason
from orders_pipeline.review.cases import case_id_of
from orders_pipeline.review.fine_sample import CODE as SAMPLE
from orders_pipeline.review.fine_sample import sampled_fine
from orders_pipeline.review.outcome_row import OutcomeRow
from orders_pipeline.review.reasons import WEAK, ranked
from orders_pipeline.review.signals import compared

REASONS_PER_CODE = 5
SAMPLE_PLACES = 10  # one of so many places is kept for the sample, whatever else is waiting


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
    def weak(self) -> str | None:
        """The code of what is here for a reason that says nothing against it; None when there is a real one."""
        return self.reasons[0].code if self.score < WEAK else None

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
    One input is one row, however many days it came on. At most ``max_per_template`` rows share a template, at most
    ``max_new`` are there only for a new sender, and as many for a new template, at most ``max_sample`` only for the
    sample, and at most ``queue_limit`` in all. The order of the inputs does not matter.
    """
    mentions: dict[str, list[_Mention]] = defaultdict(list)
    sample = sampled_fine(rows, settings.sample_of_fine, settings.sample_seed)
    for one in [*map(_of_case, cases), *map(_of_row, compared(rows)), *map(_of_row, sample)]:
        mentions[one.case_id].append(one)
    decided = frozenset(decided)
    candidates = sorted((_merge(m) for case, m in mentions.items() if case not in decided), key=lambda c: c.rank)
    sizes = Counter(candidate.group for candidate in candidates)
    kept = _within_limit(_capped(candidates, settings), settings)
    return tuple(_row(position, candidate, sizes[candidate.group]) for position, candidate in enumerate(kept, start=1))


def _capped(candidates: Iterable[_Candidate], settings: ReviewSettings) -> list[_Candidate]:
    """The best of each template and of each weak reason. The sample is counted apart: a template of which there are
    cases enough may be misjudged all the same."""
    room = {SAMPLE: settings.max_sample}
    templates: Counter[tuple[str, bool]] = Counter()
    weak: Counter[str] = Counter()
    kept = []
    for candidate in candidates:
        template, code = (candidate.group, candidate.weak == SAMPLE), candidate.weak
        if templates[template] >= settings.max_per_template:
            continue
        if code is not None and weak[code] >= room.get(code, settings.max_new):
            continue
        templates[template] += 1
        if code is not None:
            weak[code] += 1
        kept.append(candidate)
    return kept


def _within_limit(ranked_ones: Sequence[_Candidate], settings: ReviewSettings) -> list[_Candidate]:
    sample = [c for c in ranked_ones if c.weak == SAMPLE]
    others = [c for c in ranked_ones if c.weak != SAMPLE]
    places = min(len(sample), settings.queue_limit // SAMPLE_PLACES)
    return (others[: settings.queue_limit - places] + sample)[: settings.queue_limit]


def _of_case(case: EvalCase) -> _Mention:
    return _Mention(
        case.day, case.message_id, case.case_id, case.sender_domain, case.template_digest, tuple(case.reasons)
    )


def _of_row(found: tuple[OutcomeRow, Reason]) -> _Mention:
    row, why = found
    return _Mention(
        row.day, row.message_id, case_id_of(row.canonical_digest), row.sender_domain, row.template_digest, (why,)
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
