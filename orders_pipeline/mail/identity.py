"""What makes two messages the same.

Belongs here: the id of a message's bytes, and digests of what a message says. Not here: storing or grouping.

- ``message_id_of``: the same bytes, however a file keeps them.
- ``canonical_digest``: the same content for a parser, whatever the transport did (ids, encodings, routes).
- ``template_digest``: the same form letter, whatever was ordered.
"""

from __future__ import annotations

import hashlib
import re

from orders_pipeline.encoding import digest_of
from orders_pipeline.models import Email

_MONEY_LABEL = re.compile(
    r"(?i)total|summe|gesamt|betrag|montant|importe|importo|totaal|bedrag|shipping|delivery|versand|livraison|env[ií]o"
    r"|spedizione|verzend|\btax\b|\bvat\b|mwst|\btva\b|\biva\b|\bbtw\b|discount|rabatt|remise|descuento|sconto|korting"
    r"|合計|小計|送料|税|razem|suma|dostawa"
)
_URL = re.compile(r"(?i)\b(?:https?://|www\.)\S{1,4000}")
_ADDRESS = re.compile(r"[^\s@]{1,100}@[^\s@]{1,200}")
_AMOUNT = re.compile(r"[$€£¥₹]\s?[\d.,' ]{0,20}\d|\b\d[\d.,']{0,20}\s?(?:[$€£¥₹]|[A-Z]{3}\b|zł|kr\b)")
_TOKEN_WITH_DIGIT = re.compile(r"[\w#.,/:-]{0,100}\d[\w#.,/:-]{0,100}")
_QUOTED = re.compile("[\"“„«']([^\"”“»']{3,200})[\"”“»']")
_EXPORT_HEADERS = re.compile(rb"\A(?:X-G(?:M-THRID|mail-Labels):[^\n]*\n(?:[ \t][^\n]*\n)*)+")
_MAX_LABEL = 40
_MAX_SHAPE_CHARS = 200_000


def message_id_of(raw: bytes) -> str:
    """SHA-256 (hex) of a message with every line end (CRLF, LF, CR) made CRLF and those at the very end left out.

    An mbox adds a blank line after each message and editors add or drop a last line end: neither makes another
    message. Nor do the headers on top that Google's Takeout adds (X-GM-THRID, X-Gmail-Labels): they say how the owner
    filed it, change from one export to the next, and are missing where the same mail comes by IMAP.
    Quoting of ``From `` lines is the mbox source's to undo before it calls.
    """
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if raw.startswith(b"X-G"):
        raw = _EXPORT_HEADERS.sub(b"", raw, count=1)
    return hashlib.sha256(raw.rstrip(b"\n").replace(b"\n", b"\r\n")).hexdigest()


def canonical_digest(email: Email) -> str:
    """Digest of what a parser sees: sender domain, subject, text and rendered HTML with white space folded, and the
    same of every inner message. Link targets, dates, ids and recipients do not count."""
    parts: list[str] = []
    for message in (email, *email.inner):
        parts += [message.sender.domain, _fold(message.subject), _fold(message.text), _fold(message.html_text)]
    return digest_of(parts)


def template_digest(email: Email) -> str:
    """Digest of the form a message is made from: sender domain, the subject and the labels of its lines.

    Numbers, amounts, addresses, links, quoted names and the recipient's own name are masked; lines count only by
    their label (``Order number:``, ``Subtotal``), each once and in sorted order, so that more items or another
    address give the same digest. The shape is that of the inner message when the mail forwards one.
    """
    message = email.inner[0] if email.inner else email
    names = _own_names(email)
    text = (message.html_text or message.text)[:_MAX_SHAPE_CHARS]
    labels = sorted({label for line in text.split("\n") if (label := _label(line))})
    return digest_of([message.sender.domain, _mask(message.subject, names), *labels])


def _own_names(email: Email) -> frozenset[str]:
    words: set[str] = set()
    for address in (*email.to, *email.cc):
        words.update(address.name.lower().split())
        words.add(address.address.partition("@")[0].lower())
    return frozenset(word.strip(",.") for word in words if len(word) > 1)


def _label(line: str) -> str | None:
    """What a line is about, without what it says: the words before a colon, or a known label before an amount."""
    first, tab, _ = line.partition("\t")
    head, colon, _ = first.partition(":")
    if colon and len(head) <= _MAX_LABEL and not any(c.isdigit() for c in head):
        return _fold(head).lower() if len(head.split()) <= 5 else None
    if tab and len(first) <= _MAX_LABEL and _MONEY_LABEL.search(first):
        return _mask(first, frozenset())
    return None


def _mask(text: str, names: frozenset[str]) -> str:
    text = _ADDRESS.sub("@", _URL.sub("~", text[:1000]))
    text = _TOKEN_WITH_DIGIT.sub("#", _AMOUNT.sub("$", _QUOTED.sub('"', text)))
    words = (word.lower() for word in text.split())
    return " ".join(word for word in words if word.strip(",.!:;") not in names)


def _fold(text: str) -> str:
    return " ".join(text.split())
