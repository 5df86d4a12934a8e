"""The formats, explicitly.

Belongs here: the tuple of formats and the files that a choice of them makes. Not here: any one format.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from orders_pipeline.review.export import (
    deepeval,
    inspect_ai,
    langfuse,
    neutral,
    openai_evals,
    promptfoo,
    pydantic_evals,
)
from orders_pipeline.review.export.case import ExportCase

Files = Callable[[Sequence[ExportCase]], dict[str, bytes]]

FORMATS: tuple[tuple[str, Files], ...] = tuple(
    (module.NAME, module.files) for module in (inspect_ai, pydantic_evals, promptfoo, deepeval, openai_evals, langfuse)
)
FORMAT_NAMES = tuple(name for name, _ in FORMATS)


def export_files(cases: Sequence[ExportCase], formats: Sequence[str]) -> dict[str, bytes]:
    """Path -> content of the cases, sorted by id, and of the named formats (KeyError on another name)."""
    cases = sorted(cases, key=lambda c: c.case_id)
    out = neutral.files(cases)
    for name in formats:
        made = dict(FORMATS)[name](cases)
        out |= {f"formats/{name}/{path}": content for path, content in made.items()}
    return out
