"""The status phrases of some languages as one regular expression.

Belongs here: compiling tables, once for each set of languages. Not here: finding and weighing (status).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from orders_pipeline.extract.alternation import alternation
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
    patterns, meanings = [], []
    for edge in (r"(?<![^\W_])", ""):
        parts, said = [], []
        for table in tables:
            if (table.language == "ja") == (edge == ""):
                whens, conditions = _words(table.whens), _words((*table.whens, *table.conditions))
                for status, weight, pattern in table.statuses:
                    if (weight == 1) == weak:
                        parts.append(fold(pattern))
                        said.append(Meaning(status, weight, conditions, whens))
        joined, owners = alternation(parts)
        patterns.append(edge + joined)
        meanings += [said[i] for i in owners]
    return Phrases(re.compile("|".join(patterns)), tuple(meanings))


def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    joined = "|".join(fold(w) for w in words)
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])" if words else r"(?!)")
