"""A reading that rests on a label.

Belongs here: how sure such a reading is, and its evidence. Not here: finding labels or values.
"""

from __future__ import annotations

from orders_pipeline.extract.extractor import Reading, Value
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.text import evidence_text
from orders_pipeline.extract.view import Body

SURE = 0.95  # the most that a label can be worth: markup wins over it


def label_reading(field: str, value: Value | None, label: Label, body: Body, end: int, *, less: float = 0.0) -> Reading:
    """A reading as strong as its label's tier, ``less`` what makes it doubtful; the evidence reaches up to ``end``."""
    return Reading(
        field=field,
        value=value,
        extractor="labels",
        source=body.source,
        text=evidence_text(body.text[label.start : max(end, label.end)]),
        strength=round(label.tier / 10 * SURE - less, 3),
        offset=label.start,
    )
