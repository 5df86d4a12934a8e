"""Senders and templates seen for the first time: nobody knows yet whether the parser reads them rightly.

Belongs here: which mail is the first of its kind. Not here: how many of them a person is shown (queue.py).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator

from orders_pipeline.encoding import printable_line
from orders_pipeline.models import Outcome, Reason
from orders_pipeline.review.outcome_row import OutcomeRow
from orders_pipeline.review.reasons import reason

NEW_DAYS = 30


def first_of_kind(rows: Iterable[OutcomeRow]) -> Iterator[tuple[OutcomeRow, Reason]]:
    """The first parsed mail of a sender, and of a template of a known sender, within the last ``NEW_DAYS`` of mail.

    A first run over ten years brings up no old sender; in a store's first ``NEW_DAYS`` all are new, and so none is.
    """
    parsed = sorted((r for r in rows if r.outcome is Outcome.PARSED and r.sender_domain), key=lambda row: row.when)
    if not parsed:
        return
    days = [row.day for row in parsed]
    span = dt.timedelta(days=NEW_DAYS)
    since = max(max(days) - span, min(days) + span)
    senders: set[str] = set()
    templates: set[tuple[str, str]] = set()
    for row in parsed:
        kind = (row.sender_domain, row.template_digest)
        if row.day > since:
            if row.sender_domain not in senders:
                yield row, reason("new_sender", f"the first order from {printable_line(row.sender_domain)}")
            elif row.template_digest and kind not in templates:
                said = f"the first order from {printable_line(row.sender_domain)} in a mail of this form"
                yield row, reason("new_template", said)
        senders.add(row.sender_domain)
        templates.add(kind)
