"""The form in which a model must answer, to the letter.

Belongs here: that an answer has its form, or is an error. Not here: any one form, and what becomes of an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from orders_pipeline.encoding import printable_line


class BadAnswer(Exception):
    """An answer that is not what was asked for. The text is one line."""


class AnswerForm(BaseModel):
    """The base of what an answer must hold: no other keys, no other types."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


Form = TypeVar("Form", bound=AnswerForm)


def fitting(form: type[Form], data: Mapping[str, Any]) -> Form:
    """The answer in its form. Raises ``BadAnswer``."""
    try:
        return form.model_validate(dict(data))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the answer"
        raise BadAnswer(printable_line(f"the model's answer does not fit: {where}: {fault['msg']}", 200)) from None
