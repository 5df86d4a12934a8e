"""Inspect (inspect-ai): JSON Lines of id, input, target, metadata.

A target that is an object would become its Python repr, so it is a JSON string. An empty input is refused there; a mail
is never empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from orders_pipeline.review.export.case import ExportCase, json_lines, json_text

NAME = "inspect"


def files(cases: Sequence[ExportCase]) -> dict[str, bytes]:
    """``json_dataset("formats/inspect/cases.jsonl")`` reads it."""
    rows = ({"id": c.case_id, "input": c.text, "target": json_text(c.expected), "metadata": c.metadata} for c in cases)
    return {"cases.jsonl": json_lines(rows)}
