"""What an OpenAI-compatible server's answer says, and whether it is one.

Belongs here: the envelope (choices, finish_reason, refusal, usage) and the JSON inside a message. Not here: what the
JSON means. Servers differ in all but the few fields read here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from orders_pipeline.encoding import printable_line
from orders_pipeline.llm.faults import Kind, LlmFault, fault_in_body

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCE = re.compile(r"\A```[A-Za-z]{0,10}[ \t]*\n(.*)\n```\Z", re.DOTALL)
_TOKENS_LIMIT = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that the server counted; None where it says nothing usable."""

    input_tokens: int | None = None
    output_tokens: int | None = None


def envelope(body: bytes, *, host: str) -> Any:
    """The answer's JSON. Raises ``LlmFault``: a page of HTML, half an answer, nothing."""
    try:
        data = strict_json(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise LlmFault(Kind.SERVER, f"{host} answered with something that is no JSON", billed=True) from None
    if not isinstance(data, dict):
        raise LlmFault(Kind.SERVER, f"{host} answered with JSON that is no chat completion", billed=True)
    return data


def usage_of(data: Any) -> Usage:
    """The tokens of a call."""
    usage = data.get("usage") if isinstance(data, dict) else None
    if not isinstance(usage, dict):
        return Usage()
    return Usage(input_tokens=_count(usage.get("prompt_tokens")), output_tokens=_count(usage.get("completion_tokens")))


def message_of(data: Any, *, host: str, model: str) -> str:
    """The text of the first choice. Raises ``LlmFault`` for a refusal, a text cut off, or none."""
    if fault := fault_in_body(data, host=host, model=model):
        raise fault
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise LlmFault(Kind.SERVER, f"{host} answered with JSON that is no chat completion", billed=True)
    reason = choice.get("finish_reason")
    if refusal := message.get("refusal"):
        raise LlmFault(Kind.ANSWER, "the model refused", billed=True, quote=printable_line(str(refusal), 120))
    if reason == "content_filter":
        raise LlmFault(Kind.ANSWER, "the provider's filter withheld the answer", billed=True)
    if reason == "length":
        raise LlmFault(Kind.ANSWER, "the answer was cut off: raise review.model.max_output_tokens", billed=True)
    text = _text(message.get("content"))
    if not text.strip():
        raise LlmFault(Kind.ANSWER, "the model's answer is empty", billed=True)
    return text


def object_in(text: str) -> dict[str, Any]:
    """The one JSON object that a model's text consists of, with a fence around it or its thoughts before it.

    Raises ``LlmFault``: no JSON, several values, a name given twice, NaN or Infinity, text around it.
    """
    bare = text.strip()
    if bare.startswith("<think"):
        bare = _THOUGHT.sub("", bare, count=1).strip()
    if fenced := _FENCE.match(bare):
        bare = fenced[1].strip()
    try:
        data = strict_json(bare)
    except (ValueError, RecursionError):
        raise LlmFault(
            Kind.ANSWER, "the model's answer is not the JSON asked for", billed=True, quote=_start(bare)
        ) from None
    if not isinstance(data, dict):
        raise LlmFault(Kind.ANSWER, "the model's answer is no JSON object", billed=True, quote=_start(bare))
    return data


def strict_json(text: str) -> Any:
    """JSON as the standard has it: no NaN, no Infinity, no name twice in one object. Raises ``ValueError``."""
    return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a name is there twice")
    return out


def _text(content: Any) -> str:
    if isinstance(content, list):  # some servers send parts
        parts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    usable = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _TOKENS_LIMIT
    return value if usable else None


def _start(text: str) -> str:
    return repr(printable_line(text, 60))
