"""Names of folders as people read them, and locations of messages.

Belongs here: the server's names (modified UTF-7, or whatever bytes it sends) to text and back, without two names that
read alike. Not here: which folders count.
"""

from __future__ import annotations

import re

from imapclient import imap_utf7

_ESCAPE = re.compile(r"\\x([0-9a-f]{2})")
_PLAIN = frozenset(range(0x20, 0x7F)) - frozenset(b"\\&")


def label_of(raw: bytes) -> str:
    """The folder's name as text. What is no valid name, or cannot be shown, is written as ``\\xNN``.

    Two names never give one label: a decoded name holds no backslash, an escaped one always does.
    """
    if raw.upper() == b"INBOX":
        return "INBOX"
    try:
        text = imap_utf7.decode(raw)
        if text.isprintable() and "\\" not in text and imap_utf7.encode(text) == raw:
            return text
    except (UnicodeError, ValueError, LookupError):
        pass
    return "".join(chr(b) if b in _PLAIN else f"\\x{b:02x}" for b in raw)


def raw_of(label: str) -> bytes:
    """The inverse of ``label_of``; any text has a name in the server's form."""
    if "\\" in label:
        return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), label).encode("latin-1", "replace")
    return imap_utf7.encode(label)


def location_of(label: str, validity: int, uid: int, mark: str = "") -> str:
    """Folder, UIDVALIDITY and UID. ``mark`` tells a message apart from an earlier one under the same UID."""
    return f"{label}/{validity}/{uid}{mark}"


def parts_of(location: str) -> tuple[str, int, int]:
    """The folder's label, UIDVALIDITY and UID of a location. Raises ``ValueError`` for what is none."""
    label, validity, uid = location.rsplit("/", 2)
    return label, int(validity), int(uid.partition(".")[0])
