"""Messages over the configured size: their headers and structure are kept, the body is left out, and it is said.

Belongs here: writing and recognizing such a message. Not here: who decides it (the mailboxes do), what it means for the
outcome (stages/parse_message).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Our line comes first: what a sender writes comes after the trace headers that each delivery puts on top.
_MARK = b"X-Orders-Pipeline-Left-Out: "
_NOTE = re.compile(rb"body of (\d{1,20}) bytes, over (\d{1,20})\r\n")
MAX_HEADER_BYTES = 256 * 1024
MAX_STRUCTURE_LINES = 200


def without_body(head: bytes, *, size: int, limit: int, structure: Sequence[str] = ()) -> bytes:
    """The message that is kept of one with ``size`` bytes: a line that says so, its header block, its structure.

    ``head`` is the header block (or what was read of it); ``structure`` has one line a part, such as
    ``application/pdf, 1234567 bytes, invoice.pdf``. Line ends become CRLF.
    """
    lines = head[:MAX_HEADER_BYTES].replace(b"\r\n", b"\n").split(b"\n\n", 1)[0].strip(b"\n").split(b"\n")
    told = [f"[body of {size} bytes left out]", *structure[:MAX_STRUCTURE_LINES]]
    body = [line.encode("utf-8", "replace").replace(b"\r", b" ").replace(b"\n", b" ") for line in told]
    first = _MARK + f"body of {size} bytes, over {limit}".encode()
    return b"\r\n".join([first, *lines, b"", *body, b""])


def left_out_note(raw: bytes) -> str | None:
    """What was left out of a kept message, as words for people; None when it is whole."""
    if not raw.startswith(_MARK):
        return None
    match = _NOTE.match(raw, len(_MARK))
    return f"body of {int(match[1])} bytes left out, over fetch.max_message_bytes ({int(match[2])})" if match else None
