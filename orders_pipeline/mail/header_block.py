"""Where the headers of a message or part end, and which there are.

Belongs here: cutting a header block into name and raw value. Not here: decoding the values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MAX_HEADER_BYTES = 256 * 1024
MAX_PART_HEADER_BYTES = 8 * 1024  # of one part: there can be hundreds
MAX_HEADERS = 1000

HEADER_LINE = re.compile(rb"([!-9;-~]{1,100})[ \t]{0,100}:")
_SURE_NAMES = re.compile(
    rb"(?i)(?:from|to|cc|subject|date|received|message-id|mime-version|return-path|reply-to|sender|delivered-to"
    rb"|content-type|content-transfer-encoding|content-disposition|x-[!-9;-~]{1,80})[ \t]{0,100}:"
)
# A header with the lines folded into it. Not for a block that is cut: what is matched is as long as the block.
_SOUND = re.compile(rb"([!-9;-~]{1,100})([ \t]{0,100}:)([^\n]*+(?:\n[ \t][^\n]*+)*+)\n")
_LEADING_BLANK = re.compile(rb"[\r\n]*")
_LOOK_AHEAD = 20


@dataclass(slots=True)
class HeaderBlock:
    """Raw headers in order, and the offset where the body begins; ``defects`` says what was not as it should be."""

    fields: list[tuple[str, bytes]] = field(default_factory=list)
    body_start: int = 0
    defects: list[str] = field(default_factory=list)
    _first: dict[str, bytes] | None = None

    def get(self, name: str) -> bytes | None:
        """The first raw value of a header, by lower-case name; None when absent. ``fields`` are complete by then."""
        if self._first is None:
            self._first = {key.lower(): value for key, value in reversed(self.fields)}
        return self._first.get(name)


def split_headers(data: bytes, start: int, end: int, limit: int = MAX_HEADER_BYTES) -> HeaderBlock:
    """Read the headers of ``data[start:end]``, whose lines end in ``\\n``; a folded value keeps its line ends. What
    lies beyond ``limit`` bytes is left out.

    A line that is no header (a wrapped value that lost its indent) joins the value before it when more headers
    follow; otherwise, or when it is a delimiter, it begins the body. Without any header everything is body.
    """
    block = HeaderBlock(body_start=start)
    found: list[tuple[str, bytearray]] = []
    leading = _LEADING_BLANK.match(data, start, end)
    first = position = leading.end() if leading else start
    blank = data.find(b"\n\n", first, min(end, first + limit))
    if blank >= 0 and (fields := _sound(data[first : blank + 1])):
        return HeaderBlock(fields=fields, body_start=blank + 2)
    while position < end:
        if len(found) >= MAX_HEADERS or position - first > limit:
            block.defects.append("headers cut")
            blank = data.find(b"\n\n", position, end)
            position = end if blank < 0 else blank + 2
            break
        line_end = data.find(b"\n", position, end)
        line_end = end if line_end < 0 else line_end
        line = data[position : min(line_end, position + limit)]
        if not line:
            position += 1
            break
        if not _take(found, block.defects, line, data, line_end, end, at_first_line=position == first):
            block.defects.append("headers run into the body")
            break
        position = line_end + 1
    block.fields = [(name, bytes(value)) for name, value in found]
    if not found:
        block.defects = ["no headers"] if end > start else []
        block.body_start = start
    else:
        block.body_start = min(position, end)
    return block


def _sound(lines: bytes) -> list[tuple[str, bytes]]:
    """All headers when each line is one or folded into one, as in nearly all mail; none otherwise."""
    found = _SOUND.findall(lines)
    if len(found) > MAX_HEADERS or sum(len(a) + len(b) + len(c) + 1 for a, b, c in found) != len(lines):
        return []
    return [(name.decode("ascii"), value) for name, _, value in found]


def _take(
    found: list[tuple[str, bytearray]],
    defects: list[str],
    line: bytes,
    data: bytes,
    line_end: int,
    end: int,
    *,
    at_first_line: bool,
) -> bool:
    """Add one line to the headers found; False when the body begins with it."""
    if line[:1] in (b" ", b"\t") and found:
        found[-1][1].extend(b"\n" + line)
        return True
    if match := HEADER_LINE.match(line):
        found.append((match[1].decode("ascii"), bytearray(line[match.end() :])))
        return True
    if at_first_line and line.startswith((b"From ", b">From ")):
        return True
    if line.startswith(b"--"):  # a delimiter: what looks like more headers behind it are those of a part
        return False
    ahead = data[line_end : min(end, line_end + 8192)].partition(b"\n--")[0][1:]
    ahead = ahead.partition(b"\n\n")[0].split(b"\n", _LOOK_AHEAD)
    if not any(_SURE_NAMES.match(following) for following in ahead[:_LOOK_AHEAD]):
        return False
    if "header without a name" not in defects:
        defects.append("header without a name")
    if found:
        found[-1][1].extend(b"\n " + line)
    return True
