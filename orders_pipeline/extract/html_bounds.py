"""HTML cut to what can be parsed in bounded time.

Belongs here: where to cut. Not here: reading HTML. Parsing with lexbor is quadratic in nesting depth (100,000 nested
``div`` take over 20 s) and worse in formatting elements left open (3,000 ``<b class=1><p>`` take 3 s).
"""

from __future__ import annotations

import re

MAX_HTML = 2_000_000
MAX_DEPTH = 1_000
MAX_OPEN_FORMATTING = 60
_FEW = 1_000  # tags that cannot hurt, whatever they are

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})")
_FORMATTING_NAMES = "a b big code em font i nobr s small strike strong tt u"
_FORMATTING = frozenset(_FORMATTING_NAMES.split())
_EMPTY_NAMES = "area base br col embed hr img input link meta param source track wbr"
_CLOSED_BY_NEXT_NAMES = "p li dt dd td th tr tbody thead tfoot option"
_NEVER_DEEP = frozenset(f"{_EMPTY_NAMES} {_CLOSED_BY_NEXT_NAMES}".split())


def bounded_html(html: str) -> str:
    """The HTML up to ``MAX_HTML`` characters and up to the tag at which it nests too deep."""
    html = html[:MAX_HTML]
    if html.count("<") <= _FEW:
        return html
    depth = formatting = 0
    for match in _TAG.finditer(html):
        tag = match[2].lower()
        if tag in _NEVER_DEEP:
            continue
        step = -1 if match[1] else 1
        depth = max(0, depth + step)
        if tag in _FORMATTING:
            formatting = max(0, formatting + step)
        if depth > MAX_DEPTH or formatting > MAX_OPEN_FORMATTING:
            return html[: match.start()]
    return html
