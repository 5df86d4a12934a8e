"""What a reader of a mail can see: characters that show nothing are taken out.

Belongs here: cleaning of decoded text. Not here: decoding bytes, HTML, folding of white space between words.
"""

from __future__ import annotations

import re

# Soft hyphen, joiners, direction marks (U+202B before an order number is a real case), fillers, variation
# selectors, interlinear marks and tag characters: none shows, each breaks a pattern or hides a text.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]+")
_CONTROL_BYTES = bytes(i for i in (*range(32), 127) if i not in b"\t\n")
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_SPACE = re.compile(r"[\t\n ]+")


def strip_invisible(text: str) -> str:
    """The text without invisible and control characters, line ends made ``\\n``; tabs stay, spaces stay as sent."""
    if text.isascii() and not _has_control(text):
        return text
    text = _CONTROL.sub("", _LINE_END.sub("\n", text))
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", text))


def _has_control(text: str) -> bool:
    """For ASCII: most bodies have none, and deleting bytes is ten times as fast as a pattern."""
    data = text.encode("ascii")
    return len(data.translate(None, _CONTROL_BYTES)) != len(data)


def clean_text(text: str) -> str:
    """``strip_invisible``, and every kind of space (no-break, thin, ideographic) made a plain one."""
    text = strip_invisible(text)
    return text if text.isascii() else _SPACE.sub(" ", text)


def clean_line(text: str) -> str:
    """``clean_text`` on one line: runs of white space and line ends become one space, none at the ends."""
    return _LINE_SPACE.sub(" ", clean_text(text)).strip()
