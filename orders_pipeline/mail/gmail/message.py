"""One message as Gmail's API gives it, to the bytes that are kept.

Belongs here: base64url, dates, and headers and structure of a message whose body is left out. Not here: asking for it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from orders_pipeline.encoding import printable_line
from orders_pipeline.mail.left_out import without_body

_MAX_DEPTH = 8
_ALPHABET = bytes.maketrans(b"+/", b"-_")
# Everything but the data: a text body of 100 MB is not to be sent for its structure.
_PART = "partId,mimeType,filename,headers,body(size)"


def _nested(depth: int) -> str:
    return f"{_PART},parts({_nested(depth - 1)})" if depth else _PART


STRUCTURE_FIELDS = f"id,internalDate,sizeEstimate,payload({_nested(_MAX_DEPTH)})"


def raw_of(data: Mapping[str, Any]) -> bytes:
    """The message's bytes. Raises ValueError when there are none: no ``raw``, or no base64url."""
    text = data.get("raw")
    if not isinstance(text, str) or not text:
        raise ValueError("Gmail sent no bytes")
    try:
        packed = text.encode("ascii").translate(_ALPHABET).rstrip(b"=")
        return base64.b64decode(packed + b"=" * (-len(packed) % 4), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise ValueError("Gmail sent no base64url") from None


def received_ms_of(data: Mapping[str, Any]) -> int | None:
    """internalDate, in milliseconds since 1970; None when it is none."""
    value = data.get("internalDate")
    if isinstance(value, str) and len(value) < 20 and value.isascii() and value.removeprefix("-").isdigit():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def size_of(data: Mapping[str, Any]) -> int:
    """The estimated size in bytes; 0 when it is not told."""
    size = data.get("sizeEstimate")
    return size if isinstance(size, int) and 0 <= size < 2**40 else 0


def kept_of_large(data: Mapping[str, Any], *, size: int, limit: int) -> bytes:
    """What is kept of a message over ``limit``, from an answer with ``STRUCTURE_FIELDS``. Raises ValueError."""
    payload = data.get("payload")
    if not isinstance(payload, dict):
        raise ValueError("Gmail sent no structure")
    return without_body(_head(payload), size=size, limit=limit, structure=list(_structure(payload)))


def _head(payload: Mapping[str, Any]) -> bytes:
    headers = payload.get("headers")
    lines = []
    for header in headers if isinstance(headers, list) else ():
        if isinstance(header, dict):
            name, value = (_one_line(str(header.get(part, ""))) for part in ("name", "value"))
            lines.append(f"{name}: {value}")
    return "\r\n".join(lines).encode("utf-8", "replace")


def _one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines())


def _structure(part: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    body, parts = part.get("body"), part.get("parts")
    size = body.get("size") if isinstance(body, dict) else None
    told = [printable_line(str(part.get("mimeType") or "unknown"), 80)]
    told += [f"{size} bytes"] if isinstance(size, int) and not parts else []
    told += [printable_line(str(part["filename"]), 120)] if part.get("filename") else []
    yield "  " * depth + ", ".join(told)
    if depth < _MAX_DEPTH:
        for inner in parts if isinstance(parts, list) else ():
            if isinstance(inner, dict):
                yield from _structure(inner, depth + 1)
