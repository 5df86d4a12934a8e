"""Messages that a person had removed: their ids, so that they stay removed.

Belongs here: the act's kind and the queries that honour it. An id is a digest of the message and tells nothing of it.
Not here: removing (removal.py).
"""

from __future__ import annotations

from orders_pipeline.store.frames import Connection

FORGET = "forget"
FORGOTTEN = "(SELECT subject FROM acts WHERE kind = 'forget')"


def forgotten(con: Connection) -> set[str]:
    """The ids of every message that was removed by a person."""
    return {row[0] for row in con.execute("SELECT DISTINCT subject FROM acts WHERE kind = ?", [FORGET]).fetchall()}
