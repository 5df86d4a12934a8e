"""What a server understands, found out by asking: the form of structured output, and the names of parameters.

Belongs here: the request body in the richest form that was not refused so far. Remembered for the life of the client
(one run), and shared by its threads. Not here: sending.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from orders_pipeline.llm.faults import PARAMETERS
from orders_pipeline.model_settings import ModelSettings

_NAMES = (*PARAMETERS, "schema")
FORMS = ("json_schema", "json_object", "plain")


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way to ask. ``limit`` is the name of the parameter that bounds the answer."""

    form: str = FORMS[0]
    limit: str = "max_tokens"
    temperature: bool = True

    def body(
        self, settings: ModelSettings, messages: Sequence[Mapping[str, str]], name: str, schema: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The request."""
        out: dict[str, Any] = {
            "model": settings.model,
            "messages": list(messages),
            self.limit: settings.max_output_tokens,
            "stream": False,
        }
        if self.temperature:
            out["temperature"] = settings.temperature
        if self.form == "json_schema":
            spec = {"name": name, "strict": True, "schema": schema}
            out["response_format"] = {"type": "json_schema", "json_schema": spec}
        elif self.form == "json_object":
            out["response_format"] = {"type": "json_object"}
        return out

    def without(self, told: str) -> Dialect | None:
        """The next way to ask when the server refused this one and said ``told``; None when there is none left."""
        lower = told.lower()
        if self.limit == "max_tokens" and "max_tokens" in lower:
            return replace(self, limit="max_completion_tokens")
        if self.temperature and "temperature" in lower:
            return replace(self, temperature=False)
        later = FORMS[FORMS.index(self.form) + 1 :]
        return replace(self, form=later[0]) if later else None


class Dialects:
    """The dialect in use. Two threads that are refused the same one give up one step, not two."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = Dialect()
        self._understood = False

    @property
    def now(self) -> Dialect:
        """The dialect to ask in."""
        return self._now

    def understood(self, used: Dialect) -> None:
        """The server answered in this dialect."""
        with self._lock:
            self._understood |= self._now == used

    def refused(self, used: Dialect, told: str) -> bool:
        """Give up what was refused; whether there is another way to ask.

        A dialect that was understood before is given up only when the refusal names a parameter: else one mail that a
        provider refuses would cost all others their form.
        """
        with self._lock:
            if self._now != used:
                return True
            if self._understood and not any(name in told.lower() for name in _NAMES):
                return False
            following = used.without(told)
            if following is None:
                return False
            self._now, self._understood = following, False
            return True
