"""What the parts of a message hold: text, HTML, attachments, attached messages.

Belongs here: which part is what, whatever it was declared as. Not here: finding parts, rendering HTML, forwards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from orders_pipeline.mail.charsets import decode_text
from orders_pipeline.mail.clean_text import plain_spaces, strip_invisible
from orders_pipeline.mail.header_block import HeaderBlock, split_headers
from orders_pipeline.mail.html_text import html_to_text
from orders_pipeline.mail.parts import Part, leaf_parts
from orders_pipeline.mail.transfer import (
    base64_size,
    decode_quoted_printable,
    decode_transfer,
    looks_quoted_printable,
    undeclared_base64,
)
from orders_pipeline.models import Attachment

MAX_BODY_BYTES = 2 * 1024 * 1024  # of one text part, before and after its transfer encoding
MAX_BODY_CHARS = 2 * 1024 * 1024  # of all text, and of all HTML

_HTML_START = re.compile(
    r"(?i)\s{0,1000}(?:<!--.{0,2000}?-->\s{0,100})?(?:<!doctype\s+html|<html|<head|<body|<table|<div)\b", re.DOTALL
)
_HTML_TAG = re.compile(
    r"(?i)</?(?:html|body|table|tr|td|div|p|br|span|a|b|font|img|h[1-6]|ul|li|center)\b[^<>]{0,2000}>"
)
_ANY_TAG = re.compile(r"<[!/]?[a-zA-Z][^<>]{0,4000}>")
_META_CHARSET = re.compile(rb"(?i)<meta[^<>]{0,300}?charset\s{0,10}=\s{0,10}[\"']?([a-z0-9_:.-]{2,40})")
_MAIL_HEADERS = {"from", "to", "subject", "date", "received", "mime-version", "content-type", "message-id"}
_TEXT_TYPES = {"text/plain", "text/html", "text/enriched", "text/richtext", "text/markdown", "text/x-markdown"}
_ENRICHED = re.compile(r"</?[a-zA-Z][a-zA-Z-]{0,30}>")


@dataclass(slots=True)
class Bodies:
    """The decoded bodies of one message; ``attached`` are the raw bytes of messages attached to it."""

    texts: list[str] = field(default_factory=list)
    htmls: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    attached: list[bytes] = field(default_factory=list)
    html_text: str = ""

    @property
    def text(self) -> str:
        return "\n\n".join(self.texts)

    @property
    def html(self) -> str:
        return "\n".join(self.htmls)


def collect(data: bytes, block: HeaderBlock, defects: list[str], hint: str | None) -> Bodies:
    """Sort the leaves of a message; adds what was wrong to ``defects``."""
    bodies = Bodies()
    for part in leaf_parts(data, block, defects, hint):
        if part.content_type in ("message/rfc822", "message/global") or _is_mail_file(part):
            _take_message(data, part, bodies, defects)
        elif _is_body(part):
            _take_body(data, part, bodies, defects, hint)
        elif part.end > part.start or part.filename:
            size = base64_size(data[part.start : part.end]) if part.encoding == "base64" else part.end - part.start
            bodies.attachments.append(Attachment(filename=part.filename, content_type=part.content_type, size=size))
    bodies.html_text = html_to_text(bodies.html)
    return bodies


def _is_mail_file(part: Part) -> bool:
    return part.filename.lower().endswith(".eml") and not part.is_root


def _is_body(part: Part) -> bool:
    if part.is_root:
        main = part.content_type.partition("/")[0]
        return main in ("text", "message", "multipart") or part.content_type in ("application/xhtml+xml", "html/text")
    if part.disposition == "attachment" and part.filename:
        return False
    return part.content_type in _TEXT_TYPES


def _take_message(data: bytes, part: Part, bodies: Bodies, defects: list[str]) -> None:
    """An attached message: opened when it is one, listed as an attachment in any case."""
    content, faults = data[part.start : part.end], ()
    if part.encoding in ("base64", "quoted-printable"):
        content, faults = decode_transfer(content, part.encoding)
    defects += faults
    bodies.attachments.append(Attachment(filename=part.filename, content_type=part.content_type, size=len(content)))
    if content.strip():
        bodies.attached.append(content.lstrip(b"\r\n"))


def _take_body(data: bytes, part: Part, bodies: Bodies, defects: list[str], hint: str | None) -> None:
    content = data[part.start : min(part.end, part.start + MAX_BODY_BYTES)]
    if part.end - part.start > MAX_BODY_BYTES:
        defects.append("body cut")
    content, faults = decode_transfer(content, part.encoding)
    defects += faults
    if (blob := undeclared_base64(content)) is not None:
        defects.append("body base64 undeclared")
        blob = blob.replace(b"\r\n", b"\n")
        blob = decode_quoted_printable(blob) if looks_quoted_printable(blob) else blob
        content = blob
        if _is_message(blob):
            bodies.attached.append(blob)
            return
    declared = part.charset
    if declared is None and (meta := _meta_charset(content[:4096])):
        declared = meta
    text, faults = decode_text(content, declared, hint=hint)
    defects += faults
    text = strip_invisible(text)
    if not text or text.isspace():
        return
    is_html = part.content_type in ("text/html", "application/xhtml+xml", "html/text")
    if is_html != (actual := _shows_html(text, declared=is_html)):
        defects.append("html declared as text" if actual else "text declared as html")
    if part.content_type in ("text/enriched", "text/richtext"):
        text = _ENRICHED.sub("", text).replace("<<", "<")
    _add(bodies.htmls if actual else bodies.texts, text if actual else plain_spaces(text), defects)


def _meta_charset(head: bytes) -> str | None:
    """The charset that HTML names itself."""
    match = _META_CHARSET.search(head) if b"charset" in head.lower() else None
    return match[1].decode("ascii") if match else None


def _shows_html(text: str, *, declared: bool) -> bool:
    """What a body is by its look: declared HTML needs one tag, declared text must begin as HTML or be full of tags."""
    head = text[:20_000]
    if declared:
        return _ANY_TAG.search(text) is not None
    if _HTML_START.match(head):
        return True
    return len(_HTML_TAG.findall(head)) >= 10 and head.lstrip()[:1] == "<"


def _is_message(data: bytes) -> bool:
    head = data[:65536].replace(b"\r\n", b"\n")
    names = {name.lower() for name, _ in split_headers(head, 0, len(head)).fields}
    return len(names & _MAIL_HEADERS) >= 2


def _add(to: list[str], text: str, defects: list[str]) -> None:
    room = MAX_BODY_CHARS - sum(map(len, to))
    if len(text) > room:
        defects.append("body cut")
    if room > 0:
        to.append(text[:room])
