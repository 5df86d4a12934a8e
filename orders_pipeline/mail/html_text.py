"""HTML to text as a reader sees it: one line a block or table row, cells parted by a tab.

Belongs here: what is shown, in which order, on which line. Not here: links and markup (extraction reads the HTML
itself), charsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from orders_pipeline.html_limits import tangled_at
from orders_pipeline.html_tree import tree_of
from orders_pipeline.mail.html_guard import strip_tags
from orders_pipeline.mail.html_lines import Mark, lines_of

_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre section summary table tbody tfoot thead"
    " tr ul"
)
_LEFT_OUT_NAMES = (
    "head script style title template svg math iframe object embed select textarea audio video canvas map s del strike"
)
_LEFT_OUT = frozenset(_LEFT_OUT_NAMES.split())
_CELL = (Mark.CELL_START, Mark.CELL_END)
_EDGES = {**dict.fromkeys(_BLOCK_NAMES.split(), (Mark.LINE, Mark.LINE)), "td": _CELL, "th": _CELL}
_NO_EDGES = (None, None)
_UNSEEN_STYLE = re.compile(
    r"(?i)display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}hidden|text-decoration[^;]{0,80}line-through"
)
# "play" for "display": a link without underline has "none" in its style too, and there are hundreds of them.
_MAYBE_UNSEEN = '[hidden], [style*="play" i][style*="none" i], [style*="hidden" i], [style*="line-through" i]'

_WHOLE_AMOUNT = re.compile(r"[$€£¥]\s{0,3}\d{1,6}\s?\Z")


def html_to_text(html: str) -> str:
    """Render HTML; never raises.

    Left out: scripts, styles, hidden elements, and struck-out text (a struck list price above the true total is no
    price). The alternative text of images is kept. Rows of nested tables inside a cell become lines of that cell.
    """
    if not html or html.isspace():
        return ""
    if tangled_at(html) is not None:
        return lines_of(strip_tags(html))
    tree = tree_of(html)
    root = tree.body or tree.root
    if root is None:
        return ""
    unseen = frozenset(node.mem_id for node in root.css(_MAYBE_UNSEEN) if _unseen(node))
    return lines_of(_walk(root, unseen))


def _walk(root: LexborNode, unseen: frozenset[int]) -> list[str | Mark]:
    """Texts and marks in document order, by a loop: nesting is the sender's choice, recursion would be too."""
    pieces: list[str | Mark] = [Mark.LINE]
    opened: list[tuple[LexborNode, Mark | None]] = []  # the open ancestors, and what closes each
    preformatted = 0
    line, cell = Mark.LINE, Mark.CELL_START
    node = root
    while True:
        tag = node.tag or "-"
        child = None
        if tag == "-text":
            text = node.text_content or ""
            if preformatted:
                pieces += _preformatted(text)
            elif not ((last := pieces[-1]) is line or last is cell) or not text.isspace():
                pieces.append(text)  # white space at the start of a line or cell is none: half of all texts
        elif tag == "br":
            pieces.append(line)
        elif unseen and node.mem_id in unseen:
            pass
        elif tag == "img":
            pieces.append(f" {node.attrs.get('alt') or ''} ")
        elif tag[0] != "-" and tag not in _LEFT_OUT:
            opener, closer = _EDGES.get(tag, _NO_EDGES)
            if opener is not None:
                pieces.append(opener)
            elif tag == "sup":
                pieces.append(_before_raised(node, pieces))
            child = node.child
            if child is not None:
                preformatted += tag == "pre"
                opened.append((node, closer))
                node = child
                continue
            if closer is not None:
                pieces.append(closer)
        following = node.next if opened else None
        while following is None:
            if not opened:
                return pieces
            node, closer = opened.pop()
            if closer is not None:
                pieces.append(closer)
            preformatted -= bool(preformatted) and node.tag == "pre"
            following = node.next if opened else None
        node = following


def _preformatted(text: str) -> Iterator[str | Mark]:
    for number, line in enumerate(text.split("\n")):
        if number:
            yield Mark.LINE
        yield line


def _before_raised(node: LexborNode, pieces: list[str | Mark]) -> str:
    """What parts a raised number from the text before it: $12 with a raised 99 is 12.99, a footnote's 1 is no digit
    of the price."""
    child = node.child
    raised = (child.text_content or "")[:4].strip() if child is not None and child.tag == "-text" else ""
    if not raised[:1].isdecimal():
        return ""
    before = ""
    for piece in reversed(pieces[-6:]):
        if isinstance(piece, Mark):
            break
        before = piece[-20:] + before
    return "." if len(raised) == 2 and raised.isdecimal() and _WHOLE_AMOUNT.search(before[-20:]) else " "


def _unseen(node: LexborNode) -> bool:
    attributes = node.attrs  # asked one by one: as a dict they would all be decoded
    if "hidden" in attributes:
        return True
    style = attributes.get("style")
    return bool(style) and _UNSEEN_STYLE.search(style) is not None
