"""The reasons that rules give: stable codes and how strong each is.

Belongs here: the one table of codes, so that their order is visible. Not here: when a rule gives which.
"""

from __future__ import annotations

from orders_pipeline.encoding import printable_line
from orders_pipeline.models import Reason

# Strongest first: a sum that fails is proof, two readings that differ are nearly so, the rest are hints. Those below
# ``WEAK`` say nothing against a parse: they are what nobody has looked at yet.
STRENGTHS: dict[str, float] = {
    "total_does_not_add_up": 0.95,
    "subtotal_does_not_add_up": 0.92,
    "readings_disagree": 0.85,
    "field_drifted": 0.82,
    "template_stopped_parsing": 0.80,
    "parse_failed": 0.75,
    "order_words_without_parse": 0.70,
    "total_differs_across_mails": 0.66,
    "sender_yield_fell": 0.65,
    "dates_contradict_across_mails": 0.63,
    "no_order_found": 0.60,
    "missing_key": 0.55,
    "missing_total": 0.50,
    "missing_currency": 0.45,
    "impossible_date": 0.40,
    "ambiguous_money": 0.35,
    "impossible_amount": 0.30,
    "new_sender": 0.20,
    "new_template": 0.15,
    "sample_of_fine": 0.05,
}
WEAK = 0.25

DETAIL_LIMIT = 300


def reason(code: str, detail: str) -> Reason:
    """A reason of a known code (KeyError otherwise); the detail is made one printable line."""
    return Reason(code=code, detail=printable_line(detail, DETAIL_LIMIT), strength=STRENGTHS[code])


def ranked(reasons: list[Reason], per_code: int | None = None) -> tuple[Reason, ...]:
    """Without repeats, strongest first, at most ``per_code`` of each code."""
    unique = sorted(set(reasons), key=lambda r: (-r.strength, r.code, r.detail))
    if per_code is None:
        return tuple(unique)
    kept: list[Reason] = []
    seen: dict[str, int] = {}
    for one in unique:
        seen[one.code] = seen.get(one.code, 0) + 1
        if seen[one.code] <= per_code:
            kept.append(one)
    return tuple(kept)
