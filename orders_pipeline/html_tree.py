"""The tree of a mail's HTML, parsed once for all that read it.

Belongs here: keeping the last tree. Not here: what is read from it, and whether the HTML may be parsed at all
(html_limits). Whoever changes a tree parses one of its own.
"""

from __future__ import annotations

import threading

from selectolax.lexbor import LexborHTMLParser

_MOST_KEPT = 400_000  # characters: a tree takes some ten times as much memory as its text


class _Last(threading.local):
    html: str = ""
    tree: LexborHTMLParser | None = None


_last = _Last()


def tree_of(html: str) -> LexborHTMLParser:
    """The tree of HTML that is sane by ``tangled_at``; to be read only.

    Rendering a mail and then looking for its links and its markup parses it once: the last tree of each thread is
    kept. Raises what selectolax raises.
    """
    if _last.tree is not None and _last.html == html:
        return _last.tree
    _last.tree = None  # before the next is made: never two at a time
    tree = LexborHTMLParser(html)
    if len(html) <= _MOST_KEPT:
        _last.html, _last.tree = html, tree
    return tree
