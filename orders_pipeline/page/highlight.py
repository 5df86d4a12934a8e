"""Where the evidence of a parse stands in a text.

Belongs here: finding and merging, in plain text and in the text of an HTML page. Pure. Not here: how a mark looks
(templates), walking HTML (mail_frame.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

MOST = 300  # pieces of evidence that are looked for; the text of each has at most 200 characters
GAP = "\x1f"  # where one text node of an HTML page ends and the next begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """One text of the evidence and what it is evidence of. ``anchor`` names the place where it is found; ``chosen`` is
    False when only readings that lost stand on it."""

    anchor: str
    text: str
    label: str
    chosen: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A stretch of a text, from ``start`` up to ``end``, and the evidence that it shows."""

    start: int
    end: int
    anchor: str
    label: str
    chosen: bool = True


def sought_of(result: Mapping[str, Any]) -> tuple[Sought, ...]:
    """What to look for: the evidence of all orders of a parse (``encoding.result_to_dict``), one entry a text."""
    fields: dict[str, list[str]] = {}
    chosen: set[str] = set()
    for order in result.get("orders") or ():
        for evidence in (order.get("evidence") or ())[:MOST]:
            text = " ".join(str(evidence["text"]).split())
            if len(text) > 1 and evidence["source"] not in ("header", "link"):
                names = fields.setdefault(text, [])
                name = str(evidence["field"]).replace("_", " ")
                if name not in names:
                    names.append(name)
                if evidence["chosen"]:
                    chosen.add(text)
    return tuple(
        Sought(anchor=f"ev-{n}", text=text, label=", ".join(names), chosen=text in chosen)
        for n, (text, names) in enumerate(list(fields.items())[:MOST])
    )


def marks_in(text: str, sought: Iterable[Sought], *, gaps: bool = False) -> list[Mark]:
    """The first place of each sought text, in order, none overlapping another: a chosen reading goes before one that
    was not, then the longer one stands for both.

    White space counts as equal whatever its kind. With ``gaps`` a ``GAP`` may stand between any two characters.
    """
    found = [
        Mark(start=match.start(), end=match.end(), anchor=one.anchor, label=one.label, chosen=one.chosen)
        for one in sought
        if (match := re.search(_pattern(one.text, gaps=gaps), text))
    ]
    kept: list[Mark] = []
    for mark in sorted(found, key=lambda m: (not m.chosen, m.start - m.end, m.start)):
        overlapped = next((n for n, k in enumerate(kept) if k.start < mark.end and mark.start < k.end), None)
        if overlapped is None:
            kept.append(mark)
        elif mark.chosen:
            one = kept[overlapped]
            names = dict.fromkeys([*one.label.split(", "), *mark.label.split(", ")])
            kept[overlapped] = replace(one, label=", ".join(names))
    return sorted(kept, key=lambda m: m.start)


def segments(text: str, marks: Sequence[Mark]) -> list[tuple[str, Mark | None]]:
    """The text cut at the marks: what lies between them has None."""
    out: list[tuple[str, Mark | None]] = []
    position = 0
    for mark in marks:
        out += [(text[position : mark.start], None), (text[mark.start : mark.end], mark)]
        position = mark.end
    return [(piece, mark) for piece, mark in [*out, (text[position:], None)] if piece]


def _pattern(text: str, *, gaps: bool) -> str:
    # Literals with bounded runs of white space between: nothing to backtrack into.
    within, between = (f"{GAP}?", rf"[\s{GAP}]{{1,60}}") if gaps else ("", r"\s{1,60}")
    return between.join(within.join(map(re.escape, word)) for word in text.split())
