"""The model judge of a day, ready to be asked.

Belongs here: what it needs of store and mail. Not here: what becomes of its verdicts (review.py).
"""

from __future__ import annotations

import datetime as dt

from orders_pipeline.models import Email, Outcome, Reviewable
from orders_pipeline.review.model import ModelJudge
from orders_pipeline.review.redact import Redactor, redactor_for
from orders_pipeline.stages.day_raws import DayRaws
from orders_pipeline.stages.work import Work
from orders_pipeline.store.salt import redaction_salt


def model_judge(work: Work, day: dt.date) -> ModelJudge:
    """The model judge for the mail of one day."""
    salt = redaction_salt(work.store.folder)
    owner = work.config.owner.addresses

    def redactor_of(email: Email, item: Reviewable) -> Redactor:
        return redactor_for(email, item.result, salt=salt, owner=owner)

    return ModelJudge(work.model().client, DayMail(work, day).email, redactor_of)


class DayMail:
    """The decoded mail of one day."""

    def __init__(self, work: Work, day: dt.date) -> None:
        self._decoder, self._raws = work.decoder, DayRaws(work, day)

    def email(self, item: Reviewable) -> Email:
        """The mail of an item. Raises ``StoreError`` when the archive lacks it, ``Undecodable`` for one too heavy."""
        # What the parser could not take is kept out of this process.
        apart = item.result.outcome is Outcome.FAILED
        return self._decoder().decode(self._raws.raw(item.message_id), item.message_id, item.received_at, apart=apart)
