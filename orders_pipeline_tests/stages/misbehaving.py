"""A parser that does what a message's id says, for real: it hangs, dies, eats memory, waits.

Belongs here: that function alone, in a module that costs the processes which import it little.
"""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, parse_bytes


def misbehaves(message: RawMessage, context: ParseContext) -> ParsedMessage:
    """The id is a word, a blank and whatever tells it from others of its kind; any other word is parsed."""
    word, _, rest = message.message_id.partition(" ")
    if word == "number":
        assert 7 ** (10**9)  # one call into C, deaf to signal handlers, for minutes
    if word == "hangs":
        signal.setitimer(signal.ITIMER_PROF, 0.2)  # "number" shows the limit itself; this one is to be quick
        assert 7 ** (10**9)
    if word == "pattern":
        re.match("(a+)+$", "a" * 60 + "b")
    if word == "dies":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "memory":
        subject = "x" * 10**9
        assert subject
    if word == "waits":  # without a step of work, until there is a file of that name
        while not Path(rest).exists():
            time.sleep(0.01)
    if word == "once" and not Path(rest).exists():
        Path(rest).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return parse_bytes(message, context)
