"""Content-Transfer-Encoding undone, also where it is missing, wrong or broken.

Belongs here: bytes to bytes. Not here: charsets.
"""

from __future__ import annotations

import binascii
import re

_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/=\s]+")
_NOT_BASE64 = bytes(byte for byte in range(256) if not re.match(rb"[A-Za-z0-9+/=]", bytes([byte])))
_SPACE_AFTER_SIGN = re.compile(rb"=[ \t]")
_SPACE_BEFORE_END = re.compile(rb"=[ \t]{1,1000}(?=\n)")
_QP_ESCAPE = re.compile(rb"=(?:3D|20|09|C2|C3|E2)")
_NO_QP = re.compile(rb"=(?![0-9A-F]{2}|[ \t]{0,20}\n)")
_QP_SOFT_BREAK = re.compile(rb"[^\s=]=\n\S?")
_LONG_WORD = re.compile(rb"[A-Za-z0-9+/]{40}")
_BLOB_MIN = 60


def decode_transfer(data: bytes, encoding: str) -> tuple[bytes, tuple[str, ...]]:
    """Undo a transfer encoding; unknown ones are taken as none. Never raises.

    Defects: ``base64 broken``, ``base64 with text after it``, ``transfer encoding wrong``, ``transfer encoding
    missing``, ``transfer encoding unknown``.
    """
    encoding = encoding.strip().strip("\"';").lower()
    if encoding in ("base64", "b64", "base-64"):
        return _declared_base64(data)
    if encoding in ("quoted-printable", "qp", "quoted_printable"):
        return decode_quoted_printable(data), ()
    if looks_quoted_printable(data):
        return decode_quoted_printable(_NO_QP.sub(b"=3D", data)), ("transfer encoding missing",)
    known = encoding in ("", "7bit", "8bit", "binary", "7-bit", "8-bit", "none")
    return data, () if known else ("transfer encoding unknown",)


def decode_quoted_printable(data: bytes) -> bytes:
    """Soft line breaks joined (also with spaces after the sign), escapes undone, everything else left as it is."""
    if _SPACE_AFTER_SIGN.search(data):  # by a pattern: `in` takes four times as long for two bytes
        data = _SPACE_BEFORE_END.sub(b"=", data)
    return binascii.a2b_qp(data)


def decode_base64(data: bytes) -> bytes:
    """As many bytes as can be had: noise skipped, blocks after a padding continued, a cut end dropped."""
    out = bytearray()
    for block in re.split(rb"=+", data.translate(None, _NOT_BASE64)):
        block = block[: len(block) - 1] if len(block) % 4 == 1 else block
        out += binascii.a2b_base64(block + b"=" * (-len(block) % 4))
    return bytes(out)


def base64_size(data: bytes) -> int:
    """How many bytes base64 data decodes to, without decoding it."""
    letters = len(data) - data.count(b"\n") - data.count(b"\r") - data.count(b" ") - data.count(b"=")
    return letters * 3 // 4


def undeclared_base64(data: bytes) -> bytes | None:
    """What a body decodes to that is one base64 blob although nothing says so; None when it is none."""
    stripped = data.strip()
    if len(stripped) < _BLOB_MIN or not _LONG_WORD.match(stripped) or not _BASE64_RUN.fullmatch(stripped):
        return None
    lines = stripped.split(b"\n", 4)
    if any(b" " in line.strip() for line in lines[:4]) or not re.search(rb"[a-z]", stripped[:400]):
        return None
    decoded = decode_base64(stripped)
    sample = decoded[:2000]
    printable = sum(1 for byte in sample if byte >= 0x20 or byte in b"\t\r\n")
    if not sample or printable < 0.97 * len(sample):
        return None
    try:
        sample[: len(sample) - 4].decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 8:
            return None
    return decoded


def looks_quoted_printable(data: bytes) -> bool:
    """Whether a body without declared encoding is quoted-printable: soft breaks inside words, and escapes."""
    head = data[:20_000]
    if b"=\n" not in head:
        return False
    return len(_QP_ESCAPE.findall(head)) >= 3 and len(_QP_SOFT_BREAK.findall(head)) >= 2


def _declared_base64(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    run = _BASE64_RUN.match(data)
    if run and run.end() == len(data) and not (b" " in data.strip() and _mostly_words(data)):
        return decode_base64(data), ()
    if not _LONG_WORD.search(data[:4000]) or _mostly_words(data):
        return data, ("transfer encoding wrong",)
    end = run.end() if run else 0
    head_end = data.rfind(b"\n", 0, end) + 1
    if head_end and _mostly_words(data[head_end:]):
        return decode_base64(data[:head_end]) + b"\n" + data[head_end:], ("base64 with text after it",)
    return decode_base64(data), ("base64 broken",)


def _mostly_words(data: bytes) -> bool:
    """Text has a space every few letters, base64 a line end every 60 to 76."""
    sample = data.strip()[:2000]
    return len(sample) > 0 and sample.count(b" ") * 15 > len(sample)
