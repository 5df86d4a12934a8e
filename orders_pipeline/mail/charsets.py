"""Bytes to text when the declared charset is missing, unknown or wrong.

Belongs here: choosing a codec and repairing doubly encoded text. Not here: transfer encodings, headers, HTML.
"""

from __future__ import annotations

import codecs
import re

# Mail programs name a subset and send its superset: the superset decodes both.
_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso2022_jp": "iso2022_jp_ext",
    "big5": "big5hkscs",
    "utf-8-sig": "utf-8",
}
_ALIASES = {
    "ks_c_5601-1987": "cp949",
    "x-windows-949": "cp949",
    "x-gbk": "gb18030",
    "x-sjis": "cp932",
    "x-euc-jp": "euc_jp",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-6-i": "iso8859-6",
    "unicode-1-1-utf-7": "utf-7",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "utf-8mb4": "utf-8",
    "unicode": "utf-16",
    "ansi": "cp1252",
}
_NOT_FOR_MAIL = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "mbcs", "oem", "palmos"}
_SINGLE_BYTE = re.compile(r"cp125\d|cp437|cp85\d|cp874|iso8859-\d+|koi8-[rtu]|mac-\w+|latin_?1|hp-roman8|kz1048")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ISO_2022_JP = re.compile(rb"\x1b(?:\$[@B]|\([JI])")
_SAMPLE = 4096
# cp1252 as programs read it: the five bytes it leaves undefined become control characters.
_CP1252_BYTES = {ord(bytes([i]).decode("cp1252", "ignore") or chr(i)): i for i in range(256)}
# Pairs that no language writes; others ("é…”") are words and would become ideographs.
_DOUBLE = re.compile(
    "[ÂÃ][\u00a0-\u00bf]|â(?:€[\x9d\u00a0-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|‚[¬\u00a0-\u00bf]|„[¢\u00a0-\u00bf])"
)


def codec_for(name: str | None) -> str | None:
    """The Python codec to use for a charset name as found in mail; None when it is no charset we know."""
    if not name:
        return None
    name = name.strip(" \t\r\n\"'<>;,").lower().removeprefix("charset=").partition("*")[0]
    if not name or len(name) > 40 or not name.isascii():
        return None
    try:
        info = codecs.lookup(_ALIASES.get(name, name))
    except (LookupError, ValueError, UnicodeError, ImportError):
        return None
    if not getattr(info, "_is_text_encoding", True) or info.name.replace("_", "-") in _NOT_FOR_MAIL:
        return None
    return _SUPERSETS.get(info.name, info.name)


def decode_text(data: bytes, declared: str | None = None, *, hint: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Decode body or header bytes; never raises.

    ``declared`` is the charset named for these bytes, ``hint`` one named elsewhere in the same mail. Returns the
    text and defects: ``charset unknown``, ``charset wrong``, ``charset missing``, ``charset mojibake``,
    ``charset undecodable``.
    """
    codec = codec_for(declared)
    defects = ["charset unknown"] if declared and codec is None else []
    if data.isascii() and b"\x1b" not in data and b"\x00" not in data and (codec is None or not _is_seven_bit(codec)):
        return data.decode("ascii"), tuple(defects)
    for bom, of_bom in _BOMS:
        if data.startswith(bom):
            return data.decode(of_bom, "replace"), ()
    if wide := wide_codec(data):
        return data.decode(wide, "replace"), tuple(defects if codec == wide else [*defects, "charset wrong"])
    if _ISO_2022_JP.search(data[:_SAMPLE]) and data.isascii():
        return data.decode("iso2022_jp_ext", "replace"), tuple(defects)
    text, fault = _decode_eight_bit(data, codec, codec_for(hint))
    if fault:
        defects.append(fault)
    repaired = _undo_double_encoding(text)
    if repaired is not None:
        return repaired, (*defects, "charset mojibake")
    return text, tuple(defects)


def _decode_eight_bit(data: bytes, codec: str | None, hint: str | None) -> tuple[str, str | None]:
    """Decode with the declared codec unless UTF-8 fits where only chance could make it fit."""
    if codec is not None and not _SINGLE_BYTE.fullmatch(codec) and codec not in ("utf-16", "utf-32"):
        text = _strictly(data, codec)
        if text is not None:
            return text, None
    utf8 = _strictly(data, "utf-8")
    if utf8 is not None:
        return utf8, None if codec in (None, "utf-8") else "charset wrong"
    for candidate in (codec, hint):
        if candidate and candidate != "utf-8" and (text := _strictly(data, candidate)) is not None:
            return text, None if candidate == codec else "charset missing"
    return _least_damage(data, codec)


def _least_damage(data: bytes, codec: str | None) -> tuple[str, str]:
    """No codec fits: keep the multi-byte one when most of it decodes, otherwise read single bytes."""
    if codec is None or codec == "utf-8" or codec.startswith("utf-16"):
        codec = "utf-8"
    text = data.decode(codec, "replace")
    bad = text.count("\ufffd")
    if not _SINGLE_BYTE.fullmatch(codec) and bad * 2 < sum(1 for c in text if c > "\x7f"):
        return text, "charset undecodable"
    return data.decode("cp1252", "replace").replace("\ufffd", ""), "charset wrong"


def wide_codec(data: bytes) -> str | None:
    """utf-16-le or -be when every other byte of the start is mostly zero: no other text has zero bytes."""
    sample = data[: _SAMPLE // 2 * 2]
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    half = len(sample) // 2
    if sample[1::2].count(0) > 0.6 * half and sample[0::2].count(0) < 0.2 * half:
        return "utf-16-le"
    if sample[0::2].count(0) > 0.6 * half and sample[1::2].count(0) < 0.2 * half:
        return "utf-16-be"
    return None


def _undo_double_encoding(text: str) -> str | None:
    """UTF-8 that was read as cp1252 and encoded again (``â‚¬`` for a euro sign), put right; None when it is not."""
    if text.isascii() or not any(first in text for first in "ÂÃâ") or not _DOUBLE.search(text):
        return None
    whole = _misread_utf8(text)
    if whole is not None:
        return whole
    repaired = _DOUBLE.sub(lambda run: _misread_utf8(run[0]) or run[0], text)
    return repaired if repaired != text else None


def _misread_utf8(text: str) -> str | None:
    try:
        return _strictly(codecs.charmap_encode(text, "strict", _CP1252_BYTES)[0], "utf-8")
    except UnicodeEncodeError:
        return None


def _is_seven_bit(codec: str) -> bool:
    """Codecs in which ASCII bytes may stand for other characters."""
    return codec.startswith(("iso2022", "utf-16", "utf-32", "utf-7", "hz"))


def _strictly(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except (UnicodeError, LookupError, ValueError):
        return None
