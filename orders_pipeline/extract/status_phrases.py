"""The status phrases of a language as one regular expression.

Belongs here: compiling tables, and finding phrases. Not here: weighing them (status).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from orders_pipeline.extract.alternation import alternation
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.leftmost import leftmost
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
class _Compiled:
    """The phrases of one table; ``meanings`` gives the meaning of each group of the pattern."""

    pattern: Finder
    meanings: tuple[Meaning, ...]


def find_phrases(tables: Sequence[LabelTable], folded: str, *, weak: bool) -> Iterator[tuple[re.Match[str], Meaning]]:
    """The phrases of weight 1, or those above it: "your order" must not hide "your order has shipped"."""
    compiled = [_compile(table, weak) for table in tables]
    for i, match in leftmost([c.pattern for c in compiled], folded, lambda i, _: i):
        yield match, compiled[i].meanings[(match.lastindex or 1) - 1]


@cache
def _compile(table: LabelTable, weak: bool) -> _Compiled:
    edge = "" if table.language == "ja" else r"(?<![^\W_])"
    whens, conditions = _words(table.whens), _words((*table.whens, *table.conditions))
    statuses = [entry for entry in table.statuses if (entry[1] == 1) == weak]
    joined, owners = alternation([fold(pattern) for _, _, pattern in statuses])
    meanings = [Meaning(status, weight, conditions, whens) for status, weight, _ in statuses]
    return _Compiled(Finder(edge + joined), tuple(meanings[i] for i in owners))


def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    joined = "|".join(fold(w) for w in words)
    return re.compile(rf"(?<![^\W_])(?:{joined})(?![^\W_])" if words else r"(?!)")
