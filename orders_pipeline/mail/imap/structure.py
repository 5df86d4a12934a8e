"""A message's structure as lines for people.

Belongs here: BODYSTRUCTURE to lines such as ``application/pdf, 1234567 bytes, invoice.pdf``. Not here: asking for it.
"""

from __future__ import annotations

from orders_pipeline.encoding import printable_line
from orders_pipeline.mail.headers import decode_words
from orders_pipeline.mail.imap.answers import Token

_MAX_LINES = 200


def structure_lines(structure: Token) -> list[str]:
    """One line a part, in order; empty for what is no structure. Sizes are in bytes as sent."""
    lines: list[str] = []
    _walk(structure, lines)
    return lines


def _walk(part: Token, lines: list[str]) -> None:
    if not isinstance(part, list) or not part or len(lines) >= _MAX_LINES:
        return
    if isinstance(part[0], list):
        for inner in part:
            if not isinstance(inner, list):
                break
            _walk(inner, lines)
        return
    if len(part) < 2:
        return
    kind = f"{_text(part[0])}/{_text(part[1])}".lower()
    size = part[6] if len(part) > 6 and isinstance(part[6], bytes) and part[6].isdigit() else b""
    words = [kind, f"{size.decode()} bytes" if size else "", _name(part)]
    lines.append(", ".join(word for word in words if word))
    if kind == "message/rfc822" and len(part) > 8:
        _walk(part[8], lines)


def _name(part: list[Token]) -> str:
    """The file name, from the disposition or else from the type's parameters."""
    for field in part[7:]:
        if isinstance(field, list) and len(field) == 2 and isinstance(field[0], bytes):
            name = _parameter(field[1], b"FILENAME")
            if name:
                return name
    return _parameter(part[2], b"NAME") if len(part) > 2 else ""


def _parameter(pairs: Token, wanted: bytes) -> str:
    if isinstance(pairs, list):
        for key, value in zip(pairs[::2], pairs[1::2], strict=False):
            if isinstance(key, bytes) and key.upper() == wanted:
                return _text(value)
    return ""


def _text(value: Token) -> str:
    if not isinstance(value, bytes):
        return ""
    return printable_line(decode_words(value[:1000].decode("utf-8", "replace")), 120)
