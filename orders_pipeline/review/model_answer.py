"""The model's answer as reasons, or as an error.

Belongs here: what an answer must hold, to the letter. Not here: how it came (llm/), what was asked (model_prompt.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orders_pipeline.encoding import printable_line
from orders_pipeline.models import Reason
from orders_pipeline.review.model_prompt import CODES, MOST_REASONS

# How much a code weighs when the model is sure; a judge that only reads is worth less than a sum that fails.
_STRENGTHS = {"missed_order": 0.78, "not_an_order": 0.74, "wrong": 0.72, "missing": 0.48}


class BadAnswer(Exception):
    """An answer that is not what was asked for. The text is one line."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class _ReasonGiven(_Strict):
    code: Literal[CODES]  # type: ignore[valid-type]
    detail: Annotated[str, Field(max_length=4000)]


class _AnswerGiven(_Strict):
    reasons: Annotated[list[_ReasonGiven], Field(max_length=10 * MOST_REASONS)]
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def read_answer(data: Mapping[str, Any], restore: Callable[[str], str]) -> tuple[tuple[Reason, ...], float]:
    """Reasons, strongest first, and confidence (0 to 1). Raises ``BadAnswer``.

    ``restore`` puts numbers back that were replaced before the mail was sent.
    """
    try:
        given = _AnswerGiven.model_validate(dict(data))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the answer"
        raise BadAnswer(printable_line(f"the model's answer does not fit: {where}: {fault['msg']}", 200)) from None
    reasons: dict[str, Reason] = {}
    for one in given.reasons:
        detail = printable_line(restore(one.detail), 300)
        strength = round(_strength(one.code) * (0.5 + 0.5 * given.confidence), 4)
        reasons.setdefault(one.code, Reason(code=one.code, detail=detail, strength=strength))
    found = sorted(reasons.values(), key=lambda r: (-r.strength, r.code))[:MOST_REASONS]
    return tuple(found), given.confidence


def _strength(code: str) -> float:
    return _STRENGTHS.get(code) or _STRENGTHS[code.partition("_")[0]]
