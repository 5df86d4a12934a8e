"""The right result of a mail as a person states it: checked, and brought into the one form of a parse.

Belongs here: which fields there are and what each may hold. Not here: forms, files and options (page/, cli/), and
saving a decision (stages/decide.py).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from babel.numbers import list_currencies

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.models import OrderStatus, Outcome

TEXTS = {"merchant": 80, "order_number": 60, "carrier": 80}  # name -> longest, in characters
MONEY = ("total", "subtotal", "shipping", "tax", "discount")
FIELDS = (
    "merchant", "order_number", "status", "total", "currency", "subtotal", "shipping", "tax", "discount",
    "expected_delivery", "carrier", "tracking_numbers", "items",
)  # fmt: skip
# What a mail can say; that an order must have arrived by now is concluded, not read.
STATUSES = tuple(status.value for status in OrderStatus if status is not OrderStatus.ASSUMED_DELIVERED)
OUTCOMES = (Outcome.PARSED.value, Outcome.NOT_ORDER.value)
REASON = "stated by a person"
MAX_ORDERS, MAX_ITEMS, MAX_TRACKING = 50, 200, 50

_AMOUNT = re.compile(r"-?\d{1,13}(?:\.\d{1,4})?")
_COMMA_AMOUNT = re.compile(r"-?\d{1,13},\d{1,2}")
_KEYS = frozenset({"outcome", "reason", "orders", "language", "order_words"})
_ORDER_KEYS = frozenset({*FIELDS, "evidence"})
_ITEM_KEYS = frozenset({"name", "quantity", "price"})


class BadExpected(OrdersPipelineError):
    """A stated result that cannot be. ``faults`` maps a place (``orders.0.total``) to what is wrong with it."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{place}: {fault}" if place else fault for place, fault in faults.items()))
        self.faults = dict(faults)


def complete(stated: object, produced: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The stated result in the form of ``encoding.result_to_dict``, every field there; raises ``BadExpected``.

    ``stated`` is a mapping with ``orders`` (each a mapping of some of ``FIELDS``) and ``outcome`` (parsed or not_order;
    by default parsed when there are orders). Money is decimal text ("31.00"), dates are ISO 8601. Language and order
    words are those of ``produced``: they are no matter of opinion.
    """
    faults: dict[str, str] = {}
    if not isinstance(stated, Mapping):
        raise BadExpected({"": 'write an object such as {"orders": [{"total": "31.00", "currency": "EUR"}]}'})
    _known(stated, _KEYS, "", faults)
    listed = stated.get("orders", [])
    if not isinstance(listed, Sequence) or isinstance(listed, str) or len(listed) > MAX_ORDERS:
        raise BadExpected({"orders": f"give a list of at most {MAX_ORDERS} orders"})
    outcome = stated.get("outcome") or (Outcome.PARSED.value if listed else Outcome.NOT_ORDER.value)
    if outcome not in OUTCOMES:
        faults["outcome"] = f"use {' or '.join(OUTCOMES)}"
    if outcome == Outcome.NOT_ORDER and listed:
        faults["outcome"] = "a mail that is no order has no orders: remove them, or say parsed"
    if outcome == Outcome.PARSED and not listed:
        faults["orders"] = "give at least one order, or say not_order"
    orders = [_order(order, f"orders.{n}", faults) for n, order in enumerate(listed)]
    if faults:
        raise BadExpected(faults)
    known = produced or {}
    return {
        "outcome": outcome,
        "reason": REASON,
        "orders": orders,
        "language": known.get("language"),
        "order_words": list(known.get("order_words") or []),
    }


def _order(stated: object, place: str, faults: dict[str, str]) -> dict[str, Any]:
    if not isinstance(stated, Mapping):
        faults[place] = "an order is an object of fields"
        return {}
    _known(stated, _ORDER_KEYS, place, faults)
    readers: dict[str, Callable[[object], Any]] = {
        **{name: _text_up_to(limit) for name, limit in TEXTS.items()},
        **dict.fromkeys(MONEY, _amount),
        "status": _status,
        "currency": _currency,
        "expected_delivery": _day,
        "tracking_numbers": _tracking_numbers,
    }
    order = {name: _read(read, stated.get(name), f"{place}.{name}", faults) for name, read in readers.items()}
    items = stated.get("items") or []
    if not isinstance(items, Sequence) or isinstance(items, str) or len(items) > MAX_ITEMS:
        faults[f"{place}.items"], items = f"give a list of at most {MAX_ITEMS} items", []
    order["items"] = [_item(item, f"{place}.items.{n}", faults) for n, item in enumerate(items)]
    order["evidence"] = []
    if not any(order.values()) and not any(key.startswith(place) for key in faults):
        faults[place] = "fill in at least one field"
    return order


def _item(stated: object, place: str, faults: dict[str, str]) -> dict[str, Any]:
    if not isinstance(stated, Mapping):
        faults[place] = "an item is an object with name, quantity and price"
        return {}
    _known(stated, _ITEM_KEYS, place, faults)
    item = {
        "name": _read(_text_up_to(200), stated.get("name"), f"{place}.name", faults),
        "quantity": _read(_amount, stated.get("quantity"), f"{place}.quantity", faults),
        "price": _read(_amount, stated.get("price"), f"{place}.price", faults),
    }
    if not item["name"]:
        faults.setdefault(f"{place}.name", "an item needs a name")
    return item


def _known(stated: Mapping[str, Any], keys: frozenset[str], place: str, faults: dict[str, str]) -> None:
    for key in stated.keys() - keys:
        name = printable_line(str(key), 40)
        faults[f"{place}.{name}".lstrip(".")] = f"no such field; use {', '.join(sorted(keys - {'evidence'}))}"


def _read(read: Callable[[object], Any], value: object, place: str, faults: dict[str, str]) -> Any:
    if value is None or value == "":
        return [] if read is _tracking_numbers else None
    try:
        return read(value)
    except ValueError as error:
        faults[place] = str(error)
        return None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("write text, in quotes")
    return printable_line(value, 1000)


def _text_up_to(limit: int) -> Callable[[object], str | None]:
    def read(value: object) -> str | None:
        text = _text(value)
        if len(text) > limit:
            raise ValueError(f"at most {limit} characters")
        return text or None

    return read


def _amount(value: object) -> str:
    if isinstance(value, float):
        raise ValueError(f'write it in quotes, as "{value}": a binary fraction is no amount of money')
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else "".join(_text(value).split())
    if _COMMA_AMOUNT.fullmatch(text):
        text = text.replace(",", ".")
    if not _AMOUNT.fullmatch(text):
        raise ValueError("write a number such as 1249.90, without currency or thousands separator")
    return text


def _status(value: object) -> str:
    text = _text(value).lower()
    if text not in STATUSES:
        raise ValueError(f"use one of {', '.join(STATUSES)}")
    return text


def _currency(value: object) -> str:
    text = _text(value).upper()
    if not re.fullmatch(r"[A-Z]{3}", text) or text not in list_currencies():
        raise ValueError("write a currency code such as EUR")
    return text


def _day(value: object) -> str:
    try:
        return dt.date.fromisoformat(_text(value)).isoformat()
    except ValueError:
        raise ValueError("write a day such as 2026-05-11") from None


def _tracking_numbers(value: object) -> list[str]:
    """A list, or text with the numbers parted by commas, semicolons or lines."""
    parts = re.split(r"[,;\n]", value) if isinstance(value, str) else value
    if not isinstance(parts, Sequence) or len(parts) > MAX_TRACKING:
        raise ValueError(f"give at most {MAX_TRACKING} numbers, parted by commas")
    read = _text_up_to(60)
    return list(dict.fromkeys(number for part in parts if (number := read(part))))
