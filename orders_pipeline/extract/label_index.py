"""All label patterns of some languages as one regular expression.

Belongs here: compiling tables, once for each set of languages. Not here: reading values.
One pass over the text finds the labels of all fields; where several begin at one place, the longest pattern wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from orders_pipeline.extract.alternation import alternation, split_alternatives
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.text import fold

FIELDS = (
    "order_number", "order_word", "tracking_number", "carrier", "total", "subtotal", "shipping", "tax", "discount",
    "delivery", "merchant",
)  # fmt: skip
DECOY = "decoy"
_CJK = re.compile(r"[぀-鿿]")
_OPTIONAL = re.compile(r"\((?:\?:)?[^()]*\)(?:[?*]|\{0,\d+\})|\[[^\]]*\](?:[?*]|\{0,\d+\})|.\?")
_SYNTAX = re.compile(r"\(\?<?[!:=]|\[[^\]]*\]|\\b|\\|\{[^}]*\}|\|[^|()]*|[()?*+|]")
MAX_LABELS = 3_000


@dataclass(frozen=True, slots=True)
class Label:
    """A label found: whose it is, how telling, and where it ends."""

    field: str
    tier: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LabelIndex:
    """The compiled tables; ``meanings`` gives field and tier for each group of the pattern."""

    pattern: re.Pattern[str]
    meanings: tuple[tuple[str, int], ...]

    def find(self, folded: str) -> Iterator[Label]:
        """The labels in folded text, left to right, not overlapping, decoys left out."""
        for count, match in enumerate(self.pattern.finditer(folded)):
            if count >= MAX_LABELS:
                return
            field, tier = self.meanings[(match.lastindex or 1) - 1]
            if field != DECOY:
                yield Label(field, tier, match.start(), match.end())


@cache
def label_index(tables: tuple[LabelTable, ...]) -> LabelIndex:
    """Compile the tables of some languages."""
    entries: dict[str, tuple[str, int]] = {}
    for table in tables:
        for decoy in table.decoys:
            for part in split_alternatives(decoy):
                entries.setdefault(fold(part), (DECOY, 0))
        for field in FIELDS:
            for tier, pattern in getattr(table, field):
                for part in split_alternatives(pattern):
                    entries.setdefault(fold(part), (field, tier))
    ordered = sorted(entries.items(), key=lambda entry: _reach(entry[0]), reverse=True)
    spaced = [(part, meaning) for part, meaning in ordered if not _CJK.search(part)]
    joined = [(part, meaning) for part, meaning in ordered if _CJK.search(part)]
    words, word_owners = alternation([part for part, _ in spaced])
    others, other_owners = alternation([part for part, _ in joined])
    # Scripts with spaces: a label begins and ends where a word does. Tested once, before any alternative is tried.
    pattern = re.compile(rf"(?<![^\W_]){words}(?:(?<![^\W\d_])|(?![^\W\d_]))|{others}")
    meanings = [*(spaced[i][1] for i in word_owners), *(joined[i][1] for i in other_owners)]
    return LabelIndex(pattern, tuple(meanings))


def _reach(part: str) -> tuple[int, int]:
    """The least that a pattern matches, roughly, and its length: what must match more is tried first.

    "amount paid" so comes before "amount(?: billed)?", although that may match more.
    """
    needed = part
    for _ in range(4):  # innermost optional groups first
        needed = _OPTIONAL.sub("", needed)
    return len(_SYNTAX.sub("", needed)), len(part)
