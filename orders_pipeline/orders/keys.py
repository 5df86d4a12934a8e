"""The keys by which readings of one order find each other: shop, order number, tracking number.

Belongs here: normalising those three, pure and total. Not here: grouping by them (grouping.py).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from orders_pipeline.domains import parts_of

_COMPANY = """
    gmbh mbh ug ag kg kgaa ohg se ev co cokg inc incorporated llc lc ltd limited plc corp corporation company sa sas
    sarl srl spa sl slu bv nv ab as asa aps oy oyj kk pty pte lda zoo spzoo doo sro rl u haftungsbeschrankt sp z oo
"""
_REGION = """
    eu europe europa de deutschland germany uk gb us usa fr france it italia italy es espana spain nl nederland at
    ch schweiz suisse ca canada jp japan com
"""
_TAILS = frozenset(_COMPANY.split() + _REGION.split())
_LEADING = frozenset({"the", "www"})
_DOMAIN = re.compile(r"[^\W_][\w-]{0,62}(?:\.[\w-]{1,63}){1,6}", re.ASCII)
_SPLIT = re.compile(r"[/|&+–-]+")
_MARKS = str.maketrans(dict.fromkeys("™®©", " "))  # normalising would make them letters
_PUNCTUATION = str.maketrans(dict.fromkeys("(),;:!\"'", " "))
_RESERVED = frozenset({"example", "test", "invalid", "localhost"})  # RFC 2606: in no suffix list
_KABUSHIKI = ("株式会社", "有限会社", "(株)")
_LONGEST = 200


@lru_cache(maxsize=4096)
def merchant_key(name: str | None) -> str:
    """A shop's name without case, accents, company form, country and domain tail: "Amazon.de", "amazon" and
    "AMAZON EU S.à r.l." give one key. Empty for None or a name without letters and digits.
    """
    words = [key for word in _words(name or "") if (key := "".join(c for c in word if c.isalnum()))]
    while len(words) > 1 and words[0] in _LEADING:
        words.pop(0)
    while len(words) > 1 and words[-1] in _TAILS:
        words.pop()
    key = "".join(words)
    return key.replace("ae", "a").replace("oe", "o").replace("ue", "u")  # Mueller is Müller


@lru_cache(maxsize=16384)  # grouping asks ten times for each
def number_key(number: str | None) -> str:
    """An order number's letters and digits, upper case: "#302-1234567" and "302 1234567" give one key."""
    return "".join(c for c in unicodedata.normalize("NFKC", (number or "")[:_LONGEST]).upper() if c.isalnum())


tracking_key = number_key


def order_key(merchant: str | None, number: str | None) -> str | None:
    """One text for shop and number; None without a number."""
    key = number_key(number)
    return f"{merchant_key(merchant)}/{key}" if key else None


def _words(name: str) -> Iterator[str]:
    """The words of a name; of a domain its registrable label."""
    text = unicodedata.normalize("NFKC", name[:_LONGEST].translate(_MARKS))
    for form in _KABUSHIKI:
        text = text.replace(form, " ")
    decomposed = unicodedata.normalize("NFKD", text.translate(_PUNCTUATION).casefold())
    for token in "".join(c for c in decomposed if not unicodedata.combining(c)).split():
        word = token.strip(".")
        label = _label(word) if _DOMAIN.fullmatch(word) else None
        yield from [label] if label else _SPLIT.split(word)


def _label(domain: str) -> str | None:
    stem, _, tail = domain.rpartition(".")
    parts = parts_of(f"{stem}.com" if tail in _RESERVED else domain)
    return parts.domain if parts.suffix and len(parts.domain) > 1 else None
