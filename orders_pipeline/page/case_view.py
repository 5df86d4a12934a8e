"""One case as the page shows it, in one short read of the store.

Belongs here: its row, its mail's place in the archive, its decisions. Not here: the mail itself (mail.py), the queue
around it (queue.py), and deciding (stages/decide.py).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.stages.decide import find_case, history, shown_of
from orders_pipeline.store.frames import Connection, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """One case: its row, what the parser made of the mail, what was stated instead, and every decision."""

    row: Mapping[str, Any]
    reasons: tuple[Mapping[str, Any], ...]
    produced: Mapping[str, Any]
    expected: Mapping[str, Any] | None
    history: tuple[Mapping[str, Any], ...]
    last_act: str
    produced_digest: str
    subject: str
    sender: str
    received_at: dt.datetime | None
    archive_file: str | None

    @property
    def case_id(self) -> str:
        return self.row["case_id"]

    @property
    def state(self) -> str:
        return self.row["state"]


def read_case(con: Connection, case_id: str) -> CaseView:
    """One case by its id. Raises ``UnknownCase``."""
    row = find_case(con, case_id)
    shown = shown_of(row)
    mail = rows(
        con,
        "SELECT m.archive_file, m.received_at, o.subject, o.sender FROM messages m LEFT JOIN parse_outcomes o"
        " ON o.day = m.day AND o.message_id = m.message_id WHERE m.message_id = ? LIMIT 1",
        [row["message_id"]],
    )
    found = mail[0] if mail else {"archive_file": None, "received_at": None, "subject": "", "sender": ""}
    return CaseView(
        row=row,
        reasons=tuple(json.loads(row["reasons"] or "[]")),
        produced=json.loads(row["produced"]),
        expected=json.loads(row["expected"]) if row["expected"] else None,
        history=tuple(history(con, row["case_id"])),
        last_act=shown.last_act or "",
        produced_digest=shown.produced,
        subject=found["subject"] or "",
        sender=found["sender"] or row["sender_domain"],
        received_at=found["received_at"],
        archive_file=found["archive_file"],
    )
