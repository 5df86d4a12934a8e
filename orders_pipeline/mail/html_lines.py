"""Pieces of rendered HTML to lines: one a block or table row, cells parted by a tab.

Belongs here: what parts one shown text from the next. Not here: what is shown (html_text, html_guard).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from orders_pipeline.mail.clean_text import strip_invisible


class Mark(Enum):
    """What stands between texts: a break between lines, or an edge of a table cell."""

    LINE = "line"
    CELL_START = "cell start"
    CELL_END = "cell end"


_NOTHING, _SPACE, _TAB, _LINE = range(4)
_GAPS = ("", " ", "\t", "\n")


def lines_of(pieces: Iterable[str | Mark]) -> str:
    """Texts and marks in document order as text, white space folded, invisible characters taken out.

    A break at the edge of a cell is none, and a row or cell without text is none: between two texts only the strongest
    gap counts. Spaces and breaks are kept by the stretch between two edges of cells, since an edge can undo them.
    """
    line, cell_start, cell_end = Mark.LINE, Mark.CELL_START, Mark.CELL_END
    shown: list[str] = []
    gap = stretch = _NOTHING
    edge: Mark | None = None  # the edge of a cell since the last text
    for piece in pieces:
        if piece is line:  # whatever white space is before it or after it
            stretch = _NOTHING if edge is cell_start else _LINE
        elif piece is cell_end:
            stretch, edge = _NOTHING, piece
        elif piece is cell_start:
            gap = max(gap, stretch, _TAB if edge is cell_end else _NOTHING)
            stretch, edge = _NOTHING, piece
        elif isinstance(piece, Mark) or not piece:
            continue
        elif piece.isspace():  # most texts: what lies between two tags
            if edge is not cell_start and stretch < _SPACE:
                stretch = _SPACE
        else:
            if not (piece.isascii() and piece.isprintable()):
                piece = strip_invisible(piece)
            words = piece.split()
            if edge is not cell_start and stretch < _SPACE and piece[:1].isspace():
                stretch = _SPACE
            if words:
                shown += (_GAPS[max(gap, stretch)], " ".join(words))
                gap, edge = _NOTHING, None
                stretch = _SPACE if piece[-1].isspace() else _NOTHING
    return "".join(shown[1:])
