"""The label patterns of a language as one regular expression.

Belongs here: compiling tables, and finding labels. Not here: reading values.
One pass over the text finds the labels of all fields; where several begin at one place, the longest pattern wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from orders_pipeline.extract.alternation import alternation, split_alternatives
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.leftmost import leftmost
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
class _Meaning:
    """What a group of a pattern stands for; of labels that begin at one place the lowest rank is taken."""

    field: str
    tier: int
    rank: tuple[bool, int, int]


@dataclass(frozen=True, slots=True)
class _Compiled:
    """One table as a pattern; ``meanings`` are those of its groups."""

    pattern: Finder
    meanings: tuple[_Meaning, ...]

    def meaning(self, match: re.Match[str]) -> _Meaning:
        return self.meanings[(match.lastindex or 1) - 1]


def find_labels(tables: Sequence[LabelTable], folded: str) -> Iterator[Label]:
    """The labels of the tables in folded text, left to right, not overlapping, decoys left out."""
    compiled = [_compile(table) for table in tables]
    found = leftmost([c.pattern for c in compiled], folded, lambda i, match: compiled[i].meaning(match).rank)
    for i, match in islice(found, MAX_LABELS):
        meaning = compiled[i].meaning(match)
        if meaning.field != DECOY:
            yield Label(meaning.field, meaning.tier, match.start(), match.end())


@cache
def _compile(table: LabelTable) -> _Compiled:
    entries: dict[str, tuple[str, int]] = {}
    for decoy in table.decoys:
        for part in split_alternatives(decoy):
            entries.setdefault(fold(part), (DECOY, 0))
    for field in FIELDS:
        for tier, pattern in getattr(table, field):
            for part in split_alternatives(pattern):
                entries.setdefault(fold(part), (field, tier))
    ordered = sorted(entries, key=_reach, reverse=True)
    spaced = [part for part in ordered if not _CJK.search(part)]
    joined = [part for part in ordered if _CJK.search(part)]
    words, word_owners = alternation(spaced)
    others, other_owners = alternation(joined)
    # Scripts with spaces: a label begins and ends where a word does. Tested once, before any alternative is tried.
    pattern = rf"(?<![^\W_]){words}(?:(?<![^\W\d_])|(?![^\W\d_]))|{others}"
    owners = [*(spaced[i] for i in word_owners), *(joined[i] for i in other_owners)]
    meanings = {part: _Meaning(*entries[part], _rank(part)) for part in ordered}
    return _Compiled(Finder(pattern), tuple(meanings[part] for part in owners))


def _rank(part: str) -> tuple[bool, int, int]:
    needed, length = _reach(part)
    return bool(_CJK.search(part)), -needed, -length


def _reach(part: str) -> tuple[int, int]:
    """The least that a pattern matches, roughly, and its length: what must match more is tried first.

    "amount paid" so comes before "amount(?: billed)?", although that may match more.
    """
    needed = part
    for _ in range(4):  # innermost optional groups first
        needed = _OPTIONAL.sub("", needed)
    return len(_SYNTAX.sub("", needed)), len(part)
