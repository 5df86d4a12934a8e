"""The form of a field's value: what two mails from one template have in common although every value differs.

Belongs here: which fields have a form, and the form of each value. Not here: comparing forms (drift.py).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

FIELDS = (
    "merchant", "order_number", "tracking_numbers", "carrier", "status", "total", "currency", "expected_delivery",
    "items",
)  # fmt: skip
PRESENT = "given"  # there is a value, and its form says nothing
_LONGEST = 80
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


def forms_of(order: Mapping[str, Any]) -> tuple[str | None, ...]:
    """The forms of an order's fields, in the order of ``FIELDS``; None where a field is missing.

    ``order`` maps field names to values; of ``items`` only the truth counts. Equal tuples are one object, so that a
    hundred thousand rows stay small.
    """
    numbers = order["tracking_numbers"]
    total = order["total"]
    return _one_object(
        (
            _named(order["merchant"]),
            _shape(order["order_number"]),
            _shape(numbers[0]) if len(numbers) else None,
            _named(order["carrier"]),
            _named(order["status"]),
            None if total is None else "zero" if total == 0 else "negative" if total < 0 else PRESENT,
            _named(order["currency"]),
            None if order["expected_delivery"] is None else PRESENT,
            PRESENT if order["items"] else None,
        )
    )


@lru_cache(maxsize=65_536)
def _one_object(forms: tuple[str | None, ...]) -> tuple[str | None, ...]:
    return forms


def _named(value: str | None) -> str | None:
    """The value itself, for fields that a template fills with one of few."""
    return sys.intern(value.casefold()[:_LONGEST]) if value else None


def _shape(number: str | None) -> str | None:
    """A number's shape: "302-1234567" and "302-99" are "9-9", "LL-20417" is "A-9"."""
    return _LETTERS.sub("A", _DIGITS.sub("9", number[:_LONGEST])) if number else None
