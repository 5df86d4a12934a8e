"""A person's decision on a case.

Belongs here: the snapshot of what was decided on, so that a better parser does not erase an accepted case.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.models import Decision
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts
from orders_pipeline.store.frames import rows


class UnknownCase(OrdersPipelineError):
    """No case has this id, or more than one does."""


def decide(
    work: Work, case_id: str, decision: Decision, *, expected: Mapping[str, Any] | None = None, note: str = ""
) -> str:
    """Record a decision and return the full case id. ``case_id`` may be shortened while it stays unique.

    ``expected`` is the right result; for an accepted case it is what the parser produced. Raises ``UnknownCase``.
    """
    with work.store.state.reading() as con:
        found = rows(
            con,
            "SELECT case_id, day, message_id, sender_domain, outcome, reasons, produced, expected FROM eval_cases"
            " WHERE starts_with(case_id, ?) ORDER BY case_id LIMIT 2",
            [case_id.lower()],
        )
    if not found or not case_id:
        raise UnknownCase(f"no case {case_id!r}: `orders-pipeline cases list` shows their ids")
    if len(found) > 1:
        raise UnknownCase(f"{case_id!r} fits more than one case: give more of the id")
    case = found[0]
    right = expected if expected is not None else json.loads(case["produced"])
    snapshot = {
        "day": str(case["day"]),
        "message_id": case["message_id"],
        "sender_domain": case["sender_domain"],
        "outcome": case["outcome"],
        "reasons": json.loads(case["reasons"]),
        "produced": json.loads(case["produced"]),
        "expected": None if decision is Decision.REJECTED else right,
    }
    payload = {"decision": decision.value, "snapshot": snapshot, "note": note}
    acts.save(work.store, acts.DECISION, case["case_id"], payload, now=work.now())
    work.publish()
    return case["case_id"]
