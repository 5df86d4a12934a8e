"""Forms: their bytes to fields, and the edit form's fields to a stated result and back.

Belongs here: reading a form within bounds, the names of the edit form's fields. Not here: whether what is stated can
be (review/expected.py), the form's looks (templates).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from orders_pipeline.page.session import Session
from orders_pipeline.review.expected import FIELDS, MAX_ITEMS, MAX_ORDERS

MAX_BYTES = 256 * 1024
MAX_FIELDS = 4000
_NAME = re.compile(r"orders\.(\d{1,2})\.(?:(\w{1,20})|items\.(\d{1,3})\.(name|quantity|price))")
_ACTION = re.compile(r"(add_order|remove_order|add_item|redraw)(?:\.(\d{1,2}))?")
_ITEM = ("name", "quantity", "price")


class BadForm(Exception):
    """A form that is too large, is none, or is not ours; ``status`` is the answer's."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


async def read_form(request: Request, session: Session) -> dict[str, str]:
    """The fields of a form of ours; of several with one name the last. Raises ``BadForm``."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise BadForm("this is no form", 415)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BYTES:
            raise BadForm("the form is too large", 413)
    try:
        pairs = parse_qsl(
            body.decode("utf-8"), keep_blank_values=True, max_num_fields=MAX_FIELDS, encoding="utf-8", errors="replace"
        )
    except ValueError:
        raise BadForm("this form cannot be read", 400) from None
    fields = dict(pairs)
    if not session.is_form_token(fields.get("token")):
        raise BadForm("this form is of a page that was started earlier: reload it", 403)
    return fields


def stated_in(fields: Mapping[str, str]) -> dict[str, Any]:
    """The result that an edit form states, as text: ``outcome`` and ``orders``. Blank items are left out."""
    outcome = fields.get("outcome", "")
    orders = orders_in(fields)
    return {"outcome": outcome, "orders": [] if outcome == "not_order" else orders}


def orders_in(fields: Mapping[str, str]) -> list[dict[str, Any]]:
    """The orders of an edit form, in the order of their numbers, also when it says that there are none."""
    orders: dict[int, dict[str, Any]] = {}
    items: dict[tuple[int, int], dict[str, str]] = {}
    for name, value in fields.items():
        if not (match := _NAME.fullmatch(name)) or int(match[1]) >= MAX_ORDERS:
            continue
        number = int(match[1])
        order = orders.setdefault(number, {"items": []})
        if match[2] in FIELDS and match[2] != "items":
            order[match[2]] = value.strip()
        elif match[3] and int(match[3]) < MAX_ITEMS:
            items.setdefault((number, int(match[3])), {})[match[4]] = value.strip()
    for (number, _), item in sorted(items.items()):
        if any(item.values()):
            orders[number]["items"].append(item)
    return [order for _, order in sorted(orders.items())]


def form_orders(orders: Any, *, more_items_in: int | None = None) -> list[dict[str, Any]]:
    """Orders as the edit form shows them: every field as text, and blank lines for more items at the end."""
    shown = []
    for number, order in enumerate(orders or [{}]):
        fields = {name: _text(order.get(name)) for name in FIELDS if name != "items"}
        items = [{part: _text(item.get(part)) for part in _ITEM} for item in order.get("items") or ()]
        blank = 4 if number == more_items_in else 1
        shown.append({**fields, "items": [*items, *(dict.fromkeys(_ITEM, "") for _ in range(blank))]})
    return shown


def reshaped(fields: Mapping[str, str]) -> list[dict[str, Any]] | None:
    """The form's orders after its button ``do`` was pressed (one order more or less, more lines for items); None when
    no such button was."""
    match = _ACTION.fullmatch(fields.get("do", ""))
    if not match:
        return None
    orders = orders_in(fields)
    number = int(match[2] or 0)
    if match[1] == "add_order" and len(orders) < MAX_ORDERS:
        orders.append({})
    elif match[1] == "remove_order" and number < len(orders):
        del orders[number]
    return form_orders(orders, more_items_in=number if match[1] == "add_item" else None)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(part) for part in value)
    return "" if value is None else str(value)
