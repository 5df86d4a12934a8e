"""What the two replays print: one table each, plain text.

Belongs here: columns and words. Not here: counting (nights.py, mark.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from orders_pipeline_tests.watchdog.mark import Night
from orders_pipeline_tests.watchdog.nights import Story, Timetable


def first_story(stories: Sequence[Story], table: Timetable) -> str:
    """The frozen cursor, a line a strategy."""
    head = (
        "",
        "mails",
        "results",
        "lost",
        "still open",
        "nights killed",
        "judged",
        "twice",
        "saved, yet paid",
        "last run needs",
    )
    lines = [
        (
            s.name, s.mails, s.handled, s.lost, s.says_open, s.killed, s.judged, s.judged_twice, s.paid_though_saved,
            f"{s.says_open * table.seconds_a_mail:.1f} s",
        )
        for s in stories
    ]  # fmt: skip
    return columns([head, *lines])


def second_story(found: Mapping[str, tuple[Night, Night]]) -> str:
    """The lying watermark, a line a way and night."""
    head = ("", "night", "judged", "proposals safe", "rows still to judge")
    lines = [
        (name if number == 1 else "", number, night.judged, night.safe, night.still_open)
        for name, nights in found.items()
        for number, night in enumerate(nights, start=1)
    ]
    return columns([head, *lines])


def columns(rows: Sequence[Sequence[object]]) -> str:
    """Rows as text, the first column to the left, the others to the right."""
    words = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[n]) for row in words) for n in range(len(words[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if n == 0 else cell.rjust(w) for n, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in words
    )
