"""DeepEval: a JSON array of goldens with snake_case keys."""

from __future__ import annotations

from collections.abc import Sequence

from orders_pipeline.review.export.case import ExportCase, json_text

NAME = "deepeval"


def files(cases: Sequence[ExportCase]) -> dict[str, bytes]:
    """``EvaluationDataset().add_goldens_from_json_file("formats/deepeval/goldens.json")`` reads it."""
    rows = [
        {
            "input": c.text,
            "expected_output": json_text(c.expected),
            "name": c.case_id,
            "source_file": f"mails/{c.case_id}.eml",
            "comments": ", ".join(c.codes) or None,
            "additional_metadata": c.metadata,
        }
        for c in cases
    ]
    return {"goldens.json": f"{json_text(rows, indent=1)}\n".encode("ascii")}
