"""The history of scores as a picture.

Belongs here: an SVG drawn from rows. Not here: tables and numbers (score_shown).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 220, 44, 190
_LINES = (("f1", "#2f6fde", "F1 of all fields"), ("exact_share", "#1a7f4b", "exact orders"))


def svg(history: Sequence[Mapping[str, Any]]) -> str:
    """The lines over the runs, from 0 to 1; a run in which something broke has a red mark."""
    points = [{**row, "exact_share": row["exact"] / row["orders"] if row["orders"] else None} for row in history]
    step = (_WIDTH - _LEFT - 20) / max(1, len(points) - 1)

    def x(number: int) -> float:
        return _LEFT + number * step if len(points) > 1 else (_LEFT + _WIDTH) / 2

    def y(share: float) -> float:
        return _BOTTOM - share * (_BOTTOM - 20)

    parts = [f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>']
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - 20}" y1="{y(share):.1f}" y2="{y(share):.1f}" stroke="#dddddd"/>'
        )
        parts.append(f'<text x="{_LEFT - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.2f}</text>')
    for place, (name, colour, label) in enumerate(_LINES):
        known = [(x(n), y(p[name])) for n, p in enumerate(points) if p[name] is not None]
        if known:
            joined = " ".join(f"{a:.1f},{b:.1f}" for a, b in known)
            parts.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in known]
        parts.append(f'<text x="{_LEFT + place * 150}" y="{_HEIGHT - 8}" fill="{colour}">{label}</text>')
    parts += [
        f'<line x1="{x(n):.1f}" x2="{x(n):.1f}" y1="20" y2="{_BOTTOM}" stroke="#c62f2f" stroke-dasharray="4 3"/>'
        for n, point in enumerate(points)
        if point["broken"]
    ]
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}"'
        f' font-family="sans-serif" font-size="11">{body}</svg>'
    )
