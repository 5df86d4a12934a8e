"""The backlog over the nights as an SVG, written by hand: no library, and git shows what changed.

Belongs here: scales, lines and words of this one picture.
"""

from __future__ import annotations

from collections.abc import Sequence

from orders_pipeline_tests.svg import svg_text
from orders_pipeline_tests.watchdog.nights import AT_THE_END, BEFORE, OURS, Story, Timetable

_WIDTH, _HEIGHT = 860, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 218, 76, 56
_COLOURS = {AT_THE_END: "#b3261e", BEFORE: "#b26a00", OURS: "#0b6e4f"}
_DASHES = {AT_THE_END: "", BEFORE: ' stroke-dasharray="7 4"', OURS: ""}
_GRID = "#dddddd"


def svg(stories: Sequence[Story], table: Timetable) -> str:
    """The picture as text."""
    top = max(count for story in stories for _, count in story.backlog)
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100) if top / s <= 8)
    high = -(-top // step) * step

    def x(night: float) -> float:
        return _LEFT + night / table.nights * (_WIDTH - _LEFT - _RIGHT)

    def y(count: float) -> float:
        return _HEIGHT - _BOTTOM - count / high * (_HEIGHT - _TOP - _BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        ' font-family="system-ui, sans-serif" font-size="13" role="img">',
        "<title>Mails without a result over nine nights, for three ways to keep a cursor</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        svg_text(_LEFT, 28, "Mails without a result, night after night", size=17, weight="600"),
        svg_text(
            _LEFT,
            50,
            f"{table.behind} days of mail wait, {table.mails_a_day} mails more each night; a watchdog kills the job"
            f" after {table.kill_after:g} s",
        ),
    ]
    for count in range(0, high + 1, step):
        out.append(f'<path d="M{_LEFT} {y(count):.1f}H{_WIDTH - _RIGHT}" stroke="{_GRID}"/>')
        out.append(svg_text(_LEFT - 10, y(count) + 4, str(count), anchor="end"))
    out += [svg_text(x(n), _HEIGHT - _BOTTOM + 22, str(n), anchor="middle") for n in range(1, table.nights + 1)]
    out.append(svg_text((x(0) + x(table.nights)) / 2, _HEIGHT - 12, "night", anchor="middle"))
    ends = _apart([(y(story.backlog[-1][1]), story) for story in stories])
    for at, story in ends:
        colour = _COLOURS[story.name]
        points = " ".join(f"{x(night):.1f},{y(count):.1f}" for night, count in story.backlog)
        out.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"'
            f' stroke-linejoin="round"{_DASHES[story.name]}/>'
        )
        out.append(svg_text(x(table.nights) + 10, at, story.name, fill=colour, weight="600"))
        out.append(svg_text(x(table.nights) + 10, at + 17, _ending(story), fill=colour))
    return "\n".join([*out, "</svg>", ""])


def _ending(story: Story) -> str:
    if story.lost:
        return f"{story.lost} lost, and it says none"
    if story.says_open:
        return f"{story.says_open} left, more each night"
    return "caught up, none lost"


def _apart(labels: list[tuple[float, Story]]) -> list[tuple[float, Story]]:
    """The labels moved apart, the lowest first, so that none covers another."""
    out: list[tuple[float, Story]] = []
    for at, story in sorted(labels, key=lambda pair: -pair[0]):
        at = min(at, _HEIGHT - _BOTTOM - 10) if not out else min(at, out[-1][0] - 42)
        out.append((at, story))
    return out
