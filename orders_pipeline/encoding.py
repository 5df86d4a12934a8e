"""Records to plain data and back, and the digests made from them.

Belongs here: the one JSON form of a parse (the command line prints it, the store keeps it, cases show it) and the
canonical digests, and the one form in which untrusted text reaches people. Not here: Arrow or DataFrame schemas.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from orders_pipeline.models import Evidence, Item, OrderStatus, Outcome, ParsedOrder, ParseResult, Reason

_MONEY = ("total", "subtotal", "shipping", "tax", "discount")


def canonical_json(value: object) -> str:
    """JSON with sorted keys and no spaces: equal data gives equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def digest_of(parts: Iterable[str]) -> str:
    """SHA-256 (hex) over the parts in the order given, length-prefixed so that no two lists collide."""
    sha = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        sha.update(len(data).to_bytes(8, "big"))
        sha.update(data)
    return sha.hexdigest()


def printable_line(text: str, limit: int = 80) -> str:
    """Untrusted text for people: one line of at most ``limit`` characters, without control or invisible ones."""
    # Cut before the work too: the text may be a whole mail.
    kept = "".join(c if c.isprintable() else " " for c in text[: 4 * limit])
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def money_text(amount: Decimal, currency: str | None) -> str:
    """An amount for people: "12.50 EUR". Decimals beyond the second are shown only when they are not zero."""
    whole, point, decimals = f"{amount:f}".partition(".")
    text = f"{whole}.{decimals[:2]}{decimals[2:].rstrip('0')}" if point else whole
    return f"{text} {currency or ''}".rstrip()


def order_to_dict(order: ParsedOrder) -> dict[str, Any]:
    """A parsed order as JSON-ready data; money and quantities are decimal strings, dates ISO 8601."""
    return {
        "merchant": order.merchant,
        "order_number": order.order_number,
        "tracking_numbers": list(order.tracking_numbers),
        "carrier": order.carrier,
        "status": order.status.value if order.status else None,
        **{
            name: _text(getattr(order, name))
            for name in ("total", "currency", "subtotal", "shipping", "tax", "discount")
        },
        "expected_delivery": order.expected_delivery.isoformat() if order.expected_delivery else None,
        "items": [{"name": i.name, "quantity": _text(i.quantity), "price": _text(i.price)} for i in order.items],
        "evidence": [
            {
                "field": e.field,
                "value": e.value,
                "extractor": e.extractor,
                "source": e.source,
                "text": e.text,
                "chosen": e.chosen,
            }
            for e in order.evidence
        ],
    }


def order_from_dict(data: Mapping[str, Any]) -> ParsedOrder:
    """The inverse of ``order_to_dict``. Raises KeyError, ValueError or ArithmeticError on data of another shape."""
    money = {name: _decimal(data[name]) for name in _MONEY}
    return ParsedOrder(
        merchant=data["merchant"],
        order_number=data["order_number"],
        tracking_numbers=tuple(data["tracking_numbers"]),
        carrier=data["carrier"],
        status=OrderStatus(data["status"]) if data["status"] else None,
        currency=data["currency"],
        expected_delivery=dt.date.fromisoformat(data["expected_delivery"]) if data["expected_delivery"] else None,
        items=tuple(
            Item(name=i["name"], quantity=_decimal(i["quantity"]), price=_decimal(i["price"])) for i in data["items"]
        ),
        evidence=tuple(Evidence(**e) for e in data["evidence"]),
        **money,
    )


def result_to_dict(result: ParseResult) -> dict[str, Any]:
    """A parse result as JSON-ready data."""
    return {
        "outcome": result.outcome.value,
        "reason": result.reason,
        "orders": [order_to_dict(o) for o in result.orders],
        "language": result.language,
        "order_words": list(result.order_words),
    }


def result_from_dict(message_id: str, data: Mapping[str, Any]) -> ParseResult:
    """The inverse of ``result_to_dict``."""
    return ParseResult(
        message_id=message_id,
        outcome=Outcome(data["outcome"]),
        reason=data["reason"],
        orders=tuple(order_from_dict(o) for o in data["orders"]),
        language=data["language"],
        order_words=tuple(data["order_words"]),
    )


def parse_digest(result: ParseResult) -> str:
    """The identity of a parse: equal results have equal digests, whatever parser version made them."""
    return digest_of([result.message_id, canonical_json(result_to_dict(result))])


def reasons_to_json(reasons: Iterable[Reason]) -> str:
    """Reasons as a JSON array of {code, detail, strength}."""
    return canonical_json([{"code": r.code, "detail": r.detail, "strength": r.strength} for r in reasons])


def reasons_from_json(text: str) -> tuple[Reason, ...]:
    """The inverse of ``reasons_to_json``."""
    return tuple(Reason(**item) for item in json.loads(text))


def _text(value: Decimal | str | None) -> str | None:
    if isinstance(value, Decimal):
        return format(value, "f")
    return value


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
