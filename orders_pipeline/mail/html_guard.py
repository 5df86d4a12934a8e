"""HTML that would cost more than it can be worth, as text: stripped by pattern instead of parsed.

Belongs here: the plain way around a parser. Not here: when it is taken (html_limits), rendering of sane HTML.
"""

from __future__ import annotations

import html as html_entities
import re

_FEW = 400  # starts of what is not shown: a search for the end of each is bounded, but long

_UNSHOWN = re.compile(r"(?is)<(script|style|head)\b[^<>]{0,1000}>.{0,200000}?</\1\s{0,20}>|<!--.{0,200000}?-->")
_LINE_TAG = re.compile(r"(?i)</?(?:br|p|div|tr|table|li|ul|ol|h[1-6]|blockquote|center)\b[^<>]{0,20000}>")
_NEXT_CELL = re.compile(r"(?i)</t[dh]\s{0,20}>\s{0,200}<t[dh]\b[^<>]{0,1000}>")
_ANY_TAG = re.compile(r"<[!/?a-zA-Z][^<>]{0,20000}>")


def strip_tags(html: str, *, line: str, cell: str) -> str:
    """The text between the tags, with ``line`` for block tags and ``cell`` between cells."""
    html = _UNSHOWN.sub(" ", html) if html.count("<!--") + html.lower().count("<s") < _FEW else html
    html = _NEXT_CELL.sub(cell, _LINE_TAG.sub(line, html))
    return html_entities.unescape(_ANY_TAG.sub("", html))
