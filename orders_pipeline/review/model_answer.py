"""The model's answer as reasons, or as an error.

Belongs here: what an answer must hold, to the letter. Not here: how it came (llm/), what was asked (model_prompt.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from orders_pipeline.encoding import printable_line
from orders_pipeline.llm.forms import AnswerForm, fitting
from orders_pipeline.models import Reason
from orders_pipeline.review.model_prompt import CODES, MOST_REASONS

# How much a code weighs when the model is sure; a judge that only reads is worth less than a sum that fails.
_STRENGTHS = {"missed_order": 0.78, "not_an_order": 0.74, "wrong": 0.72, "missing": 0.48}


class _ReasonGiven(AnswerForm):
    code: Literal[CODES]  # type: ignore[valid-type]
    detail: Annotated[str, Field(max_length=4000)]


class _AnswerGiven(AnswerForm):
    reasons: Annotated[list[_ReasonGiven], Field(max_length=10 * MOST_REASONS)]
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def read_answer(data: Mapping[str, Any], restore: Callable[[str], str]) -> tuple[tuple[Reason, ...], float]:
    """Reasons, strongest first, and confidence (0 to 1). Raises ``BadAnswer``.

    ``restore`` puts numbers back that were replaced before the mail was sent.
    """
    given = fitting(_AnswerGiven, data)
    reasons: dict[str, Reason] = {}
    for one in given.reasons:
        detail = printable_line(restore(one.detail), 300)
        strength = round(_strength(one.code) * (0.5 + 0.5 * given.confidence), 4)
        reasons.setdefault(one.code, Reason(code=one.code, detail=detail, strength=strength))
    found = sorted(reasons.values(), key=lambda r: (-r.strength, r.code))[:MOST_REASONS]
    return tuple(found), given.confidence


def _strength(code: str) -> float:
    return _STRENGTHS.get(code) or _STRENGTHS[code.partition("_")[0]]
