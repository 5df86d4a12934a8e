"""HTML to text as a reader sees it: one line a block or table row, cells parted by a tab.

Belongs here: what is shown, in which order, on which line. Not here: links and markup (extraction reads the HTML
itself), charsets.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from orders_pipeline.html_limits import tangled_at
from orders_pipeline.mail.clean_text import clean_text
from orders_pipeline.mail.html_guard import strip_tags

_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre section summary table tbody tfoot thead"
    " tr ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_LEFT_OUT_NAMES = (
    "head script style title template svg math iframe object embed select textarea audio video canvas map s del strike"
)
_LEFT_OUT = frozenset(_LEFT_OUT_NAMES.split())
_CELLS = frozenset(("td", "th"))
_UNSEEN_STYLE = re.compile(
    r"(?i)display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}hidden|text-decoration[^;]{0,80}line-through"
)
_MAYBE_UNSEEN = re.compile(r"(?i)display\s{0,20}:\s{0,20}none|visibility|line-through|\shidden")

_WHOLE_AMOUNT = re.compile(r"[$€£¥]\s{0,3}\d{1,6}\s?\Z")

# Private-use characters mark structure until white space is folded; the same characters in a mail are taken out.
_LINE, _CELL_START, _CELL_END = "\ue000", "\ue001", "\ue002"
_MARKS = re.compile("[\ue000-\ue002]")
_WHITE = re.compile(r"[ \t\n]+")
_LINES = re.compile("(?: ?\ue000)+ ?")
_AFTER_START = re.compile("\ue001[\ue000 ]+")
_BEFORE_END = re.compile("[\ue000 ]\ue002")
_BETWEEN_CELLS = re.compile("(?<!\ue002)\ue002[\ue002 ]*\ue001[\ue001 ]*")  # each run of ends tried once


def html_to_text(html: str) -> str:
    """Render HTML; never raises.

    Left out: scripts, styles, hidden elements, and struck-out text (a struck list price above the true total is no
    price). The alternative text of images is kept. Rows of nested tables inside a cell become lines of that cell.
    """
    if not html.strip():
        return ""
    html = _MARKS.sub("", html)
    if tangled_at(html) is not None:
        return _fold(strip_tags(html, line=_LINE, cell=_CELL_END + _CELL_START))
    tree = LexborHTMLParser(html)
    root = tree.body or tree.root
    if root is None:
        return ""
    return _fold("".join(_walk(root, check_styles=_MAYBE_UNSEEN.search(html) is not None)))


def _walk(root: LexborNode, *, check_styles: bool) -> list[str]:
    """Text and marks in document order, by a loop: nesting is the sender's choice, recursion would be too."""
    pieces: list[str] = []
    closers: list[str] = []  # what to add when each open ancestor closes
    preformatted = 0
    node: LexborNode | None = root
    while node is not None:
        tag = node.tag or ""
        child = None
        closer = ""
        if tag == "-text":
            text = node.text_content or ""
            pieces.append(text.replace("\n", _LINE) if preformatted else text)
        elif tag == "br":
            pieces.append(_LINE)
        elif tag == "img":
            if not (check_styles and _unseen(node)):
                pieces.append(f" {node.attributes.get('alt') or ''} ")
        elif tag and tag[0] != "-" and tag not in _LEFT_OUT and not (check_styles and _unseen(node)):
            opener, closer = _marks(tag) if tag != "sup" else (_before_raised(node, pieces), "")
            child = node.child
            pieces.append(opener if child is not None else opener + closer)
            preformatted += tag == "pre" and child is not None
        if child is not None:
            closers.append(closer)
            node = child
            continue
        while closers and node is not None and node.next is None:
            node = node.parent
            pieces.append(closers.pop())
            preformatted -= node is not None and node.tag == "pre"
        node = node.next if closers and node is not None else None
    return pieces


def _marks(tag: str) -> tuple[str, str]:
    if tag in _CELLS:
        return _CELL_START, _CELL_END
    return (_LINE, _LINE) if tag in _BLOCKS else ("", "")


def _before_raised(node: LexborNode, pieces: list[str]) -> str:
    """What parts a raised number from the text before it: $12 with a raised 99 is 12.99, a footnote's 1 is no digit
    of the price."""
    child = node.child
    raised = (child.text_content or "")[:4].strip() if child is not None and child.tag == "-text" else ""
    if not raised[:1].isdecimal():
        return ""
    before = "".join(pieces[-6:])[-20:]
    return "." if len(raised) == 2 and raised.isdecimal() and _WHOLE_AMOUNT.search(before) else " "


def _unseen(node: LexborNode) -> bool:
    attributes = node.attributes
    if "hidden" in attributes:
        return True
    style = attributes.get("style")
    return bool(style) and _UNSEEN_STYLE.search(style or "") is not None


def _fold(text: str) -> str:
    """Structure marks to tabs and line ends: a break at the edge of a cell is none, a row without text is none."""
    text = _LINES.sub(_LINE, _WHITE.sub(" ", clean_text(text)))
    text = _AFTER_START.sub(_CELL_START, text)
    text = _BEFORE_END.sub(_CELL_END, text)
    text = _BETWEEN_CELLS.sub("\t", text)
    lines: list[str] = []
    for line in _MARKS.sub(lambda mark: "\n" if mark[0] == _LINE else "", text).split("\n"):
        cells = [cell.strip() for cell in line.split("\t")]
        if row := "\t".join(cell for cell in cells if cell):
            lines.append(row)
    return "\n".join(lines)
