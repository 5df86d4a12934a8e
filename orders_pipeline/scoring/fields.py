"""When two values of a field are the same.

Belongs here: equality as a person sees it, field by field. Not here: counting.
"""

from __future__ import annotations

import unicodedata
from decimal import Decimal, InvalidOperation

CENT = Decimal("0.005")  # totals nearer than this are one amount
AMOUNTS = frozenset({"total", "subtotal", "shipping", "tax", "discount"})
_NAMES = frozenset({"merchant", "carrier"})


def same(field: str, right: str, guess: str) -> bool:
    """Whether a guess is the right value.

    Sums are compared as amounts, days as days, names by containment ("Fjordwool" and "Fjordwool Ltd"), everything
    else by its letters and digits alone.
    """
    if field in AMOUNTS:
        return _same_amount(right, guess)
    if field == "expected_delivery":
        return guess[:10] == right
    a, b = bare(right), bare(guess)
    if field in _NAMES:
        return bool(a) and bool(b) and (a in b or b in a)
    return a == b


def bare(value: str) -> str:
    """Letters and digits alone, without case; full-width forms made plain."""
    return "".join(c for c in unicodedata.normalize("NFKC", value) if c.isalnum()).casefold()


def _same_amount(right: str, guess: str) -> bool:
    try:
        return abs(Decimal(right) - Decimal(guess)) < CENT
    except InvalidOperation:
        return False
