"""What stands between a client and its server: limits before a call, a record after it.

Belongs here: that protocol and the record of one call. Not here: how calls are counted across processes (store/).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request to the server. ``cost`` is None without prices; tokens that the server did not tell are estimated.

    ``fault`` is "" when there was an answer, else the kind of the fault, and ``error`` the line for people.
    """

    call_id: str
    purpose: str
    subject: str
    model: str
    started_at: dt.datetime
    seconds: float
    input_tokens: int
    output_tokens: int
    estimated: bool
    cost: Decimal | None
    fault: str = ""
    error: str = ""


class Gate(Protocol):
    """Lets calls through within the limits and writes down what became of them; used by several threads at once."""

    def enter(self, cost: Decimal | None) -> tuple[str, dt.datetime]:
        """Wait for the turn of a call that may cost ``cost``; returns its id and when it begins.

        Raises ``LlmFault`` of kind LIMIT when today has no room for it.
        """
        ...

    def leave(self, call: Call) -> None:
        """Save what became of a call that entered."""
        ...
