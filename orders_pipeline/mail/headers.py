"""Header values to text: RFC 2047 words, RFC 2231 parameters, raw 8-bit, all also when broken.

Belongs here: decoding one value. Not here: finding headers, addresses, dates.
"""

from __future__ import annotations

import binascii
import re
from urllib.parse import unquote_to_bytes

from orders_pipeline.mail.charsets import decode_text
from orders_pipeline.mail.clean_text import clean_line

MAX_VALUE = 16 * 1024
MAX_PARAMETERS = 4 * 1024  # of one header: a message has up to 500 parts with two such headers each

# The text is bounded: an encoded word is 75 characters by the standard, and broken ones are a few hundred.
ENCODED_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?(.{0,2000}?)\?=", re.DOTALL)
_CHARSET_OF_WORD = re.compile(rb"=\?([^?\s*]{1,40})(?:\*[^?\s]{0,20})?\?[bBqQ]\?")
_PARAMETER = re.compile(
    r";[\s;]{0,100}([A-Za-z0-9*_.!-]{1,80})\s{0,100}=\s{0,100}(\"(?:[^\"\\]|\\.){0,8000}\"|[^;]{0,8000})", re.DOTALL
)
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]")


def header_bytes_to_str(value: bytes, hint: str | None = None) -> str:
    """A raw header value as text with its encoded words still encoded; 8-bit bytes are UTF-8 or the hint."""
    return decode_text(value[:MAX_VALUE], None, hint=hint)[0]


def decode_header(value: bytes | str, hint: str | None = None) -> str:
    """A header value as one clean line of text."""
    if isinstance(value, bytes) and value.isascii() and b"=?" not in value:  # most are: nothing is to be decoded
        plain = value[:MAX_VALUE].decode("ascii").replace("\n", " ")
        if plain.isprintable():
            return " ".join(plain.split())
    text = header_bytes_to_str(value, hint) if isinstance(value, bytes) else value[:MAX_VALUE]
    return clean_line(decode_words(text))


def decode_words(text: str) -> str:
    """Replace encoded words. Neighbours are joined as bytes first: mailers split characters between two words."""
    if "=?" not in text:
        return text
    pieces: list[str] = []
    pending = b""
    pending_charset: str | None = None
    last = 0
    for word in ENCODED_WORD.finditer(text):
        between = text[last : word.start()]
        charset, data = word[1].partition("*")[0].lower(), _word_bytes(word[2], word[3])
        if pending_charset is not None and charset == pending_charset and not between.strip():
            pending += data
        else:
            pieces.append(decode_text(pending, pending_charset)[0])
            pieces.append(between if between.strip() or last == 0 else "")
            pending, pending_charset = data, charset
        last = word.end()
    pieces.append(decode_text(pending, pending_charset)[0])
    pieces.append(text[last:])
    return "".join(pieces)


def charset_hint(raw_headers: bytes) -> str | None:
    """The charset that the encoded words of a header block name first; a guess for bytes that name none."""
    match = _CHARSET_OF_WORD.search(raw_headers)
    return match[1].decode("ascii", "replace") if match else None


def parse_parameters(text: str) -> tuple[str, dict[str, str]]:
    """``text/html; charset=x; name*0=y`` as its value in lower case and parameters by lower-case name, decoded."""
    head, semicolon, _ = text.partition(";")
    value = next(iter(head.split()), "").lower()
    if not semicolon and "=" in head:  # "text/html charset=utf-8": the semicolon forgotten
        text = re.sub(r"\s+", ";", head.strip(), count=1)
        value = text.partition(";")[0].lower()
    plain: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for match in _PARAMETER.finditer(text[:MAX_PARAMETERS]):
        name, content = match[1].lower(), _unquote(match[2].strip())
        base, star, rest = name.partition("*")
        if not star:
            plain.setdefault(base, clean_line(decode_words(content)))
            continue
        number = rest.rstrip("*")
        pieces.setdefault(base, []).append((int(number) if number.isdecimal() else 0, name.endswith("*"), content))
    for base, parts in pieces.items():
        plain.setdefault(base, _join_rfc2231(sorted(parts, key=lambda part: part[0])))
    return value, plain


def _join_rfc2231(parts: list[tuple[int, bool, str]]) -> str:
    charset: str | None = None
    data = b""
    for index, (_, encoded, content) in enumerate(parts):
        if not encoded:
            data += content.encode("utf-8", "replace")
            continue
        if index == 0 and content.count("'") >= 2:
            charset, _, content = content.split("'", 2)
        data += unquote_to_bytes(content)
    return clean_line(decode_text(data, charset or None)[0])


def _unquote(content: str) -> str:
    if content.startswith('"') and content.endswith('"') and len(content) > 1:
        return re.sub(r"\\(.)", r"\1", content[1:-1], flags=re.DOTALL)
    return content.strip("\"' \t")


def _word_bytes(encoding: str, content: str) -> bytes:
    if encoding in "bB":
        letters = _NOT_BASE64.sub("", content)
        if len(letters) % 4 == 1:
            letters = letters[:-1]
        return binascii.a2b_base64(letters + "=" * (-len(letters) % 4))
    data = content.replace("\n", "").encode("utf-8", "replace")
    return binascii.a2b_qp(data, header=True)
