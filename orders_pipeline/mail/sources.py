"""The kinds of mailboxes there are.

Belongs here: one line a kind. Not here: how any one works.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from orders_pipeline.config import MailboxSettings
from orders_pipeline.mail.eml import EmlSource
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.mail.maildir import MaildirSource
from orders_pipeline.mail.mbox import MboxSource

SOURCES: Mapping[str, Callable[[str, Path], Mailbox]] = {
    "maildir": MaildirSource,
    "mbox": MboxSource,
    "eml": EmlSource,
}


def open_mailbox(settings: MailboxSettings) -> Mailbox:
    """The mailbox that the settings describe. Nothing is read before the first listing."""
    return SOURCES[settings.kind](settings.name, settings.path)
