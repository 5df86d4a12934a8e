"""The model judge of a day, ready to be asked.

Belongs here: what it needs of store and mail. Not here: what becomes of its verdicts (review.py).
"""

from __future__ import annotations

import datetime as dt

from orders_pipeline.models import Email, Outcome, Reviewable
from orders_pipeline.review.model import ModelJudge
from orders_pipeline.review.redact import Redactor, redactor_for
from orders_pipeline.stages.work import Work
from orders_pipeline.store.frames import rows
from orders_pipeline.store.salt import redaction_salt


def model_judge(work: Work, day: dt.date) -> ModelJudge:
    """The model judge for the mail of one day."""
    salt = redaction_salt(work.store.folder)
    owner = work.config.owner.addresses

    def redactor_of(email: Email, item: Reviewable) -> Redactor:
        return redactor_for(email, item.result, salt=salt, owner=owner)

    return ModelJudge(work.model().client, DayMail(work, day).email, redactor_of)


class DayMail:
    """The decoded mail of one day, one archive file in memory at a time; quick when asked for in the files' order."""

    def __init__(self, work: Work, day: dt.date) -> None:
        self._work, self._day = work, day
        self._files: dict[str, str] | None = None
        self._held: tuple[str, dict[str, bytes]] = ("", {})

    def email(self, item: Reviewable) -> Email:
        """The mail of an item. Raises ``StoreError`` when the archive lacks it, ``Undecodable`` for one too heavy."""
        path = self._file_of(item.message_id)
        if self._held[0] != path:
            wanted = {i: f for i, f in (self._files or {}).items() if f == path}
            self._held = path, dict(self._work.store.archive.raw_messages(wanted))
        # What the parser could not take is kept out of this process.
        apart = item.result.outcome is Outcome.FAILED
        raw = self._held[1][item.message_id]
        return self._work.decoder().decode(raw, item.message_id, item.received_at, apart=apart)

    def _file_of(self, message_id: str) -> str:
        if self._files is None:
            with self._work.store.state.reading() as con:
                found = rows(con, "SELECT message_id, archive_file FROM messages WHERE day = ?", [self._day])
            self._files = {r["message_id"]: r["archive_file"] for r in found}
        return self._files[message_id]
