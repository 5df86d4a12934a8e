"""A parse as the page shows it: each field, where it was read, and what else was read for it.

Belongs here: choosing and ordering for people. Pure. Not here: marks in the mail (highlight.py), looks (templates).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orders_pipeline.encoding import printable_line
from orders_pipeline.page.highlight import Sought
from orders_pipeline.review.expected import MONEY

_FIELDS = (
    "merchant", "order_number", "status", "total", "subtotal", "shipping", "tax", "discount", "expected_delivery",
    "carrier", "tracking_numbers",
)  # fmt: skip
_ALWAYS = frozenset({"merchant", "order_number", "status", "total"})
_EVIDENCE_NAME = {"tracking_numbers": "tracking_number"}
_MANY_NAMES = frozenset({"merchant", "carrier"})  # a display name, a brand and a company name are all right
_OTHERS = 3  # other readings of a field that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldShown:
    """A field's name and value for people; the text it was read from, where, and the mark in the mail that shows it."""

    name: str
    value: str
    text: str = ""
    source: str = ""
    anchor: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderShown:
    """An order's fields and items; an item is (name, quantity, price)."""

    fields: tuple[FieldShown, ...]
    items: tuple[tuple[str, str, str], ...]


def orders_shown(result: Mapping[str, Any], sought: Sequence[Sought]) -> tuple[OrderShown, ...]:
    """The orders of a result (``encoding.result_to_dict``). Fields that are not there are left out, but for the four
    that every confirmation has: their absence is what a person looks for."""
    anchors = {one.text: one.anchor for one in sought}
    return tuple(_order(order, anchors) for order in result.get("orders") or ())


def _order(order: Mapping[str, Any], anchors: Mapping[str, str]) -> OrderShown:
    currency = order.get("currency") or ""
    fields = []
    for name in _FIELDS:
        value = order.get(name)
        if not value and name not in _ALWAYS:
            continue
        text = ", ".join(value) if isinstance(value, list) else str(value or "")
        shown = text.replace("_", " ") if name == "status" else text
        if name in MONEY and text:
            shown = f"{text} {currency}".strip()
        fields.append(_field(name, text, shown, order, anchors))
    items = tuple(
        (printable_line(i["name"] or "", 200), i["quantity"] or "", i["price"] or "") for i in order.get("items") or ()
    )
    return OrderShown(fields=tuple(fields), items=items)


def _field(name: str, value: str, shown: str, order: Mapping[str, Any], anchors: Mapping[str, str]) -> FieldShown:
    wanted = (name, _EVIDENCE_NAME.get(name, name))
    evidence = [one for one in order.get("evidence") or () if one["field"] in wanted]
    chosen = next((one for one in evidence if one["chosen"]), None)
    others = dict.fromkeys(
        f"{one['value']} ({one['source']}: {printable_line(one['text'], 70)})"
        for one in evidence
        if not one["chosen"] and one["value"] and one["value"] != value and name not in _MANY_NAMES
    )
    text = " ".join(str(chosen["text"]).split()) if chosen else ""
    return FieldShown(
        name=name.replace("_", " "),
        value=printable_line(shown, 300),
        text=printable_line(text, 200),
        source=chosen["source"] if chosen else "",
        anchor=anchors.get(text, "") if chosen and chosen["source"] != "subject" else "",
        others=tuple(list(others)[:_OTHERS]),
    )
