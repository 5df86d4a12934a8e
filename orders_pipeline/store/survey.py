"""Which days are proven done, by one query over all days: what a tick reads of the ledger.

Belongs here: the rule of ``progress.why_not_done`` over rows. Not here: why a day is not done (its rows say it,
facts.read_ledger).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from orders_pipeline.store.facts import EPOCH
from orders_pipeline.store.frames import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Every day that the store knows anything of: ``proven`` done, and the ``others``.

    ``relisted`` is, for each listed day, the last try to list it, whether it succeeded or not, in the mailbox that was
    tried least recently.
    """

    proven: set[dt.date]
    others: list[dt.date]
    relisted: dict[dt.date, dt.datetime]


# ``proven`` is progress.is_done over rows: ten years of days as records took a tick 50 ms, as a query 2 ms.
_SURVEY = """
SELECT (day - DATE '0001-01-01')::INTEGER + 1 AS ordinal,
    coalesce(max(output_digest) FILTER (kind = 'fetch') = max(input_digest) FILTER (kind = 'parse')
        AND max(output_digest) FILTER (kind = 'parse') = max(input_digest) FILTER (kind = 'review'), false)
        AND count(*) FILTER (kind = 'open') = 0
        AND count(*) FILTER (kind = 'listed') = len(list_filter($since, lambda first: first <= day)) AS proven,
    min(tried) FILTER (kind = 'listed') AS relisted
FROM (
    SELECT day, stage AS kind, input_digest, output_digest, NULL::BIGINT AS tried FROM stage_days
    UNION ALL
    SELECT day, if(since <= day, 'listed', 'not owed'), NULL, NULL, epoch_us(coalesce(tried_at, listed_at))
    FROM listings LEFT JOIN (SELECT unnest($names::VARCHAR[]) AS mailbox, unnest($since::DATE[]) AS since)
    USING (mailbox) WHERE listed_at IS NOT NULL
    UNION ALL
    SELECT day, if(state IN ('pending', 'exhausted'), 'open', 'closed'), NULL, NULL, NULL
    FROM units WHERE day IS NOT NULL
    UNION ALL
    SELECT day, 'tried', NULL, NULL, NULL FROM day_tries
) GROUP BY day
"""


def survey(con: Connection, mailboxes: Mapping[str, dt.date | None]) -> Survey:
    """Which days are proven done, at the price of one query however many there are.

    ``mailboxes`` maps the name of each to the first day that it owes (None: all). A listing that nobody owes any more
    is not looked at: it would be due for ever.
    """
    since = [first or dt.date.min for first in mailboxes.values()]
    proven: set[dt.date] = set()
    others: list[dt.date] = []
    relisted: dict[dt.date, dt.datetime] = {}
    instants: dict[int, dt.datetime] = {}  # few: a run lists many days
    for ordinal, is_proven, us in con.execute(_SURVEY, {"names": list(mailboxes), "since": since}).fetchall():
        day = dt.date.fromordinal(ordinal)
        if is_proven:
            proven.add(day)
        else:
            others.append(day)
        if us is not None:
            if us not in instants:
                instants[us] = EPOCH + dt.timedelta(microseconds=us)
            relisted[day] = instants[us]
    return Survey(proven=proven, others=others, relisted=relisted)
