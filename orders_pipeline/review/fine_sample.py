"""A random sample of what the judges found fine, so that what they miss becomes visible too.

Belongs here: who is in the sample. Not here: how much of it a person is shown (queue.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from orders_pipeline.models import Reason
from orders_pipeline.review.outcome_row import OutcomeRow
from orders_pipeline.review.reasons import reason

CODE = "sample_of_fine"
_SCALE = 1 << 64


def in_sample(canonical_digest: str, share: float, seed: int) -> bool:
    """Whether an input is in the sample: decided by the seed and what the mail says alone, so for ever.

    With a greater share the sample only grows.
    """
    sha = hashlib.sha256(f"{seed}/{canonical_digest}".encode())
    return int.from_bytes(sha.digest()[:8], "big") < share * _SCALE


def sampled_fine(rows: Iterable[OutcomeRow], share: float, seed: int) -> Iterator[tuple[OutcomeRow, Reason]]:
    """The mails with a fine verdict that are in the sample; none when ``share`` is 0."""
    if share <= 0:
        return
    for row in rows:
        if row.fine and in_sample(row.canonical_digest, share, seed):
            said = f"found fine, and in the random sample of {100 * share:g} % that a person looks at all the same"
            yield row, reason(CODE, said)
