"""One message from bytes to table rows.

Belongs here: the one place where a message's parse becomes rows, whatever goes wrong in it. Results and arguments can
be pickled, so that another process can do this (parser_process).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from orders_pipeline.config import Config, OwnerSettings, ParseSettings
from orders_pipeline.encoding import canonical_json, digest_of, order_to_dict, parse_digest, result_to_dict
from orders_pipeline.extract.deadline import TooMuchWork
from orders_pipeline.extract.parser import PARSER_VERSION, parse_message
from orders_pipeline.mail.identity import canonical_digest, template_digest
from orders_pipeline.mail.left_out import left_out_note
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Email, Outcome, ParsedOrder, ParseResult

_MONEY = ("total", "subtotal", "shipping", "tax", "discount")
_MONEY_LIMIT = Decimal(10) ** 14  # DECIMAL(18, 4)
_CENTS = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class RawMessage:
    """One message as the archive holds it; ``received_at`` is None where nobody says when it arrived."""

    message_id: str
    raw: bytes
    received_at: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class ParseContext:
    """What a parse depends on beside the message: settings, the zone of days, whose mail it is."""

    settings: ParseSettings = field(default_factory=ParseSettings)
    zone: str = "UTC"
    owner: OwnerSettings = field(default_factory=OwnerSettings)

    @classmethod
    def of(cls, config: Config) -> ParseContext:
        """That of a configuration."""
        return cls(config.parse, config.zone, config.owner)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedMessage:
    """The rows of one message, without their day."""

    outcome_row: Mapping[str, Any]
    order_rows: tuple[Mapping[str, Any], ...]


def parse_bytes(message: RawMessage, context: ParseContext) -> ParsedMessage:
    """Parse one message. Never raises for what is in it: an exception is the outcome ``failed`` with its reason."""
    received_at = message.received_at
    email = Email(message_id=message.message_id, received_at=received_at)
    try:
        email = parse_email(message.raw, message_id=message.message_id, received_at=received_at)
        result = parse_message(email, context.settings, zone=context.zone, owner=context.owner)
        if result.outcome is Outcome.NOT_ORDER and (note := left_out_note(message.raw)):
            return failed(email, received_at, note)  # what was not read is no verdict
        return rows_of(email, result, received_at)
    except TooMuchWork as error:
        return failed(email, received_at, str(error))
    except MemoryError:
        return failed(email, received_at, "MemoryError: took more memory than there is")
    except Exception as error:  # the parser's fault is this message's outcome, never the day's
        return failed(email, received_at, f"{type(error).__name__}: {error}")


def rows_of(email: Email, result: ParseResult, received_at: dt.datetime | None) -> ParsedMessage:
    """The rows of a result. Raises ``ValueError`` on an amount that no table takes."""
    return _rows(email, replace(result, orders=tuple(_storable(o) for o in result.orders)), received_at)


def failed(email: Email, received_at: dt.datetime | None, reason: str) -> ParsedMessage:
    """The rows of a message whose parse failed."""
    bare = Email(message_id=email.message_id, subject=email.subject, sender=email.sender, sent_at=email.sent_at)
    result = ParseResult(message_id=email.message_id, outcome=Outcome.FAILED, reason=plain(reason, 300))
    return _rows(bare, result, received_at)


def failed_message(message: RawMessage, reason: str) -> ParsedMessage:
    """The rows of a message of which nothing was read."""
    bare = Email(message_id=message.message_id, received_at=message.received_at)
    return failed(bare, message.received_at, reason)


def plain(text: str, limit: int) -> str:
    """Text fit for a table and a terminal: no control characters, no lone surrogates, of bounded length."""
    clean = "".join(c if c.isprintable() else " " for c in text[: limit * 2])
    return " ".join(clean.encode("utf-8", "replace").decode("utf-8").split())[:limit]


def _rows(email: Email, result: ParseResult, received_at: dt.datetime | None) -> ParsedMessage:
    try:
        canonical, template = canonical_digest(email), template_digest(email)
    except Exception:  # odd content must not cost the outcome that we have
        canonical = template = digest_of([email.message_id])
    outcome_row = {
        "message_id": email.message_id,
        "outcome": result.outcome.value,
        "reason": plain(result.reason, 300),
        "received_at": received_at,
        "sent_at": email.sent_at,
        "sender": plain(email.sender.address, 320),
        "sender_domain": plain(email.sender.domain, 253),
        "subject": plain(email.subject, 500),
        "language": result.language,
        "orders": len(result.orders),
        "order_words": canonical_json([plain(w, 80) for w in result.order_words]),
        "defects": canonical_json([plain(d, 120) for d in email.defects[:50]]),
        "result": _text(canonical_json(result_to_dict(result))),
        "canonical_digest": canonical,
        "template_digest": template,
        "parse_digest": parse_digest(result),
        "parser_version": PARSER_VERSION,
    }
    rows = tuple(_order_row(email.message_id, n, o, received_at) for n, o in enumerate(result.orders))
    return ParsedMessage(outcome_row=outcome_row, order_rows=rows)


def _order_row(message_id: str, position: int, order: ParsedOrder, received_at: dt.datetime | None) -> dict[str, Any]:
    data = order_to_dict(order)
    return {
        "message_id": message_id,
        "position": position,
        "received_at": received_at,
        "merchant": order.merchant,
        "order_number": order.order_number,
        "tracking_numbers": list(order.tracking_numbers),
        "carrier": order.carrier,
        "status": data["status"],
        **{name: getattr(order, name) for name in _MONEY},
        "currency": order.currency,
        "expected_delivery": order.expected_delivery,
        "items": _text(canonical_json(data["items"])),
        "evidence": _text(canonical_json(data["evidence"])),
    }


def _storable(order: ParsedOrder) -> ParsedOrder:
    """The order with text and money that a table can keep. Raises ``ValueError`` on an amount that has no place."""
    changes: dict[str, Any] = {}
    for name in _MONEY:
        amount = getattr(order, name)
        if amount is not None:
            if not amount.is_finite() or abs(amount) >= _MONEY_LIMIT:
                raise ValueError(f"{name} {amount:.3E} is no amount of money")
            changes[name] = amount.quantize(_CENTS) if amount.as_tuple().exponent < -4 else amount
    for name, limit in (("merchant", 80), ("order_number", 60), ("carrier", 80), ("currency", 3)):
        value = getattr(order, name)
        changes[name] = (plain(value, limit) or None) if value else None
    changes["tracking_numbers"] = tuple(plain(t, 60) for t in order.tracking_numbers)
    return replace(order, **changes)


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
