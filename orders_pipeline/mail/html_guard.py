"""HTML that would cost more than it can be worth: found before it is parsed, and stripped by pattern instead.

Belongs here: the limits of nesting and the plain way around them. Not here: rendering of sane HTML.
Measured with lexbor: parsing is quadratic in nesting depth (20,000 nested ``div`` 0.4 s, 100,000 over 20 s).
"""

from __future__ import annotations

import html as html_entities
import re

MAX_DEPTH = 1000
MAX_OPEN_FORMATTING = 60
_SMALL = 400  # so few tags cannot hurt, whatever they are

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})")
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())  # noqa: SIM905
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())  # noqa: SIM905
_CLOSED_BY_NEXT = frozenset("p li dt dd td th tr tbody thead tfoot option".split())  # noqa: SIM905
_UNSHOWN = re.compile(r"(?is)<(script|style|head)\b[^<>]{0,1000}>.{0,200000}?</\1\s{0,20}>|<!--.{0,200000}?-->")
_LINE_TAG = re.compile(r"(?i)</?(?:br|p|div|tr|table|li|ul|ol|h[1-6]|blockquote|center)\b[^<>]{0,20000}>")
_NEXT_CELL = re.compile(r"(?i)</t[dh]\s{0,20}>\s{0,200}<t[dh]\b[^<>]{0,1000}>")
_ANY_TAG = re.compile(r"<[!/?a-zA-Z][^<>]{0,20000}>")


def too_tangled(html: str) -> bool:
    """Whether elements nest so deep, or so many formatting elements stay open, that parsing may not end soon."""
    if html.count("<") < _SMALL:
        return False
    depth = formatting = 0
    for match in _TAG.finditer(html):
        tag = match[2].lower()
        if tag in _VOID or tag in _CLOSED_BY_NEXT:
            continue
        step = -1 if match[1] else 1
        depth = max(0, depth + step)
        if tag in _FORMATTING:
            formatting = max(0, formatting + step)
        if depth > MAX_DEPTH or formatting > MAX_OPEN_FORMATTING:
            return True
    return False


def strip_tags(html: str, *, line: str, cell: str) -> str:
    """The text between the tags, with ``line`` for block tags and ``cell`` between cells."""
    html = _UNSHOWN.sub(" ", html) if html.count("<!--") + html.lower().count("<s") < _SMALL else html
    html = _NEXT_CELL.sub(cell, _LINE_TAG.sub(line, html))
    return html_entities.unescape(_ANY_TAG.sub("", html))
