"""OpenAI evals: JSON Lines of chat input and an ideal answer, for JsonMatch.

There lists are compared by position, and null never equals null: nothing expected here is null.
"""

from __future__ import annotations

from collections.abc import Sequence

from orders_pipeline.review.export.case import TASK, ExportCase, json_lines, json_text

NAME = "openai-evals"


def files(cases: Sequence[ExportCase]) -> dict[str, bytes]:
    """The ``samples_jsonl`` of an eval of the class ``evals.elsuite.basic.json_match:JsonMatch``."""
    rows = (
        {
            "input": [{"role": "system", "content": TASK}, {"role": "user", "content": c.text}],
            "ideal": json_text(c.expected),
        }
        for c in cases
    )
    return {"samples.jsonl": json_lines(rows)}
