"""Which languages a mail is written in.

Belongs here: choosing the label tables to read a mail with, and naming its language. Not here: the tables.
Label words decide; the statistical model is asked only when they do not (318 texts a second, against thousands).
"""

from __future__ import annotations

import re
from functools import cache

from ahocorasick_rs import AhoCorasick, Implementation

from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.label_tables import TABLES, LabelTable

_KANA = re.compile(r"[ぁ-ヿ]")
_MAX = 20_000
_HEAD = 1_500
MAX_TABLES = 3
# Everyday words: "reservation" and "total" are hints of many languages, these tell which one it is.
_COMMON = {
    language: frozenset(words.split())
    for language, words in {
        "en": "your you the and has we our with",
        "de": "ihre ihr deine dein ist und wir wurde ihnen",
        "fr": "votre vous nous est pour les avec bonjour",
        "es": "tu gracias hemos los el hola puedes su",
        "it": "il tuo tua grazie abbiamo della stato ciao",
        "nl": "je uw het een voor wij hebben bedankt",
        "pt": "seu sua obrigado nao foi voce ola pelo em ao uma",
        "sv": "din ditt har och att vi hej tack",
        "pl": "twoje twoja dziekujemy jest przez sie zostało dzien",
    }.items()
}
MAX_COMMON = 4  # what everyday words can add to a score
_HINTS_OF = {table.language: frozenset(table.hints) for table in TABLES}
_HINTS = sorted(frozenset().union(*_HINTS_OF.values()))


def hints_in(folded_text: str) -> frozenset[str]:
    """The hint words of all tables that occur in the first 20,000 characters of a text, also within words."""
    try:
        return frozenset(_automaton().find_matches_as_strings(folded_text[:_MAX], overlapping=True))
    except UnicodeEncodeError:  # half a character, which the automaton cannot read
        return frozenset(hint for hint in _HINTS if hint in folded_text[:_MAX])


@cache
def _automaton() -> AhoCorasick:
    return AhoCorasick(_HINTS, implementation=Implementation.DFA)


def choose_tables(folded_subject: str, folded_text: str, hints: frozenset[str]) -> tuple[tuple[LabelTable, int], ...]:
    """The tables of the languages of a mail, with their scores, the best first. ``hints`` are those of the text.

    Two hint words tell a language, or one in the subject, or one beside two everyday words (in English, whose mail
    mostly is no order and whose hints are many, only the hints).
    """
    if not hints:
        return ()
    scored = []
    for table in TABLES:
        there = _HINTS_OF[table.language] & hints  # the subject is part of what was searched
        if not there:
            continue
        score = len(there) + 2 * sum(hint in folded_subject for hint in there)
        if score < 2 and table.language == "en":
            continue
        common = _everyday(table.language, folded_text)
        if score >= 2 or common >= 2:
            scored.append((table, score + common))
    scored.sort(key=lambda pair: -pair[1])
    best = scored[0][1] if scored else 0
    return tuple((table, score) for table, score in scored[:MAX_TABLES] if score * 2 >= best)


def _everyday(language: str, folded_text: str) -> int:
    """How many of a language's everyday words stand in a text, up to ``MAX_COMMON``: mostly its beginning has those."""
    finder = _everyday_words(language)
    if finder is None:
        return 0
    head = folded_text[:_HEAD].rpartition(" ")[0]  # no word cut in two
    for text in (head, folded_text[:_MAX]):
        found: set[str] = set()
        for match in finder.finditer(text):
            found.add(match[0])
            if len(found) == MAX_COMMON:
                return MAX_COMMON
    return len(found)


@cache
def _everyday_words(language: str) -> Finder | None:
    words = sorted(_COMMON.get(language, ()))
    return Finder(rf"(?<![^\s,.!])(?:{'|'.join(map(re.escape, words))})(?![^\s,.!])") if words else None


def language_of(folded_text: str, sample: str, scored: tuple[tuple[LabelTable, int], ...]) -> str | None:
    """The ISO 639-1 code of a mail's main language; None when there is too little text to tell."""
    if _KANA.search(folded_text[:_MAX]):
        return "ja"
    if scored and (len(scored) == 1 or scored[1][1] < 0.8 * scored[0][1] or len(sample.strip()) < 20):
        return scored[0][0].language
    if len(sample.strip()) < 20:
        return None
    from py3langid.langid import classify  # loads its model when first asked

    return str(classify(sample)[0])
