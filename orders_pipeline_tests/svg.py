"""Words in an SVG that is written by hand, as the plots of this project are."""

from __future__ import annotations

from html import escape

INK = "#222222"


def svg_text(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 13, weight: str = "400", fill: str = INK
) -> str:
    """A ``text`` element; places and size in px."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}"'
        f' fill="{fill}">{escape(words)}</text>'
    )
