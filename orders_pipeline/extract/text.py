"""Text made safe and comparable.

Belongs here: folding for matching, cleaning of values that leave this package, bounded evidence. Not here: anything
that knows what an order is.
"""

from __future__ import annotations

import re
import unicodedata

MAX_EVIDENCE = 200
_MAX_REMEMBERED = 20_000  # characters a table: a hostile mail can hold every one there is, 100 MB a table


class _Folding(dict[int, str]):
    """Maps one character to one character, so that offsets in folded text are offsets in the original."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        base = "".join(c for c in unicodedata.normalize("NFKD", char) if not 0x300 <= ord(c) <= 0x36F)
        lowered = base.lower() if len(base) == 1 else char.lower()
        folded = lowered if len(lowered) == 1 else char
        if len(self) < _MAX_REMEMBERED:
            self[code] = folded
        return folded


_FOLDING = _Folding()
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def fold(text: str) -> str:
    """Lower case without accents, of the same length: 'Numéro' becomes 'numero'."""
    if not text.isascii():  # runs of other letters are few: translating them alone takes half the time
        text = _NOT_ASCII.sub(lambda run: run[0].translate(_FOLDING), text)
    return text.lower()


class _Plain(dict[int, str | None]):
    """Line ends stay, other control and format characters go, every kind of space becomes a plain one."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        category = unicodedata.category(char)
        result: str | None = char
        if char in "\n\t":
            result = char
        elif category == "Zs":
            result = " "
        elif category in ("Zl", "Zp") or char in "\r\v\f\x85":
            result = "\n"
        elif category in ("Cc", "Cf", "Cs", "Co", "Cn") or code in (0x34F, 0x115F, 0x1160, 0x3164):
            result = None
        if len(self) < _MAX_REMEMBERED:
            self[code] = result
        return result


_PLAIN = _Plain()
_NOT_PLAIN = re.compile(r"[^\n\t -~]+")
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def plain(text: str) -> str:
    """NFKC (full-width digits become digits) without control and invisible characters; lines and tabs stay."""
    if text.isascii() and not _ASCII_CONTROL.search(text):
        return text
    return _NOT_PLAIN.sub(lambda run: run[0].translate(_PLAIN), unicodedata.normalize("NFKC", text))


def one_line(text: str, limit: int) -> str:
    """A single line without control characters, runs of space joined, at most ``limit`` characters."""
    return " ".join(plain(text[: limit * 8]).split())[:limit].strip()


def evidence_text(text: str) -> str:
    """The form in which a piece of the mail is kept as evidence: one line, at most 200 characters."""
    return one_line(text, MAX_EVIDENCE)
