"""Inline forwards: where a forwarded message begins in a text, and what its header lines say.

Belongs here: finding and cutting. Not here: attached messages (mime), whether the forwarder may be trusted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from orders_pipeline.mail.forward_words import LABELS, MARKERS

MAX_FORWARDS = 8
_MAX_LINE = 400
_SEARCHED_LINES = 20_000
_DECORATION = " \t-_*=>|:—–"
_MUTT = re.compile(r"(?i)-{2,}\s?forwarded message from (.{1,300}?)\s{0,3}-{2,}\s{0,3}\Z")
_LABELLED = re.compile(
    r"\s{0,8}\*{0,2}([^\W\d_][\w '’-]{0,18}?)\*{0,2}[ \t]{0,4}[:：]\*{0,2}\s{0,8}(.{0,600})", re.DOTALL
)
_MAILTO = re.compile(
    r"\s?\[(?:mailto|smtp):\s?([^\]\s]{1,300})\]", re.IGNORECASE
)  # Outlook: Ann [mailto:ann@x.example]
_LONGEST_MARKER = max(map(len, MARKERS))
_FROM_LABELS = frozenset(label for label, field in LABELS.items() if field == "from")
# A line that can begin a forwarded message, in lower case: each alternative is one of ``_head_at``.
_FRAME = rf"[{re.escape(_DECORATION)}]*+"
_START = re.compile(
    rf"\n(?:[ \t>*]*+(?:{'|'.join(map(re.escape, sorted(_FROM_LABELS)))})[ \t>*]*+[:：]"
    rf"|{_FRAME}(?:{'|'.join(map(re.escape, sorted(MARKERS)))}){_FRAME}(?:\n|\Z)"
    r"|[^\S\n]*+--+\s?forwarded message from)"
)
_QUOTE = re.compile(r"(?: ?>)+ ?")


@dataclass(frozen=True, slots=True)
class Forward:
    """One forwarded message in a text: its header values as written, its own text, and the line that announced it."""

    announced_by: str
    sender: str
    subject: str
    date: str
    to: str
    text: str


def find_forwards(text: str) -> tuple[Forward, ...]:
    """The forwarded messages in a text, outermost first; each one's text ends where the next begins."""
    if not _START.search("\n" + text.lower()):  # one pass over the text: one mail in thirty has such a line
        return ()
    lines = text.split("\n", _SEARCHED_LINES)[:_SEARCHED_LINES]
    starts: list[tuple[int, int, dict[str, str]]] = []  # first line, first line of the body, header values
    after = 0  # the line after the last head
    for index, line in enumerate(lines):
        if index < after or not _may_begin(line) or (head := _head_at(lines, index)) is None:
            continue
        starts.append((index, *head))
        after = head[0]
        if len(starts) == MAX_FORWARDS:
            break
    found: list[Forward] = []
    for number, (first, body, values) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(lines)
        found.append(
            Forward(
                announced_by=lines[first].strip(),
                sender=_MAILTO.sub(r" <\1>", values.get("from", "")),
                subject=values.get("subject", ""),
                date=values.get("date", ""),
                to=values.get("to", ""),
                text=_unquoted(lines[body:end]),
            )
        )
    return tuple(found)


def _may_begin(line: str) -> bool:
    """Whether a line can begin a forwarded message: cheap, for every line of every mail is asked."""
    plain = line.strip(_DECORATION)
    if len(plain) <= _LONGEST_MARKER and plain.lower() in MARKERS:
        return True
    if ":" not in line and "：" not in line:
        return line.lstrip().startswith("--")
    head = line.partition(":")[0].partition("：")[0].strip(" 	>*")
    return head.lower() in _FROM_LABELS or line.lstrip().startswith("--")


def _head_at(lines: list[str], index: int) -> tuple[int, dict[str, str]] | None:
    """If a forwarded message begins at this line: where its body begins, and its header values."""
    line = lines[index]
    if not line or len(line) > _MAX_LINE:
        return None
    plain = line.strip(_DECORATION)
    if mutt := _MUTT.match(line.strip()):
        body, values = _header_lines(lines, index + 1)
        return body, {"from": mutt[1], **values}
    if plain.lower() in MARKERS:
        body, values = _header_lines(lines, index + 1)
        return (body, values) if "from" in values else None
    if _label(line) != "from":
        return None
    body, values = _header_lines(lines, index)
    return (body, values) if {"from", "date", "subject"} <= values.keys() else None


def _header_lines(lines: list[str], start: int) -> tuple[int, dict[str, str]]:
    """Labelled lines from ``start`` on (blank ones before them skipped); the first line after, and the values."""
    index = start
    while index < min(len(lines), start + 4) and not lines[index].strip(_DECORATION):
        index += 1
    values: dict[str, str] = {}
    last = ""
    while index < len(lines):
        line = (
            _QUOTE.sub("", lines[index][:_MAX_LINE], count=1) if lines[index].lstrip().startswith(">") else lines[index]
        )
        field = _label(line)
        match = _LABELLED.match(line) if field else None
        if match and field:
            if field == "from" and "from" in values:
                break
            values.setdefault(field, match[2].strip(" \t*"))
            last = field
        elif line.strip() and last in ("to", "cc", "from") and ("@" in line or line[:1] in " \t") and len(line) < 200:
            values[last] += " " + line.strip()
        elif line.strip() and last and not values[last]:
            values[last] = line.strip()  # the value stands on the line after its label
        else:
            break
        index += 1
    return index, values


def _label(line: str) -> str | None:
    match = _LABELLED.match(_QUOTE.sub("", line[:_MAX_LINE], count=1) if line.lstrip().startswith(">") else line[:700])
    return LABELS.get(match[1].strip().lower()) if match else None


def _unquoted(lines: list[str]) -> str:
    """One level of quoting taken off when the text is quoted at all."""
    shown = [line for line in lines if line.strip()]
    if shown and sum(line.startswith(">") for line in shown) * 2 > len(shown):
        lines = [line[1:].removeprefix(" ") if line.startswith(">") else line for line in lines]
    return "\n".join(lines).strip("\n")
