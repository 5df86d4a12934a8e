"""A connection that is logged in: folders, and what is asked of the messages of the one that is open.

Belongs here: one method a command. Everything is read-only: EXAMINE, never SELECT; BODY.PEEK, never BODY. CLOSE is
never sent: a server that forgot that the folder is open for reading alone would expunge. Not here: trying again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from orders_pipeline.mail.imap.answers import Row, Status, examined, is_expunge, row_of, searched, status_of, tokens
from orders_pipeline.mail.imap.folders import Folder, folder_of
from orders_pipeline.mail.imap.wire import Answer, ConnectionLost, Refused, Wire, quoted

_LOGOUT_SECONDS = 3.0


class Renumbered(Exception):
    """A message went while sequence numbers were in use: they mean others now."""


class Session:
    """Commands over one connection. Each may raise ``ConnectionLost``, and ``Refused`` where the server says NO."""

    def __init__(
        self,
        wire: Wire,
        capabilities: frozenset[str],
        *,
        hang_up: Callable[[], object] = lambda: None,
        set_timeout: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        self._wire, self._capabilities = wire, capabilities
        self._hang_up, self._set_timeout = hang_up, set_timeout
        self._opened: bytes | None = None

    @property
    def is_busy(self) -> bool:
        """Whether an answer was not read to its end, so that no other command can follow."""
        return self._wire.is_busy

    def has(self, capability: str) -> bool:
        return capability in self._capabilities

    def folders(self) -> list[Folder]:
        """Every folder, with its state where the server gives both at once and can prove that nothing changed."""
        if self.has("UNSELECT") and self._opened is not None:
            list(self._wire.command(b"UNSELECT"))  # the state of the open folder may be an old one
            self._opened = None
        if self.has("LIST-STATUS") and self.has("CONDSTORE") and self._opened is None:
            wanted = b"RETURN (STATUS (MESSAGES UIDNEXT UIDVALIDITY HIGHESTMODSEQ)%s)"
            special = b" SPECIAL-USE" if self.has("SPECIAL-USE") else b""
            with contextlib.suppress(Refused):
                return _with_states(list(self._wire.command(b'LIST "" "*" ' + wanted % special)))
        return _with_states(list(self._wire.command(b'LIST "" "*"')))

    def foreign_prefixes(self) -> list[bytes]:
        """The beginnings of the names of other people's and shared folders."""
        if not self.has("NAMESPACE"):
            return []
        prefixes: list[bytes] = []
        with contextlib.suppress(Refused):
            for answer in self._wire.command(b"NAMESPACE"):
                if answer[0][:12].upper() == b"* NAMESPACE ":
                    for kind in tokens(answer)[3:5]:
                        spaces = [space for space in kind or () if isinstance(space, list) and space]
                        prefixes += [space[0] for space in spaces if isinstance(space[0], bytes) and space[0]]
        return prefixes

    def examine(self, raw: bytes) -> Status:
        """Open a folder for reading alone; the state is the present one, also when it was open already."""
        extra = b" (CONDSTORE)" if self.has("CONDSTORE") else b""
        self._opened = None
        try:
            answers = list(self._wire.command(b"EXAMINE " + quoted(raw) + extra))
        except ValueError:
            raise Refused("NO", "[CANNOT] the name holds a line break") from None
        self._opened = raw
        return examined(answers)

    def rows(self, first: int, last: int, items: bytes) -> Iterator[Row]:
        """Rows of the messages with these sequence numbers. Raises ``Renumbered`` when the server renumbers them."""
        yield from self._rows(b"FETCH %d:%d (UID%s)" % (first, last, items), strict=True)

    def rows_of(self, uids: bytes, items: bytes) -> Iterator[Row]:
        """Rows of the messages in this set of UIDs."""
        yield from self._rows(b"UID FETCH %s (UID%s)" % (uids, items), strict=False)

    def _rows(self, command: bytes, *, strict: bool) -> Iterator[Row]:
        expunged = False
        try:
            for answer in self._wire.command(command):
                if row := row_of(answer):
                    yield row
                elif is_expunge(answer):
                    expunged = True
        except Refused as refused:
            if strict and refused.code == "EXPUNGEISSUED":
                raise Renumbered from None
            raise
        if strict and expunged:
            raise Renumbered

    def content(self, uids: bytes, items: bytes) -> Iterator[Answer]:
        """The answers, as they come, to a FETCH of these items of the messages in this set of UIDs."""
        return self._wire.command(b"UID FETCH %s (UID %s)" % (uids, items))

    def uid_of(self, number: int) -> int | None:
        """The UID of the message with this sequence number, as SEARCH tells it."""
        found = searched(list(self._wire.command(b"UID SEARCH %d" % number)))
        return found[0] if len(found) == 1 else None

    def logout(self) -> None:
        """Say goodbye, briefly; never raises."""
        with contextlib.suppress(Exception):
            self._set_timeout(_LOGOUT_SECONDS)
            with contextlib.suppress(ConnectionLost, Refused):
                list(self._wire.command(b"LOGOUT"))
        self.drop()

    def drop(self) -> None:
        """Close the connection; never raises."""
        with contextlib.suppress(Exception):
            self._hang_up()


def _with_states(answers: list[Answer]) -> list[Folder]:
    states = dict(found for answer in answers if (found := status_of(answer)))
    folders = [folder for answer in answers if (folder := folder_of(answer))]
    return [Folder(f.raw, f.label, f.delimiter, f.attributes, states.get(f.raw)) for f in folders]
