"""The mail of a case, from the archive's bytes to what is shown.

Belongs here: opening a mail once and keeping the last few, so that its frame, its text and its headers cost one parse.
Not here: rewriting HTML (mail_frame.py), marking evidence (highlight.py).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import StoreError
from orders_pipeline.mail.clean_text import strip_invisible
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Email, Outcome
from orders_pipeline.page.case_view import CaseView
from orders_pipeline.store.archive import Archive

_KEPT = 8  # opened mails
MAX_TEXT = 200_000  # characters of a text that are shown
MAX_HEADERS = 300
_RAW_BYTES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A mail as far as it could be opened. ``problem`` says for people why there is no more to see."""

    texts: tuple[tuple[str, str], ...] = ()  # (what it is, the text)
    html: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    attachments: tuple[str, ...] = ()
    problem: str = ""


class Mails:
    """Opens the mails of cases; safe in several threads."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._kept: OrderedDict[tuple[str, bool], Opened] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, case: CaseView) -> Opened:
        """The mail of a case. Never raises for what is in it."""
        message_id = case.row["message_id"]
        key = (message_id, case.produced["outcome"] == Outcome.FAILED)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        opened = self._read(message_id, case)
        if not opened.problem:
            with self._lock:
                self._kept[key] = opened
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
        return opened

    def _read(self, message_id: str, case: CaseView) -> Opened:
        if not case.archive_file:
            return Opened(problem="The mail is not in the archive: it was forgotten, or the archive is not complete.")
        try:
            (raw,) = (raw for _, raw in self._archive.raw_messages({message_id: case.archive_file}))
        except (StoreError, ValueError) as error:
            return Opened(problem=f"The mail cannot be read: {error}")
        if case.produced["outcome"] == Outcome.FAILED:
            # What hung or killed the parser must not do so here: its bytes are shown as they are.
            return Opened(
                texts=(("The message as it came, undecoded", _plain(raw[:_RAW_BYTES].decode("utf-8", "replace"))),)
            )
        try:
            return _opened(parse_email(raw, message_id=message_id, received_at=case.received_at))
        except Exception as error:  # no mail may take the page down
            return Opened(problem=f"The mail cannot be decoded: {type(error).__name__}")


def _opened(email: Email) -> Opened:
    texts = []
    if email.html_text.strip():
        texts.append(("Text of the HTML part", _plain(email.html_text)))
    if email.text.strip():
        texts.append(("Plain text part", _plain(email.text)))
    for inner in email.inner:
        if inner.forwarded == "attached":
            title = f"Attached message: {printable_line(inner.subject, 100) or 'without subject'}"
            texts.append((title, _plain(inner.text or inner.html_text)))
    html = email.html or next((i.html for i in email.inner if i.forwarded == "attached" and not i.text), "")
    return Opened(
        texts=tuple(texts),
        html=html,
        headers=tuple((printable_line(n, 80), printable_line(v, 2000)) for n, v in email.headers[:MAX_HEADERS]),
        attachments=tuple(
            f"{printable_line(a.filename, 80) or 'unnamed'} ({printable_line(a.content_type, 60)}, {a.size:,} bytes)"
            for a in email.attachments[:50]
        ),
    )


def _plain(text: str) -> str:
    text = strip_invisible(text)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}\n… cut here: {len(text):,} characters in all"
