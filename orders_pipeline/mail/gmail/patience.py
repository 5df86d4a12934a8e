"""How long Gmail is asked again before the mailbox counts as failed.

Belongs here: waits between tries, and their end. Not here: which faults are worth a try (faults.py).
"""

from __future__ import annotations

import random
from collections.abc import Callable

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.faults import Fault

MAX_WAITS = 8
MAX_SECONDS = 300.0
_LONGEST = 64.0


class Patience:
    """Waits of 1, 2, 4 ... seconds with jitter, or as long as the server says; progress sets them back.

    Without progress there are at most ``MAX_WAITS`` of them and ``MAX_SECONDS`` in all: a run holds its day's lock
    meanwhile, and the sensor asks again later in any case.
    """

    def __init__(self, what: str, sleep: Callable[[float], object]) -> None:
        self._what, self._sleep = what, sleep
        self._waits, self._seconds = 0, 0.0

    def progress(self) -> None:
        """Something came: the next wait is short again."""
        self._waits, self._seconds = 0, 0.0

    def allows(self, fault: Fault) -> bool:
        """Whether there is another wait for this fault."""
        return self._waits < MAX_WAITS and self._seconds + (fault.retry_after or 0.0) <= MAX_SECONDS

    def wait(self, fault: Fault) -> None:
        """Wait once. Raises ``MailboxError`` when patience is at its end."""
        if not self.allows(fault):
            raise self.exhausted(fault)
        # A Retry-After is kept to; the jitter comes on top, or all who were told the same come back at once.
        spread = min(_LONGEST, 2.0**self._waits) * random.uniform(0.5, 1.0)  # noqa: S311 (no secret)
        seconds = spread if fault.retry_after is None else fault.retry_after + min(spread, 1.0)
        self._waits += 1
        self._seconds += seconds
        self._sleep(seconds)

    def exhausted(self, fault: Fault) -> MailboxError:
        """The error when it is over."""
        if fault.retry_after is not None and fault.retry_after > MAX_SECONDS:
            asked = f"asks to wait {fault.retry_after:.0f} s"
            return MailboxError(f"{self._what}: {fault.text} and {asked}; it is tried again later")
        tries = f"after {self._waits + 1} tries" if self._waits else "at the first try"
        return MailboxError(f"{self._what}: {fault.text} {tries}; it is tried again later")
