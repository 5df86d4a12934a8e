"""Short ways to write a reviewable outcome for the tests of this folder."""

from __future__ import annotations

import datetime as dt
import hashlib
from decimal import Decimal
from typing import Any

from orders_pipeline.encoding import parse_digest
from orders_pipeline.models import Evidence, Item, OrderStatus, Outcome, ParsedOrder, ParseResult, Reviewable, Verdict
from orders_pipeline.review.rules import RuleJudge

DAY = dt.date(2026, 5, 11)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def order(**changes: Any) -> ParsedOrder:
    """A confirmed order in which everything is right."""
    values: dict[str, Any] = {
        "merchant": "Lantern & Loom",
        "order_number": "LL-20417",
        "status": OrderStatus.CONFIRMED,
        "total": Decimal("27.40"),
        "currency": "EUR",
        "subtotal": Decimal("24.50"),
        "shipping": Decimal("2.90"),
        "expected_delivery": dt.date(2026, 5, 14),
        "items": (
            Item(name="Wool blanket pin", quantity=Decimal(2), price=Decimal("7.25")),
            Item(name="Lamp wick", quantity=None, price=Decimal("10.00")),
        ),
    }
    return ParsedOrder(**{**values, **changes})


def outcome(
    *orders: ParsedOrder,
    message: str = "m1",
    kind: Outcome = Outcome.PARSED,
    reason: str = "labels",
    words: tuple[str, ...] = (),
    canonical: str | None = None,
    template: str = "t",
    day: dt.date = DAY,
    sent_at: dt.datetime | None = None,
    sender: str = "lantern-loom.example",
) -> Reviewable:
    result = ParseResult(message_id=sha(message), outcome=kind, reason=reason, orders=orders, order_words=words)
    return Reviewable(
        day=day,
        message_id=sha(message),
        parse_digest=parse_digest(result),
        canonical_digest=sha(canonical or message),
        template_digest=sha(template),
        sender_domain=sender,
        received_at=dt.datetime(day.year, day.month, day.day, 9, 30, tzinfo=dt.UTC),
        sent_at=sent_at,
        result=result,
    )


def said(field: str, value: str, source: str, *, chosen: bool = False, text: str = "") -> Evidence:
    return Evidence(field=field, value=value, extractor="labels", source=source, text=text or value, chosen=chosen)


def verdict_on(item: Reviewable) -> Verdict:
    (result,) = RuleJudge().judge([item])
    assert isinstance(result, Verdict)
    return result


def codes(item: Reviewable) -> list[str]:
    return [reason.code for reason in verdict_on(item).reasons]
