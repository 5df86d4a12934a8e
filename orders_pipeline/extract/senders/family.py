"""What the sender files share.

Belongs here: telling whether a mail comes from a family of senders, and making readings. Not here: any family's rule.
"""

from __future__ import annotations

from orders_pipeline.extract.brands import brand_of
from orders_pipeline.extract.extractor import Reading, Value
from orders_pipeline.extract.text import evidence_text
from orders_pipeline.extract.view import Body, View

CERTAIN = 0.97  # a sender's own format: more than a label, less than markup
LIKELY = 0.88


def sent_by(view: View, *brands: str) -> bool:
    """Whether the sender's registered domain name is one of ``brands`` (shop.example.co.uk counts as "example")."""
    return brand_of(view.sender_domain) in brands


def reading(
    extractor: str, field: str, value: Value, body: Body, start: int, end: int, *,
    strength: float = CERTAIN, order: str | None = None,
) -> Reading:  # fmt: skip
    """A reading of a span of a body, with the span as its evidence."""
    return Reading(
        field=field, value=value, extractor=extractor, source=body.source, text=evidence_text(body.text[start:end]),
        strength=strength, offset=start, order=order,
    )  # fmt: skip


def sender_reading(extractor: str, field: str, value: Value, view: View, *, strength: float = CERTAIN) -> Reading:
    """A reading that rests on who sent the mail."""
    sender = view.email.sender
    text = evidence_text(f"{sender.name} <{sender.address}>")
    return Reading(field=field, value=value, extractor=extractor, source="header", text=text, strength=strength)
