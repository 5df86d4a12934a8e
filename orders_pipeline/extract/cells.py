"""Where the value of a label can stand: behind it, in the next cell, on the next line, or below in a table.

Belongs here: the geometry of label and value in lines of cells. Not here: what a value looks like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

# What may remain in a label's own cell when the value stands elsewhere: "(incl. VAT)", ":", "**".
_REST = re.compile(r"[\s:.*#\-–=|)\]】」>・*]*(?:\([^()\n\t]{0,30}\)|（[^（）\n\t]{0,30}）)?[\s:.*#\-–=|)\]】」>]*")
_COLON = re.compile(r" ?[:：] ?")
MAX_NAME = 60


def cell_end(text: str, start: int) -> int:
    """The end of the cell that ``start`` lies in."""
    line = line_end(text, start)
    tab = text.find("\t", start, line)
    return tab if tab >= 0 else line


def line_end(text: str, start: int) -> int:
    """The end of the line that ``start`` lies in."""
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def stands_alone(text: str, end: int) -> bool:
    """Whether nothing that could be a value follows a label in its own cell."""
    rest = _REST.match(text, end, cell_end(text, end))
    return rest is not None and rest.end() == cell_end(text, end)


def begins_cell(text: str, start: int) -> bool:
    """Whether a label begins its cell, but for a bullet or bracket before it."""
    before = max(text.rfind("\n", 0, start), text.rfind("\t", 0, start)) + 1
    return start - before <= 4 and not re.search(r"[^\W_]", text[before:start])


def cells_behind(text: str, end: int, lines: int = 2) -> Iterator[tuple[int, int]]:
    """The spans of the cells where a value may stand after a label that stands alone, nearest first.

    First the next cells of the line, then, in a table, the cell of the same column in the next line, then the next
    lines' first cells.
    """
    line = line_end(text, end)
    at = cell_end(text, end)
    while at < line:
        stop = cell_end(text, at + 1)
        yield at + 1, stop
        at = stop
    start = text.rfind("\n", 0, end) + 1
    column, columns = text.count("\t", start, end), text.count("\t", start, line)
    for _ in range(lines):
        if line >= len(text):
            return
        first = line + 1
        line = line_end(text, first)
        if columns and text.count("\t", first, line) == columns:
            yield _nth_cell(text, first, line, column)
            return
        yield first, cell_end(text, first)


def name_cell(text: str, end: int, heads: Mapping[int, int]) -> tuple[int, int] | None:
    """The cell of a name behind a label that stands alone: beside it, or below when its row is one of headings.

    ``heads`` are the labels of the text (start to end): a cell that one of them fills is no name.
    """
    line = line_end(text, end)
    headed = False
    for start, stop in cells_behind(text, end, 1):
        head = start in heads and stands_alone(text, heads[start])
        if start < line:
            headed = headed or head
            if not headed and text[start:stop].strip():
                return start, stop
        elif not head and (not headed or _columns(text, end) == _columns(text, start)):
            return start, stop
    return None


def _columns(text: str, at: int) -> int:
    return text.count("\t", text.rfind("\n", 0, at) + 1, line_end(text, at))


def span_behind(
    text: str, start: int, end: int, heads: Mapping[int, int], *, inside: bool = False
) -> tuple[int, int] | None:
    """Where a name behind a label stands: after a colon, or in the next cell; None when it is too long for a name.

    The label must begin its cell, unless ``inside``. ``heads`` are the labels of the text (start to end).
    """
    if stands_alone(text, end):
        span = name_cell(text, end, heads)
    else:
        colon = _COLON.match(text, end)
        span = (colon.end(), cell_end(text, end)) if colon and (inside or begins_cell(text, start)) else None
    return span if span and span[1] - span[0] <= MAX_NAME else None


def _nth_cell(text: str, start: int, end: int, column: int) -> tuple[int, int]:
    for _ in range(column):
        start = text.find("\t", start, end) + 1
    return start, cell_end(text, start)
