"""The kinds of mailboxes there are.

Belongs here: one line a kind. Not here: how any one works.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from orders_pipeline.config import FetchSettings
from orders_pipeline.mail.eml import EmlSource
from orders_pipeline.mail.file_mailbox import FileMailbox
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.mail.mbox import MboxSource
from orders_pipeline.mailbox_settings import MailboxSettings

# Each takes the mailbox's settings, how mail is saved, and a folder where it may keep an index that can be lost.
SOURCES: Mapping[str, Callable[[Any, FetchSettings, Path | None], Mailbox]] = {
    "maildir": lambda box, fetch, cache: MaildirSource(
        box.name, box.path, cache=cache, max_bytes=fetch.max_message_bytes
    ),
    "mbox": lambda box, fetch, cache: _files(MboxSource, box, fetch, cache),
    "imap": lambda box, fetch, cache: _imap(box, fetch, cache),
    "eml": lambda box, fetch, cache: _files(EmlSource, box, fetch, cache),
    "gmail": lambda box, fetch, cache: _gmail(box, fetch, cache),
}


def _imap(box: Any, fetch: FetchSettings, cache: Path | None) -> Mailbox:
    from orders_pipeline.mail.imap.source import ImapSource  # 0.05 s: only where there is such a mailbox

    return ImapSource(box, fetch, cache)


def _files(source: type[FileMailbox] | type[MboxSource], box: Any, fetch: FetchSettings, cache: Path | None) -> Mailbox:
    return source(box.name, box.path, cache=cache, max_bytes=fetch.max_message_bytes)


def _gmail(box: Any, fetch: FetchSettings, cache: Path | None) -> Mailbox:
    from orders_pipeline.mail.gmail.source import GmailSource  # only for who has such a mailbox

    return GmailSource(box, fetch, cache)


def open_mailbox(settings: MailboxSettings, fetch: FetchSettings | None = None, cache: Path | None = None) -> Mailbox:
    """The mailbox that the settings describe. Nothing is read, and nobody logs in, before the first listing."""
    return SOURCES[settings.kind](settings, fetch or FetchSettings(), cache)
