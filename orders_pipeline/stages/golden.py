"""The golden set: the cases that a person accepted or edited, with what is right of each.

Belongs here: reading them from the store, and their mails from the archive. Not here: scoring (golden_score), writing
them out (golden_export).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from orders_pipeline.encoding import canonical_json, digest_of
from orders_pipeline.models import Decision, Outcome
from orders_pipeline.store.archive import Archive
from orders_pipeline.store.frames import Connection, rows

# The last decision of each case that nobody took back.
_DECIDED = """
    SELECT * FROM case_decisions
    QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY decided_at DESC, act_id DESC) = 1
"""
_GOLDEN = f"""
    SELECT d.case_id, d.decision, d.snapshot, d.who, d.decided_at, m.message_id, m.archive_file, m.received_at
    FROM ({_DECIDED}) d LEFT JOIN messages m ON m.message_id = d.snapshot ->> '$.message_id'
    WHERE d.decision IN ('accepted', 'edited') ORDER BY d.case_id
"""  # noqa: S608  (constants)
# The same without the snapshots: a tick of the sensor asks for it (5 ms for 500 decisions).
_ACTS = """
    SELECT string_agg(act_id, ',' ORDER BY case_id) FROM (
        SELECT case_id, arg_max(act_id, (decided_at, act_id)) AS act_id,
            arg_max(decision, (decided_at, act_id)) AS decision
        FROM case_decisions GROUP BY case_id
    ) WHERE decision IN ('accepted', 'edited')
"""
_NOT_EXPECTED = frozenset({"evidence"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenCase:
    """One case of the golden set. ``orders`` are the right ones as ``encoding.order_to_dict`` gives them, without
    evidence; none when the mail is no order. ``problem`` says why the case cannot be used; then the rest may be empty.
    """

    case_id: str
    state: Decision
    day: dt.date
    sender_domain: str
    message_id: str
    archive_file: str
    received_at: dt.datetime | None
    reasons: tuple[str, ...]
    extractors: tuple[str, ...]
    orders: tuple[Mapping[str, Any], ...]
    decided_by: str
    decided_at: dt.datetime
    problem: str | None = None

    @property
    def expected_digest(self) -> str:
        """Changes when something else is right."""
        return expected_digest(self.orders)


def expected_digest(orders: Sequence[Mapping[str, Any]]) -> str:
    """A short digest of expected orders."""
    return digest_of([canonical_json([dict(order) for order in orders])])[:16]


def read_golden(con: Connection) -> list[GoldenCase]:
    """Every accepted or edited case, sorted by id."""
    return [_case(row) for row in rows(con, _GOLDEN)]


def golden_digest(con: Connection) -> str | None:
    """Changes when a case comes, goes, or another result is right; None when there is none."""
    found = con.execute(_ACTS).fetchall()[0][0]
    return digest_of([found]) if found else None


def raw_mails(archive: Archive, cases: Sequence[GoldenCase]) -> Iterator[tuple[str, bytes]]:
    """(message id, bytes) of the cases that can be used. Raises ``StoreError`` when the archive is damaged."""
    return archive.raw_messages({c.message_id: c.archive_file for c in cases if c.problem is None})


def _case(row: Mapping[str, Any]) -> GoldenCase:
    snapshot = json.loads(row["snapshot"])
    produced = snapshot.get("produced") or {}
    orders, problem = _expected(snapshot)
    if row["archive_file"] is None:
        problem = "its mail is no longer in the store"
    found = {e.get("extractor") for o in produced.get("orders") or () for e in o.get("evidence") or () if e["chosen"]}
    return GoldenCase(
        case_id=row["case_id"],
        state=Decision(row["decision"]),
        day=dt.date.fromisoformat(snapshot["day"]),
        sender_domain=snapshot.get("sender_domain") or "",
        message_id=row["message_id"] or snapshot.get("message_id") or "",
        archive_file=row["archive_file"] or "",
        received_at=row["received_at"],
        reasons=tuple(sorted({r["code"] for r in snapshot.get("reasons") or ()})),
        extractors=tuple(sorted(name for name in found if name)),
        orders=orders,
        decided_by=row["who"],
        decided_at=row["decided_at"],
        problem=problem,
    )


def _expected(snapshot: Mapping[str, Any]) -> tuple[tuple[Mapping[str, Any], ...], str | None]:
    expected = snapshot.get("expected")
    if not isinstance(expected, Mapping) or not isinstance(expected.get("orders"), list):
        return (), "nobody said what is right: edit the case"
    if expected.get("outcome") == Outcome.FAILED:
        return (), "the parser failed on it, and nobody said what is right: edit the case"
    return tuple({k: v for k, v in order.items() if k not in _NOT_EXPECTED} for order in expected["orders"]), None
