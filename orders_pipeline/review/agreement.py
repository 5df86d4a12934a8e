"""How far the judge and the people agree.

Belongs here: what a decision says of the parser, and the figures. Not here: reading decisions and verdicts.

An accepted case says that the parser was right; an edited one, or one whose parse had failed, that it was wrong; a
rejected one says neither: there is nothing to learn from it. The judge says wrong of what it suspects. What it finds
fine is seen by people only in a small random sample, so each decided case stands for as many as were not looked at:
the figures beside precision are estimates over all verdicts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from orders_pipeline.models import Decision, Outcome
from orders_pipeline.review.export.case import compact
from orders_pipeline.review.fine_sample import CODE as SAMPLE_OF_FINE
from orders_pipeline.review.reasons import STRENGTHS, WEAK

# Reasons to look that say nothing against a parse: the first of its kind, and chance.
NO_DOUBTS = frozenset(code for code, strength in STRENGTHS.items() if strength < WEAK)
ENOUGH = 10  # decided cases of a kind, below which a share is an accident


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedCase:
    """One decision as it was made: the codes of the reasons that the person saw, and what they said of the parse.

    ``parser_wrong`` is None when they said neither.
    """

    codes: frozenset[str]
    parser_wrong: bool | None

    @property
    def suspect(self) -> bool:
        """Whether the judge doubted it."""
        return bool(self.codes - NO_DOUBTS)

    @property
    def sampled(self) -> bool:
        """Whether the judge found it fine and chance brought it up; a first of its kind is neither of both."""
        return not self.suspect and SAMPLE_OF_FINE in self.codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Decided cases: in how many the parser was wrong, right, and how many were rejected."""

    wrong: int = 0
    right: int = 0
    rejected: int = 0

    @property
    def told(self) -> int:
        """The cases of which somebody said whether the parser was right."""
        return self.wrong + self.right

    @property
    def share_wrong(self) -> float | None:
        return self.wrong / self.told if self.told else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The judge against the decisions. Ratios are None when there is nothing to take them of.

    ``suspect`` and ``fine`` are the decided cases of either kind; ``precision`` is of the decided ones, ``recall``,
    ``base_rate`` (the share of wrong parses) and ``kappa`` are estimates over all verdicts.
    """

    suspect: Tally
    fine: Tally
    all_suspect: int
    all_fine: int
    precision: float | None
    recall: float | None
    base_rate: float | None
    kappa: float | None
    by_code: Mapping[str, Tally] = field(default_factory=dict)

    @property
    def too_few(self) -> list[str]:
        """Why the figures tell nothing yet, one line a kind; empty when they do."""
        kinds = (("of the suspect", self.suspect.told, "precision"), ("of the fine sample", self.fine.told, "recall"))
        return [
            f"too few decisions to tell the {figure}: {told} {kind}, {ENOUGH} are needed"
            for kind, told, figure in kinds
            if told < ENOUGH
        ]


def parser_was_wrong(
    decision: Decision, produced: Mapping[str, Any], expected: Mapping[str, Any] | None
) -> bool | None:
    """What a decision says of the parse; None when it says nothing. An edit that changes nothing says right."""
    if decision is Decision.REJECTED:
        return None
    if produced.get("outcome") == Outcome.FAILED:
        return True
    return decision is Decision.EDITED and _content(produced) != _content(expected or {})


def agreement(decided: Iterable[DecidedCase], *, all_suspect: int, all_fine: int) -> Agreement:
    """The figures; ``all_suspect`` and ``all_fine`` count the verdicts of either kind, decided or not."""
    counts: dict[str, Counter[bool | None]] = defaultdict(Counter)
    kinds: dict[bool, Counter[bool | None]] = {True: Counter(), False: Counter()}
    for case in decided:
        if case.suspect or case.sampled:
            kinds[case.suspect][case.parser_wrong] += 1
        for code in case.codes:
            counts[code][case.parser_wrong] += 1
    suspect, fine = _tally(kinds[True]), _tally(kinds[False])
    recall = base_rate = kappa = None
    bad, missed = suspect.share_wrong, fine.share_wrong
    total = all_suspect + all_fine
    if bad is not None and missed is not None and total:
        hits, misses = bad * all_suspect / total, missed * all_fine / total
        base_rate = hits + misses
        recall = hits / base_rate if base_rate else None
        kappa = _kappa(hits, misses, all_suspect / total)
    return Agreement(
        suspect=suspect,
        fine=fine,
        all_suspect=all_suspect,
        all_fine=all_fine,
        precision=bad,
        recall=recall,
        base_rate=base_rate,
        kappa=kappa,
        by_code={code: _tally(counts[code]) for code in sorted(counts)},
    )


def _kappa(hits: float, misses: float, suspected: float) -> float | None:
    """Cohen's kappa from shares of all: agreement beyond what the two base rates give by chance."""
    wrong = hits + misses
    observed = hits + (1 - suspected - misses)
    chance = suspected * wrong + (1 - suspected) * (1 - wrong)
    return (observed - chance) / (1 - chance) if chance < 1 else None


def _tally(counts: Counter[bool | None]) -> Tally:
    return Tally(wrong=counts[True], right=counts[False], rejected=counts[None])


def _content(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [compact(order) for order in result.get("orders") or ()]
