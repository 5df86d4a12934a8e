"""HTML that would cost more than it can be worth, as text: stripped by pattern instead of parsed.

Belongs here: the plain way around a parser. Not here: when it is taken (html_limits), rendering of sane HTML.
"""

from __future__ import annotations

import html as html_entities
import re
from collections.abc import Iterator

from orders_pipeline.mail.html_lines import Mark

_FEW = 400  # starts of what is not shown: a search for the end of each is bounded, but long

_UNSHOWN = re.compile(r"(?is)<(script|style|head)\b[^<>]{0,1000}>.{0,200000}?</\1\s{0,20}>|<!--.{0,200000}?-->")
_LINE_TAG = re.compile(r"(?i)</?(?:br|p|div|tr|table|li|ul|ol|h[1-6]|blockquote|center)\b[^<>]{0,20000}>")
_NEXT_CELL = re.compile(r"(?i)</t[dh]\s{0,20}>\s{0,200}<t[dh]\b[^<>]{0,1000}>")
# Private-use characters mark structure while tags are taken out; the same characters in a mail are taken out first.
_LINE, _CELL = "\ue000", "\ue001"
_MARKS = re.compile("([\ue000\ue001])")
_ANY_TAG = re.compile(r"<[!/?a-zA-Z][^<>]{0,20000}>")


def strip_tags(html: str) -> Iterator[str | Mark]:
    """The text between the tags, with marks for block tags and between cells."""
    html = _MARKS.sub("", html)
    html = _UNSHOWN.sub(" ", html) if html.count("<!--") + html.lower().count("<s") < _FEW else html
    html = _NEXT_CELL.sub(_CELL, _LINE_TAG.sub(_LINE, html))
    for run in _MARKS.split(_ANY_TAG.sub("", html)):
        if run == _LINE:
            yield Mark.LINE
        elif run == _CELL:
            yield Mark.CELL_END
            yield Mark.CELL_START
        else:
            yield html_entities.unescape(run)
