"""The last net under hostile mail: reading stops with a named error when it takes too long.

Belongs here: the limit and its error. Not here: what bounds the work itself (each extractor looks at a bounded number
of characters, lines, labels and links, so that a result does not depend on the machine), and what ends a call into C
that does not return (the process that parses large messages). Of the mail measured the slowest takes 0.012 s; of the
hostile mail 0.6 s.
"""

from __future__ import annotations

import time

MAX_SECONDS = 2.0


class TooMuchWork(RuntimeError):
    """A message took more processor time than any honest one can."""


class Deadline:
    """Counts the processor time of this thread, so that a busy machine or a slow disk does not count."""

    def __init__(self) -> None:
        self._started = time.thread_time()

    def check(self) -> None:
        """Raises ``TooMuchWork`` when the time is over."""
        if time.thread_time() - self._started > MAX_SECONDS:
            raise TooMuchWork(f"took more than {MAX_SECONDS:g} s")
