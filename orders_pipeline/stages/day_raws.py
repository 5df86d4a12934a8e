"""The bytes of one day's messages, asked for one at a time.

Belongs here: finding them in the archive, one archive file in memory at a time; quick when asked for in the files'
order. Not here: what is made of them.
"""

from __future__ import annotations

import datetime as dt

from orders_pipeline.stages.work import Work
from orders_pipeline.store.frames import rows


class DayRaws:
    """The messages of a day; nothing is read before the first is asked for."""

    def __init__(self, work: Work, day: dt.date) -> None:
        self._work, self._day = work, day
        self._files: dict[str, str] | None = None
        self._held: tuple[str, dict[str, bytes]] = ("", {})

    def raw(self, message_id: str) -> bytes:
        """The bytes of a message. Raises ``StoreError`` when the archive lacks it."""
        files = self._where()
        path = files[message_id]
        if self._held[0] != path:
            wanted = {one: file for one, file in files.items() if file == path}
            self._held = path, dict(self._work.store.archive.raw_messages(wanted))
        return self._held[1][message_id]

    def _where(self) -> dict[str, str]:
        if self._files is None:
            with self._work.store.state.reading() as con:
                found = rows(con, "SELECT message_id, archive_file FROM messages WHERE day = ?", [self._day])
            self._files = {row["message_id"]: row["archive_file"] for row in found}
        return self._files
