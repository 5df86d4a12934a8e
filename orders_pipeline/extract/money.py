"""Amounts of money in text.

Belongs here: finding amounts, which currency they are in, and how a mail writes numbers. Not here: which amount is
the total. "1,234" with nothing to tell whether the comma groups or divides is ambiguous, and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from orders_pipeline.extract.currencies import (
    CODES,
    NO_DECIMALS,
    SHARED,
    SIGNS,
    THREE_DECIMALS,
    country_named,
    currency_of,
)
from orders_pipeline.extract.text import fold

_WORDS = sorted({fold(s) for s in [*SIGNS, *SHARED, *CODES]}, key=len, reverse=True)
_SIGN = "|".join(re.escape(w) for w in _WORDS)
# Digits in groups: "1.234,56", "1'234.50", "1 234,50", "1980", "27,80", "10.-". Lengths are bounded: linear.
_NUMBER = r"\d{1,3}(?:[.,'’ ]\d{3}){1,4}(?:[.,]\d{1,2})?(?!\d)|\d{1,9}(?:[.,]\d{1,3})?(?!\d)"
_MONEY = re.compile(
    rf"(?P<minus>[-−–](?= ?(?:{_SIGN}|\d)) ?)?"
    rf"(?:(?<![^\W\d_])(?P<pre>{_SIGN}) ?(?P<minus2>[-−–])? ?)?"
    rf"(?<![\d.,])(?P<num>{_NUMBER})(?:[.,][-–]+)?"
    rf"(?: ?[」\"(]? ?(?P<post>{_SIGN})(?![^\W\d_]|\.\w))?"
)
_CARD = re.compile(r"(?:ending(?: in| with)?|ends (?:in|with)|terminant par|terminad[ao] en|final|[*•x]{2,4}) ?$")
# Found by their mark, which is rare: by their digits takes ten times as long.
_DECIMAL_COMMA = re.compile(r",\d\d(?!\d)(?<=\d,\d\d)")
_DECIMAL_POINT = re.compile(r"\.\d\d(?![\d.])(?<=\d\.\d\d)")
_FREE = re.compile(
    r"(?:free|kostenlos|gratuit[aeos]?|gratis|offerte?s?|無料|kostenfrei|versandkostenfrei|za darmo|darmowa"
    r"|inklusive|inbegriffen|inclus[eao]?|included|fritt)\b",
    re.IGNORECASE,
)
COMMA_LANGUAGES = frozenset({"de", "fr", "es", "it", "pl", "nl", "pt", "sv", "da", "no", "nb", "fi", "cs", "tr", "ru"})


@dataclass(frozen=True, slots=True)
class Money:
    """An amount as read. ``amount`` is None when ambiguous; ``currency`` is None when not written beside it."""

    amount: Decimal | None
    currency: str | None
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How one mail writes numbers: its decimal mark if it shows one, its sender's country and language."""

    mark: str | None = None
    domain: str = ""
    language: str | None = None


def style_of(text: str, *, domain: str = "", language: str | None = None) -> NumberStyle:
    """Learn the decimal mark from the amounts with two decimals in a mail."""
    mark = _decimal_mark(text)
    if language == "es" and "$" in text and (country := country_named(fold(text[:50_000]))):
        domain = f"{domain}.{country}"
    return NumberStyle(mark, domain, language)


@lru_cache(maxsize=4)  # each reader of a mail's amounts asks about the same text
def _decimal_mark(text: str) -> str | None:
    commas, points = (_amounts(p, text[:50_000]) for p in (_DECIMAL_COMMA, _DECIMAL_POINT))
    return "," if commas > points else "." if points > commas else None


def _amounts(decimals: re.Pattern[str], text: str) -> int:
    """How many amounts have such decimals; a digit belongs to one of them ("1,23,45" is one)."""
    count = end = 0
    for match in decimals.finditer(text):
        if match.start() > end:
            count, end = count + 1, match.end()
    return count


def find_money(text: str, style: NumberStyle = NumberStyle(), *, bare: bool = False) -> Iterator[Money]:
    """Every amount in ``text``, in order; with ``bare`` also numbers without any currency beside them."""
    folded = fold(text)
    at = 0
    while match := _MONEY.search(folded, at):
        at = match.end()
        if len(match["num"]) == 4 and _CARD.search(folded, max(0, match.start() - 20), match.start()):
            at = match.end("num")  # "card ending 1881 GBP 36.20"
            continue
        # A code after the number wins over a sign before it: "$212.82 CAD" is Canadian.
        post, pre = match["post"], match["pre"]
        signs = [s for s in (post, pre) if s]
        if not signs and not bare:
            continue
        coded = next((s for s in signs if s.upper() in CODES), signs[0] if signs else "")
        currency = currency_of(coded, domain=style.domain, language=style.language) if coded else None
        amount = parse_number(match["num"], style, currency)
        if amount is not None and (match["minus"] or match["minus2"]):
            amount = -amount
        yield Money(amount, currency, text[match.start() : match.end()].strip(), match.start(), match.end())


def first_money(text: str, style: NumberStyle = NumberStyle(), *, bare: bool = False) -> Money | None:
    """The first amount in ``text``, or None."""
    return next(find_money(text, style, bare=bare), None)


def says_free(text: str) -> bool:
    """Whether a price cell says that nothing is charged."""
    return bool(_FREE.match(text.strip()))


def parse_number(text: str, style: NumberStyle = NumberStyle(), currency: str | None = None) -> Decimal | None:
    """A number as written, or None when its mark can be read both ways and neither mail nor currency decide."""
    digits = re.sub(r"['’ ]", "", text)
    marks = [c for c in digits if c in ".,"]
    if not marks:
        return _decimal(digits)
    last = marks[-1]
    whole, _, tail = digits.rpartition(last)
    if len(set(marks)) == 2:
        return _decimal(re.sub(r"[.,]", "", whole) + "." + tail)
    if len(marks) > 1:  # one mark, repeated: it groups
        return _decimal(re.sub(r"[.,]", "", digits)) if len(tail) == 3 else None
    if len(tail) != 3:
        return _decimal(f"{whole}.{tail}")
    return _three_digits(whole, last, tail, style, currency)


def _three_digits(whole: str, mark: str, tail: str, style: NumberStyle, currency: str | None) -> Decimal | None:
    grouped, divided = _decimal(whole + tail), _decimal(f"{whole}.{tail}")
    if currency in NO_DECIMALS or (len(whole) > 0 and whole != "0" and style.mark not in (None, mark)):
        return grouped
    if currency in THREE_DECIMALS or whole == "0":
        return divided
    if currency is None:
        return None
    if style.mark == mark:  # money has two decimals: three digits behind the mail's own decimal mark are a group
        return grouped
    native = "," if style.language in COMMA_LANGUAGES else "."
    return grouped if mark != native else None


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
