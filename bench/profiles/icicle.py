"""A tree of samples as a static SVG: callers above, what they call below, as wide as its share of the time.

Belongs here: places, colours and words. Readable without a script: what is too narrow for its name is in the list of
the functions that took most themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bench.profiles.stacks import OWN, Node, depth, own_times, without_small

WIDTH = 1280
_EDGE, _ROW, _LETTER = 16, 22, 6.7  # px; a letter of 12 px takes 6.7 on average in a fixed-width font
_HEAD, _BAR_ROW = 74, 20
_LEAST = 0.008  # of all samples: 10 px
_LISTED = 16
_COLOURS = (
    (f"{OWN}.mail", "mail", "#9ecae1"),
    (f"{OWN}.extract", "extract", "#a1d99b"),
    (f"{OWN}.store", "store", "#fdd0a2"),
    (f"{OWN}.stages", "stages", "#dadaeb"),
    (f"{OWN}.review", "review", "#fcc5c0"),
    (OWN, "other parts", "#c7e9c0"),
    ("dagster", "Dagster", "#e7d4b5"),
    ("", "libraries", "#e4e4e4"),
)


def icicle(root: Node, *, title: str, how: str) -> str:
    """The picture as text, 1,280 px wide."""
    least = _LEAST * root.count
    shown = without_small(root, least)
    rows = depth(shown)
    listed = [(f, n) for f, n in own_times(root).most_common(_LISTED + 1) if n >= least / 2 and f.package][:_LISTED]
    top = _HEAD + rows * _ROW + 34
    height = top + -(-len(listed) // 2) * _BAR_ROW + 16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="11" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(_EDGE, 26, title, size=16, weight="600"),
        _text(_EDGE, 46, how),
        *_legend(),
        *_boxes(shown, root.count, _EDGE, 0),
        _text(_EDGE, top - 10, "most time in themselves", size=13, weight="600"),
    ]
    half = -(-len(listed) // 2)
    for place, (frame, count) in enumerate(listed):
        x, y = _EDGE + (WIDTH / 2) * (place // half), top + (place % half) * _BAR_ROW
        share = count / root.count
        out.append(_box(x, y, share * 400, 16, _colour(frame.package)))
        out.append(_text(x + 6 + share * 400, y + 12, f"{share:.1%}  {frame.label}"))
    return "\n".join([*out, "</svg>", ""])


def _legend() -> Iterator[str]:
    x = float(_EDGE)
    for _, name, colour in _COLOURS:
        yield _box(x, 56, 12, 12, colour)
        yield _text(x + 17, 66, name)
        x += 17 + len(name) * _LETTER + 22


def _boxes(node: Node, whole: int, x: float, level: int) -> Iterator[str]:
    width = node.count / whole * (WIDTH - 2 * _EDGE)
    y = _HEAD + level * _ROW
    share = f"{node.count / whole:.0%}"
    box = _box(x, y, max(width - 1, 1), _ROW - 2, _colour(node.frame.package))
    yield f"<g><title>{escape(node.frame.label)} {share}</title>{box}"
    if words := _fitting(node.frame.label, share, width - 8):
        yield _text(x + 4, y + 14, words)
    yield "</g>"
    for child in sorted(node.below.values(), key=lambda n: (-n.count, n.frame.label)):
        yield from _boxes(child, whole, x, level + 1)
        x += child.count / whole * (WIDTH - 2 * _EDGE)


def _fitting(label: str, share: str, width: float) -> str:
    """The name with its share, the name alone, its end, or nothing: what there is room for."""
    letters = int(width / _LETTER)
    function = label.rpartition(": ")[2]
    short = function.rpartition(".")[2]
    for words in (f"{label} {share}", f"{function} {share}", function):
        if len(words) <= letters:
            return words
    words = function if letters >= 12 else short
    return words if len(words) <= letters else words[: letters - 1] + "…" if letters >= 4 else ""


def _colour(package: str) -> str:
    if not package:
        return "#ffffff"
    return next(c for prefix, _, c in _COLOURS if package.startswith(prefix))


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" fill="{colour}"/>'


def _text(x: float, y: float, words: str, *, size: int = 11, weight: str = "400") -> str:
    more = "" if size == 11 and weight == "400" else f' font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(words)}</text>'
