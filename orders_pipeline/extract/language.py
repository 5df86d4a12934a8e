"""Which languages a mail is written in.

Belongs here: choosing the label tables to read a mail with, and naming its language. Not here: the tables.
Label words decide; the statistical model is asked only when they do not (318 texts a second, against thousands).
"""

from __future__ import annotations

import re

from orders_pipeline.extract.label_tables import TABLES, LabelTable

_KANA = re.compile(r"[ぁ-ヿ]")
_MAX = 20_000
MAX_TABLES = 3


def choose_tables(folded_subject: str, folded_text: str) -> tuple[LabelTable, ...]:
    """The tables of which at least two hint words (or one in the subject) occur; the most frequent language first."""
    text = folded_text[:_MAX]
    scored = []
    for table in TABLES:
        score = sum((hint in text) + 2 * (hint in folded_subject) for hint in table.hints)
        if score >= 2:
            scored.append((score, table))
    scored.sort(key=lambda pair: -pair[0])
    best = scored[0][0] if scored else 0
    return tuple(table for score, table in scored[:MAX_TABLES] if score * 2 >= best)


def language_of(folded_text: str, sample: str, tables: tuple[LabelTable, ...]) -> str | None:
    """The ISO 639-1 code of a mail's main language; None when there is too little text to tell."""
    if _KANA.search(folded_text[:_MAX]):
        return "ja"
    if len(tables) == 1:
        return tables[0].language
    if len(sample.strip()) < 20:
        return tables[0].language if tables else None
    from py3langid.langid import classify  # loads its model when first asked

    return str(classify(sample)[0])
