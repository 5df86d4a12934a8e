"""What can come of a call instead of an answer.

Belongs here: the kinds of faults, what an HTTP status means, and the line for people. Not here: waiting, trying again.
No text holds a key, a header or a mail.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

from orders_pipeline.encoding import printable_line


class Kind(StrEnum):
    """Whose fault it is, and so what is to be done."""

    LINE = "line"  # nobody there, or too busy: try again; no fault of what was asked
    SERVER = "server"  # failed on this call: may be the server's fault, may be the question's
    LOGIN = "login"  # a person
    LIMIT = "limit"  # ours or the provider's: not before another day
    PARAMETER = "parameter"  # the server does not know a parameter: ask without
    ANSWER = "answer"  # there is an answer, and it is none: refused, cut off, not what was asked for


class LlmFault(Exception):
    """A call that gave no answer. ``retry_after`` is in seconds; ``billed`` says that it may have cost something.

    ``quote`` is what the model said instead, a few words: for people, and not for the lasting record of calls, which
    would keep it beyond the mail that it is about. ``told`` is the text without it.
    """

    def __init__(
        self,
        kind: Kind,
        text: str,
        *,
        retry_after: float | None = None,
        not_before: dt.datetime | None = None,
        retriable: bool = False,
        billed: bool = False,
        quote: str = "",
    ) -> None:
        self.kind, self.told = kind, text
        self.text = f"{text}: {quote}" if quote else text
        super().__init__(self.text)
        self.retry_after, self.not_before = retry_after, not_before
        self.retriable, self.billed = retriable, billed


_TOO_LONG = ("context length", "context_length", "maximum context", "too many tokens", "too long", "context size")
# Words of a refusal that is about how something was asked.
PARAMETERS = ("response_format", "json_schema", "json_object", "structured", "max_tokens", "temperature", "grammar")
_BUSY = frozenset({408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529})
_MAX_BODY = 64 * 1024


def fault_of(status: int, headers: Mapping[str, str], body: bytes, *, host: str, model: str) -> LlmFault:
    """The fault that a status other than 200 stands for."""
    code, told = _error(body)
    shown = f"{host} answered HTTP {status}" + (f" ({told})" if told else "")
    lower = f"{code} {told}".lower()
    if status in (401, 403, 407):
        remedy = "check the key in review.model.api_key_env or api_key_file, and what it may do"
        return LlmFault(Kind.LOGIN, f"{shown}; {remedy}")
    if status == 402 or "insufficient_quota" in lower or "billing" in lower:
        return LlmFault(
            Kind.LIMIT, f"{shown}; the account's credit or quota is used up: see the provider's billing page"
        )
    if status in _BUSY:
        return LlmFault(Kind.LINE, shown, retry_after=_retry_after(headers), retriable=True)
    if status >= 500:
        return LlmFault(Kind.SERVER, shown, retry_after=_retry_after(headers), retriable=True)
    if 300 <= status < 400:
        return LlmFault(Kind.LOGIN, f"{shown}: a redirect, which is not followed; correct review.model.base_url")
    if status in (404, 405) and not any(word in lower for word in PARAMETERS):
        remedy = f"correct review.model.base_url (it mostly ends in /v1), or the model {printable_line(model)!r}"
        return LlmFault(Kind.LOGIN, f"{shown}; {remedy}")
    if status == 413 or any(word in lower for word in _TOO_LONG):
        return LlmFault(Kind.ANSWER, f"{shown}: too long for the model; lower review.model.max_input_chars")
    if status in (400, 404, 405, 415, 422, 501):
        return LlmFault(Kind.PARAMETER, shown)
    return LlmFault(Kind.ANSWER, shown)


def fault_in_body(data: Any, *, host: str, model: str) -> LlmFault | None:
    """The fault in an answer that says 200 and holds an error all the same, as routers of several providers send."""
    error = data.get("error") if isinstance(data, dict) else None
    if not error:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code <= 599 else 500
    return fault_of(status, {}, json.dumps({"error": error}).encode(), host=host, model=model)


def _error(body: bytes) -> tuple[str, str]:
    """Code and message of an error body, for people; both may be empty."""
    try:
        data = json.loads(body[:_MAX_BODY])
    except (ValueError, RecursionError):
        return "", ""
    error = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(error, str):
        return "", printable_line(error, 160)
    if not isinstance(error, dict):
        return "", ""
    told = error.get("message") or error.get("detail") or ""
    code = " ".join(str(error[name]) for name in ("code", "type", "param") if isinstance(error.get(name), str))
    return printable_line(code, 80), printable_line(told if isinstance(told, str) else json.dumps(told), 160)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - dt.datetime.now(dt.UTC)).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
