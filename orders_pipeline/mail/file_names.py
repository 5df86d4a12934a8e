"""File names as locations: text that is valid, printable, and leads back to one file.

Belongs here: names, and what kind of file a name stands for. Not here: opening files.
"""

from __future__ import annotations

import os
import re

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\\\\\udc80-\udcff\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def location_of(relative: str) -> str:
    """A relative path as a location: forward slashes, and what is no printable text written as ``\\xNN``.

    ``relative`` comes from the file system (undecodable bytes as surrogates). Two paths never give one location: a
    backslash is escaped too.
    """
    text = relative if os.sep == "/" else relative.replace(os.sep, "/")
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    if match[0] == "\\":
        return "\\\\"
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(match[0]))


def may_be_file(entry: os.DirEntry[str]) -> bool:
    """False for folders, pipes, sockets and links to nothing; True where only opening can tell (a link to itself)."""
    try:
        return entry.is_file()
    except OSError:
        return True
