"""Rows of the tables as the records that judges see, and back.

Belongs here: that translation alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from orders_pipeline.encoding import reasons_from_json, reasons_to_json, result_from_dict
from orders_pipeline.models import EvalCase, Reviewable, Verdict


def reviewables(outcomes: Iterable[Mapping[str, Any]]) -> list[Reviewable]:
    """Rows of parse_outcomes as a judge sees them."""
    return [_reviewable(row) for row in outcomes]


def verdicts_of(rows: Iterable[Mapping[str, Any]]) -> list[Verdict]:
    """Rows of verdicts as records."""
    return [
        Verdict(
            message_id=row["message_id"],
            parse_digest=row["parse_digest"],
            judge=row["judge"],
            judge_version=row["judge_version"],
            reasons=reasons_from_json(row["reasons"]),
            confidence=row["confidence"],
        )
        for row in rows
    ]


def case_row(case: EvalCase) -> dict[str, Any]:
    """A case as a row of proposed_eval_cases."""
    return {
        "day": case.day,
        "case_id": case.case_id,
        "message_id": case.message_id,
        "canonical_digest": case.canonical_digest,
        "template_digest": case.template_digest,
        "sender_domain": case.sender_domain,
        "outcome": case.outcome.value,
        "reasons": reasons_to_json(case.reasons),
        "strength": max((r.strength for r in case.reasons), default=0.0),
        "produced": case.produced,
        "judge": case.judge,
        "duplicates": list(case.duplicates),
    }


def _reviewable(row: Mapping[str, Any]) -> Reviewable:
    return Reviewable(
        day=row["day"],
        message_id=row["message_id"],
        parse_digest=row["parse_digest"],
        canonical_digest=row["canonical_digest"],
        template_digest=row["template_digest"],
        sender_domain=row["sender_domain"],
        received_at=row["received_at"],
        sent_at=row["sent_at"],
        result=result_from_dict(row["message_id"], json.loads(row["result"])),
    )
