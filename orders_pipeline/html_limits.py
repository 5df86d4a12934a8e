"""Where HTML becomes more than lexbor parses in bounded time.

Belongs here: the limits and the place where a text exceeds them, asked before anything parses HTML. Not here: what is
done with the rest, and the bound that holds whatever the HTML (stages/parser_process.py).
Measured: parsing is quadratic in nesting (20,000 nested ``div`` 0.4 s, 100,000 over 20 s) and in the attributes of one
element (50,000 take 2.8 s), and cubic in formatting elements left open (3,000 ``<b class=1><p>`` take 2.2 s).
"""

from __future__ import annotations

import re
from collections import Counter

MAX_DEPTH = 1_000
MAX_OPEN_FORMATTING = 60
MAX_ATTRIBUTE_CHARS = 20_000  # of one tag, quoted values left out
# What cannot hurt however it is arranged, so that nearly all mail is done with by counting: 0.1 s at most together.
_FEW_ELEMENTS = 3_000
_FEW_FORMATTING = 600
_FEW_ATTRIBUTES = 10_000

_TAG = re.compile(r"<!--|<[!?]|<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})")
_START = re.compile(r"<([a-zA-Z][a-zA-Z0-9]{0,20})")
_REST_OF_TAG = re.compile(r"""(?:[^"'>]++|"[^"]*+"|'[^']*+')*+>""")
_QUOTED = re.compile(r"""=\s{0,20}(?:"[^"]*+"|'[^']*+')""")
_COMMENT_END = re.compile(r"--!?>")
_FORMATTING_NAMES = "a b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATTING_NAMES.split())
_EMPTY_NAMES = "area base br col embed hr img input link meta param source track wbr"
_CLOSED_BY_NEXT_NAMES = "p li dt dd td th tr tbody thead tfoot option"
_NEVER_DEEP = frozenset(f"{_EMPTY_NAMES} {_CLOSED_BY_NEXT_NAMES}".split())


# Rendering asks, then each reader of links and markup: the last answer is kept, for that very string, unless the string
# is so large that it had better go.
_MOST_KEPT = 1_000_000
_last: list[tuple[str, int | None] | None] = [None]


def tangled_at(html: str) -> int | None:
    """The offset of the tag at which HTML nests too deep, leaves too many formatting elements open, or has a tag of
    endless attributes; None for sane HTML. Linear in the length.

    An end tag counts only where an element of its name is open, outside comments and attribute values: one that closes
    nothing hides no depth.
    """
    if (known := _last[0]) is not None and known[0] is html:
        return known[1]
    place = None if _harmless(html) else _tangled_at(html)
    _last[0] = (html, place) if len(html) <= _MOST_KEPT else None
    return place


def _tangled_at(html: str) -> int | None:
    opened: Counter[str] = Counter()
    depth = formatting = position = 0
    while match := _TAG.search(html, position):
        tag = (match[2] or "").lower()
        if not tag:
            position = _comment_end(html, match)
            continue
        rest = _REST_OF_TAG.match(html, match.end())
        position = rest.end() if rest else len(html)  # the end of a tag without end is the end of all
        if position - match.end() > MAX_ATTRIBUTE_CHARS and _attribute_chars(html[match.end() : position]):
            return match.start()
        if tag in _NEVER_DEEP or (match[1] and not opened[tag]):
            continue
        step = -1 if match[1] else 1
        opened[tag] += step
        depth += step
        formatting += step * (tag in _FORMATTING)
        if depth > MAX_DEPTH or formatting > MAX_OPEN_FORMATTING:
            return match.start()
    return None


def _harmless(html: str) -> bool:
    """Whether there is too little of everything to hurt: by counting alone, comments and end tags left aside."""
    if html.count("=") > _FEW_ATTRIBUTES or _long_without_end(html):
        return False
    if (tags := html.count("<")) <= _FEW_FORMATTING or tags - html.count("</") <= _FEW_FORMATTING:
        return True
    counts = Counter(_START.findall(html.lower()))
    formatting = sum(counts[name] for name in _FORMATTING)
    return formatting <= _FEW_FORMATTING and counts.total() - formatting <= _FEW_ELEMENTS


def _long_without_end(html: str) -> bool:
    """Whether more than ``MAX_ATTRIBUTE_CHARS`` follow each other without the end of a tag among them."""
    start = 0
    while len(html) - start > MAX_ATTRIBUTE_CHARS:
        end = html.rfind(">", start, start + MAX_ATTRIBUTE_CHARS + 1)
        if end < 0:
            return True
        start = end + 1
    return False


def _comment_end(html: str, start: re.Match[str]) -> int:
    """Where a comment, declaration or instruction ends; ``<!-->`` is a whole comment."""
    if start[0] != "<!--":
        end = html.find(">", start.end())
        return end + 1 if end >= 0 else len(html)
    closing = _COMMENT_END.search(html, start.start() + 2)
    return closing.end() if closing else len(html)


def _attribute_chars(text: str) -> bool:
    """Whether a tag is long by its attributes, not by a picture in a quoted value."""
    return len(_QUOTED.sub("", text)) > MAX_ATTRIBUTE_CHARS
