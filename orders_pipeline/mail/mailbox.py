"""The protocol that every mail source keeps.

Belongs here: what the pipeline may ask of a mailbox. Not here: any one source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from orders_pipeline.models import Fetched, Listing, MessageRef, Window


class Mailbox(Protocol):
    """A read-only source of messages. Nothing it does may change the mailbox, flags included."""

    @property
    def name(self) -> str:
        """The configured name; part of every location."""
        ...

    def list(self, window: Window) -> Listing:
        """List every message received in the window, completely.

        Raises ``MailboxError`` when any part cannot be read: a partial listing is never returned.
        """
        ...

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        """Yield one ``Fetched`` for each ref, in any order, each exactly once.

        A message that vanished since the listing is ``gone``; one that cannot be read is an ``error``.
        Raises ``MailboxError`` when the mailbox itself fails; refs not yet yielded stay owed.
        """
        ...

    def close(self) -> None:
        """Release files and connections; may be called twice."""
        ...
