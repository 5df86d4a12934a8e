"""A message's parts, found by offsets: the bytes are neither copied for each level nor read twice.

Belongs here: the tree of multiparts down to its leaves, within bounds. Not here: what a leaf says.
The standard library's parser never raised on the corpus, but it is recursive and asks every open multipart about
every line: 1,000 nested parts make each line cost 1,000 tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from orders_pipeline.mail.header_block import MAX_PART_HEADER_BYTES, HeaderBlock, split_headers
from orders_pipeline.mail.headers import MAX_PARAMETERS, decode_header, header_bytes_to_str, parse_parameters

MAX_DEPTH = 20
MAX_PARTS = 500

# A line that looks like a delimiter, before what looks like a part's headers.
_GUESSED = re.compile(rb"(?m)^--([!-~][ -~]{2,90}?)[ \t]{0,10}\n(?:[ \t]{0,10}\n)?(?=Content-|content-|--)")
_GUESS_WITHIN = 64 * 1024
_MIME_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}")


@dataclass(slots=True)
class Part:
    """One leaf (or an attached message): where its body lies in the message and what its headers say of it."""

    content_type: str
    charset: str | None
    encoding: str
    disposition: str
    filename: str
    start: int
    end: int
    is_root: bool


@dataclass(slots=True)
class _Walk:
    data: bytes
    hint: str | None
    defects: list[str]
    count: int = 0


def leaf_parts(data: bytes, top: HeaderBlock, defects: list[str], hint: str | None = None) -> Iterator[Part]:
    """The leaves of a message in order; attached messages are leaves too. Adds what was wrong to ``defects``.

    A multipart whose boundary is missing or wrong is split at a boundary that its body shows; where it shows
    none, its body is one text.
    """
    walk = _Walk(data, hint, defects)
    yield from _leaves(walk, top, len(data), default="text/plain", depth=0)


def _leaves(walk: _Walk, block: HeaderBlock, end: int, *, default: str, depth: int) -> Iterator[Part]:
    walk.count += 1
    part, parameters = _describe(walk, block, end, default, is_root=depth == 0)
    if part.is_root and part.content_type == "text/plain" and _undeclared_multipart(walk.data, part):
        _note(walk, "multipart undeclared")
        part.content_type = "multipart/mixed"
    if not part.content_type.startswith("multipart/"):
        yield part
        return
    if depth >= MAX_DEPTH:
        _note(walk, "nesting cut")
        yield part
        return
    spans = _spans(walk, part, parameters.get("boundary", ""))
    if not spans:
        part.content_type = "text/plain"
        yield part
        return
    inner_default = "message/rfc822" if part.content_type == "multipart/digest" else "text/plain"
    for start, stop in spans:
        if walk.count >= MAX_PARTS:
            _note(walk, "parts cut")
            return
        headers = split_headers(walk.data, start, stop, MAX_PART_HEADER_BYTES)
        if walk.data[start : start + 1] == b"\n":  # no headers at all, as is allowed
            headers = HeaderBlock(body_start=start + 1)
        yield from _leaves(walk, headers, stop, default=inner_default, depth=depth + 1)


def _undeclared_multipart(data: bytes, part: Part) -> bool:
    """Whether a text begins with a delimiter line and part headers: its own header was lost or overwritten."""
    start = part.start
    while data[start : start + 1] in (b"\n", b" "):
        start += 1
    return data.startswith(b"--", start) and _GUESSED.match(data, start, part.end) is not None


def _describe(walk: _Walk, block: HeaderBlock, end: int, default: str, *, is_root: bool) -> tuple[Part, dict[str, str]]:
    value, parameters = _parameters(walk, block, "content-type")
    if block.get("content-type") is not None and not _MIME_TYPE.fullmatch(value):
        _note(walk, "content type broken")
        value = "text/html" if "html" in value else "multipart/mixed" if "boundary" in parameters else default
    disposition, details = _parameters(walk, block, "content-disposition")
    part = Part(
        content_type=value or default,
        charset=parameters.get("charset") or None,
        encoding=_encoding(block.get("content-transfer-encoding")),
        disposition=disposition,
        filename=(details.get("filename") or parameters.get("name") or "")[:255],
        start=block.body_start,
        end=end,
        is_root=is_root,
    )
    return part, parameters


def _encoding(raw: bytes | None) -> str:
    return decode_header(raw).partition(" ")[0].lower() if raw else ""


def _parameters(walk: _Walk, block: HeaderBlock, name: str) -> tuple[str, dict[str, str]]:
    raw = block.get(name)
    if not raw:
        return "", {}
    return parse_parameters(header_bytes_to_str(raw[:MAX_PARAMETERS], walk.hint).replace("\n", " "))


def _spans(walk: _Walk, part: Part, boundary: str) -> list[tuple[int, int]]:
    """Where the parts of a multipart lie; empty when no boundary fits."""
    spans: list[tuple[int, int]] = []
    closed = False
    if boundary:
        spans, closed = _split(walk.data, part.start, part.end, boundary.encode("utf-8", "replace"))
    if not spans:
        _note(walk, "boundary wrong" if boundary else "boundary missing")
        guessed = _GUESSED.search(walk.data, part.start, min(part.end, part.start + _GUESS_WITHIN))
        if guessed is None:
            return []
        spans, closed = _split(walk.data, part.start, part.end, guessed[1])
    if not closed:
        _note(walk, "multipart without end")
    return spans


def _split(data: bytes, start: int, end: int, boundary: bytes) -> tuple[list[tuple[int, int]], bool]:
    """Spans between delimiter lines, and whether a closing delimiter was seen."""
    delimiter = b"--" + boundary
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    position = start if data.startswith(delimiter, start, end) else _next_line_with(data, delimiter, start, end)
    while position >= 0:
        line_end = data.find(b"\n", position, end)
        line_end = end if line_end < 0 else line_end
        rest = data[position + len(delimiter) : min(line_end, position + len(delimiter) + 200)].strip()
        if rest in (b"", b"--"):
            if opened is not None:
                spans.append((opened, max(opened, position - 1)))
            opened = min(line_end + 1, end)
            if rest:
                return spans, True
            if len(spans) >= MAX_PARTS:
                return spans, True
        position = _next_line_with(data, delimiter, position, end)
    if opened is not None and opened < end:
        spans.append((opened, end))
    return spans, False


def _next_line_with(data: bytes, delimiter: bytes, start: int, end: int) -> int:
    found = data.find(b"\n" + delimiter, start, end)
    return found + 1 if found >= 0 else -1


def _note(walk: _Walk, defect: str) -> None:
    if defect not in walk.defects:
        walk.defects.append(defect)
