"""How long a listing may serve again within a run.

Belongs here: that one rule. A look through 200,000 files takes 1 s, a look at a server as long as its answers, and each
day of a backfill asks for one. The listing says how old it is, and the ledger keeps that.
"""

from __future__ import annotations

_FROM_SECONDS = 0.1  # a mailbox that is looked through in less is looked through each time
_TIMES = 100.0  # looking takes a hundredth of the time at most
_UP_TO_SECONDS = 60.0


def may_serve(took: float, age: float) -> bool:
    """Whether a listing that took so many seconds may be given once more ``age`` seconds after its beginning."""
    return took >= _FROM_SECONDS and age < min(took * _TIMES, _UP_TO_SECONDS)
