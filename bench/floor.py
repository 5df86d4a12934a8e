"""The least that reading a mail takes: the parts decoded by the standard library, the text of their DOM.

Belongs here: that loop. Nothing is made of the text, and nothing in it is guarded against hostile mail.
"""

from __future__ import annotations

from email import message_from_bytes

from selectolax.lexbor import LexborHTMLParser


def text_alone(raw: bytes) -> int:
    """How many characters of text a message has, by ``email`` in its quick form and selectolax."""
    length = 0
    for part in message_from_bytes(raw).walk():
        if part.get_content_maintype() != "text":
            continue
        data = part.get_payload(decode=True)
        text = _decoded(data, part.get_content_charset()) if isinstance(data, bytes) else ""
        if part.get_content_subtype() == "html" and (body := LexborHTMLParser(text).body):
            text = body.text(separator="\n")
        length += len(text)
    return length


def _decoded(data: bytes, charset: str | None) -> str:
    try:
        return data.decode(charset or "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")
