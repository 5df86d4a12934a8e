"""Which outcomes a judge sees.

Belongs here: that one decision, shared by the stage (what is owed), the checks (what is missing) and the judges.
Not here: judging.
"""

from __future__ import annotations

from orders_pipeline.models import Outcome, ParseResult


def needs_review(result: ParseResult) -> bool:
    """True for what was parsed or failed, and for a ``not_order`` that looks like an order all the same."""
    if result.outcome is Outcome.NOT_ORDER:
        return bool(result.order_words)
    return result.outcome in (Outcome.PARSED, Outcome.FAILED)
