"""Langfuse: one data set item a line, with the names of its API.

An item's id makes sending it again an update: the same case is never there twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from orders_pipeline.review.export.case import DATASET, ExportCase, json_lines

NAME = "langfuse"


def files(cases: Sequence[ExportCase]) -> dict[str, bytes]:
    """Each line holds the arguments of ``POST /api/public/dataset-items``."""
    rows = (
        {
            "datasetName": DATASET,
            "id": c.case_id,
            "input": {"email": c.text},
            "expectedOutput": c.expected,
            "metadata": c.metadata,
            "status": "ACTIVE",
        }
        for c in cases
    )
    return {"items.jsonl": json_lines(rows)}
