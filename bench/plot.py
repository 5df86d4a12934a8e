"""The figures with a goal as an SVG: how far each is, on a scale where 1 is the goal.

Belongs here: scales, bars and words of this one picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bench.figures import Figure
from bench.report import number
from orders_pipeline_tests.svg import INK, svg_text

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP, _BOTTOM = 930, 34, 330, 200, 76, 52
_GOOD, _SHORT, _GRID = "#0b6e4f", "#b26a00", "#dddddd"
_LOW, _HIGH = 0.1, 10.0  # of the goal; what is beyond stands at the edge


def svg(figures: Sequence[Figure]) -> str:
    """The picture as text. A bar to the right of the middle line is better than the goal."""
    goals = [f for f in figures if f.reach]
    height = _TOP + _ROW * len(goals) + _BOTTOM

    def x(part: float) -> float:
        place = (math.log10(min(max(part, _LOW), _HIGH)) - math.log10(_LOW)) / math.log10(_HIGH / _LOW)
        return _LEFT + place * (_WIDTH - _LEFT - _RIGHT)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}"'
        ' font-family="system-ui, sans-serif" font-size="13" role="img">',
        "<title>Measured ratios beside their goals</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        svg_text(24, 30, "Measured beside the goal", size=17, weight="600"),
        svg_text(24, 52, "right of the line is better than asked; both sides on a logarithmic scale"),
    ]
    bottom = _TOP + _ROW * len(goals)
    for part, label in ((0.1, "a tenth"), (0.5, "half"), (1.0, "the goal"), (2.0, "twice"), (10.0, "ten times")):
        colour, width = (INK, 1.5) if part == 1 else (_GRID, 1)
        out.append(f'<path d="M{x(part):.1f} {_TOP}V{bottom}" stroke="{colour}" stroke-width="{width}"/>')
        out.append(svg_text(x(part), bottom + 20, label, anchor="middle"))
    for place, figure in enumerate(goals):
        assert figure.part
        middle = _TOP + _ROW * place + _ROW / 2
        colour = _GOOD if figure.reached else _SHORT
        left, right = sorted((x(1), x(figure.part)))
        out.append(
            f'<rect x="{left:.1f}" y="{middle - 8:.1f}" width="{max(right - left, 2):.1f}" height="16"'
            f' fill="{colour}"/>'
        )
        out.append(svg_text(_LEFT - 12, middle + 4, figure.what, anchor="end"))
        words = f"{number(figure.ratio)}{figure.unit} ({figure.sense.value} {figure.reach:g}{figure.unit})"
        out.append(svg_text(_WIDTH - _RIGHT + 12, middle + 4, words, fill=colour, weight="600"))
    return "\n".join([*out, "</svg>", ""])
