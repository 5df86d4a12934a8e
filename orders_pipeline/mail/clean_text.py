"""What a reader of a mail can see: characters that show nothing are taken out.

Belongs here: cleaning of decoded text. Not here: decoding bytes, HTML, folding of white space between words.
"""

from __future__ import annotations

import re

# Soft hyphen, joiners, direction marks (U+202B before an order number is a real case), fillers, variation
# selectors, interlinear marks and tag characters: none shows, each breaks a pattern or hides a text.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_CONTROL = "\x00-\x08\x0e-\x1f\x7f-\x9f"
_PLAIN_BYTES = bytes((*b"\t\n", *range(32, 127)))
_UNSEEN = re.compile(f"[{_CONTROL}{_INVISIBLE}]+")
_LINE_ENDS = "\r\x0b\x0c\x85\u2028\u2029"
_LINE_END = re.compile(f"\r\n?|[{_LINE_ENDS}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ANY = re.compile(f"[{_CONTROL}{_LINE_ENDS}{_INVISIBLE}\ud800-\udfff]")
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def strip_invisible(text: str) -> str:
    """The text without invisible and control characters, line ends made ``\\n``; tabs stay, spaces stay as sent."""
    if not _needs_strip(text):
        return text
    if any(end in text for end in _LINE_ENDS):
        text = _LINE_END.sub("\n", text)
    text = _UNSEEN.sub("", text)
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _needs_strip(text: str) -> bool:
    """Most bodies have nothing to strip: a pattern is asked only about what is left when plain characters are deleted
    as bytes, which is ten times as fast."""
    if text.isascii() and text.isprintable():
        return False
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN_BYTES)
    return bool(rest) and _ANY.search(rest.decode("utf-8", "surrogatepass")) is not None


def clean_text(text: str) -> str:
    """``strip_invisible``, and every kind of space (no-break, thin, ideographic) made a plain one."""
    return plain_spaces(strip_invisible(text))


def plain_spaces(text: str) -> str:
    """Every kind of space in a stripped text made a plain one."""
    return text if text.isascii() else _SPACE.sub(" ", text)


def clean_line(text: str) -> str:
    """``clean_text`` on one line: runs of white space and line ends become one space, none at the ends."""
    # Of the characters left by stripping, split() parts at exactly the spaces, tabs and line ends.
    return " ".join(strip_invisible(text).split())
