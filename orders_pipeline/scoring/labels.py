"""What a person says is right for one message, and what the parser said.

Belongs here: the two records and reading them from JSON-ready data. Not here: comparing them (fields, score), files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.errors import OrdersPipelineError

FIELDS = (
    "order_number", "tracking_number", "total", "currency", "status", "merchant", "carrier", "expected_delivery",
)  # fmt: skip
ORDER_KINDS = frozenset({"order", "shipment", "receipt"})
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Label:
    """One labelled message. ``values`` holds for each labelled field every value that counts as right.

    ``kind`` is order, shipment or receipt, or ``not_order``; of other kinds nothing is asked. ``several`` is set
    where the mail tells of more than one order or parcel: values beyond the labelled ones are then no fault.
    """

    file: str
    kind: str
    values: Mapping[str, tuple[str, ...]]
    several: bool = False

    @property
    def is_order(self) -> bool:
        return self.kind in ORDER_KINDS


@dataclass(frozen=True, slots=True)
class Said:
    """What the parser said of one message: each field's values over all orders found, in order."""

    orders: int
    values: Mapping[str, tuple[str, ...]]


def label_from_dict(data: Mapping[str, Any]) -> Label:
    """A label from one JSON object; absent or null fields are not labelled. Raises KeyError without file or kind."""
    values: dict[str, tuple[str, ...]] = {}
    for field in FIELDS:
        main = _texts(data.get(field))
        if not main:
            continue
        if field == "expected_delivery":
            main = tuple(_DAY.findall(main[0]))
        elif field in ("order_number", "tracking_number"):
            main += _texts(data.get(f"{field}_alt"))
        if main:
            values[field] = main
    several = any(data.get(f"{field}_alt") is not None for field in ("order_number", "tracking_number"))
    return Label(str(data["file"]), str(data["kind"]), values, several)


def read_labels(text: str, source: str) -> list[Label]:
    """The labels of a JSON Lines text. Raises ``OrdersPipelineError`` that names ``source`` and the line."""
    labels = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            labels.append(label_from_dict(json.loads(line)))
        except (ValueError, KeyError, AttributeError) as error:
            raise OrdersPipelineError(
                f"{source}, line {number}: no label ({type(error).__name__}); write one JSON object with file and kind"
            ) from None
    return labels


def said_from_dict(data: Mapping[str, Any]) -> Said:
    """What was said, from one line of ``orders-pipeline parse --json``: its ``outcome`` and ``orders``."""
    orders = list(data.get("orders") or []) if data.get("outcome") == "parsed" else []
    values = {
        field: tuple(v for order in orders for v in _texts(order.get(_key(field)))) for field in FIELDS
    }  # fmt: skip
    return Said(len(orders), values)


def _key(field: str) -> str:
    return "tracking_numbers" if field == "tracking_number" else field


def _texts(value: object) -> tuple[str, ...]:
    values: Iterable[object] = value if isinstance(value, list | tuple) else (value,)
    return tuple(str(v) for v in values if v is not None)
