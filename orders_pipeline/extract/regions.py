"""What a sender's country says about how it writes.

Belongs here: whether the day or the month comes first. Not here: currencies (they have their own table).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_MONTH_FIRST = frozenset({"com", "us", "net", "org", "co", "io", "shop", "store", "gov", "ca", "ph"})
_WORDS = ("EUR", "GBP", "AUD", "NZD", "United Kingdom", "Australia")
_DAY_FIRST_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")


def day_first(sender_domain: str, language: str | None, texts: Iterable[str]) -> bool:
    """Whether 05/04 is the fifth of April. English mail from an American-looking domain counts
    months first, and so does Japanese mail."""
    country = sender_domain.rpartition(".")[2]
    if language == "ja":
        return False
    if country not in _MONTH_FIRST:
        return True
    if language not in (None, "en"):
        return True
    return any(_names_day_first(text[:20_000]) for text in texts)


def _names_day_first(text: str) -> bool:
    """Whether a text holds a currency or country where the day comes first; plain words are found first."""
    if "€" in text or "£" in text:
        return True
    return any(word in text for word in _WORDS) and _DAY_FIRST_WORD.search(text) is not None
