"""The status phrases of some languages as one regular expression.

Belongs here: compiling tables, once for each set of languages. Not here: finding and weighing (status).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.text import fold
from orders_pipeline.models import OrderStatus


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase says, how definitely (1 to 3), and the words of its own language that take it back."""

    status: OrderStatus
    weight: int
    conditions: re.Pattern[str]
    whens: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The compiled phrases; ``meanings`` gives the meaning of each group of the pattern."""

    pattern: re.Pattern[str]
    meanings: tuple[Meaning, ...]

    def meaning(self, match: re.Match[str]) -> Meaning:
        """What a match of the pattern says."""
        return self.meanings[(match.lastindex or 1) - 1]


@cache
def status_phrases(tables: tuple[LabelTable, ...], *, weak: bool) -> Phrases:
    """The phrases of weight 1, or those above it: "your order" must not hide "your order has shipped"."""
    parts, meanings = [], []
    for table in tables:
        edge = "" if table.language == "ja" else r"(?<![^\W_])"
        whens, conditions = _words(table.whens), _words((*table.whens, *table.conditions))
        for status, weight, pattern in table.statuses:
            if (weight == 1) == weak:
                parts.append(f"({edge}(?:{fold(pattern)}))")
                meanings.append(Meaning(status, weight, conditions, whens))
    return Phrases(re.compile("|".join(parts) or r"(?!)"), tuple(meanings))


def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    joined = "|".join(fold(w) for w in words)
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])" if words else r"(?!)")
