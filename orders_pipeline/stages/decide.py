"""A person's decisions on a case, and taking them back.

Belongs here: the snapshot of what was decided on, so that a better parser does not erase an accepted case; that two
people who decide on one case at a time do not overwrite each other unseen; a case's history. Not here: what may be
stated as right (review/expected.py), and who asks.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.encoding import canonical_json, digest_of, printable_line
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.models import Decision
from orders_pipeline.review.expected import complete
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts, locks
from orders_pipeline.store.frames import Connection, rows

_LOCK_SECONDS = 30.0


class UnknownCase(OrdersPipelineError):
    """No case has this id, or more than one does."""


class NothingToUndo(OrdersPipelineError):
    """No decision on this case stands."""


class DecidedMeanwhile(OrdersPipelineError):
    """The case is not as it was shown to the person who decides: nothing was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a person had before their eyes: the last act on the case (None: no act) and the digest of the parse."""

    last_act: str | None
    produced: str


def decide(
    work: Work,
    case_id: str,
    decision: Decision,
    *,
    expected: Mapping[str, Any] | None = None,
    note: str = "",
    shown: Shown | None = None,
) -> str:
    """Record a decision and return the full case id. ``case_id`` may be shortened while it stays unique.

    ``expected`` is the right result, needed for ``EDITED`` and checked by ``review.expected.complete``; for an accepted
    case it is what the parser produced. With ``shown``, nothing is recorded when the case is no longer so.
    Raises ``UnknownCase``, ``BadExpected``, ``DecidedMeanwhile``.
    """
    with _deciding(work):
        case = _case(work, case_id, shown)
        produced = json.loads(case["produced"])
        if decision is Decision.EDITED:
            right = complete(expected, produced)
        else:
            right = None if decision is Decision.REJECTED else expected if expected is not None else produced
        snapshot = {
            "day": str(case["day"]),
            "message_id": case["message_id"],
            "sender_domain": case["sender_domain"],
            "outcome": case["outcome"],
            "reasons": json.loads(case["reasons"]),
            "produced": produced,
            "expected": right,
        }
        payload = {"decision": decision.value, "snapshot": snapshot, "note": note}
        _save(work, acts.DECISION, case, payload)
    work.publish()
    return case["case_id"]


def undo(work: Work, case_id: str, *, note: str = "", shown: Shown | None = None) -> tuple[str, str]:
    """Take the last standing decision back, by an act of its own: the one before it stands again, if there is one.

    Returns the full case id and the decision that was undone. Raises ``UnknownCase``, ``NothingToUndo``,
    ``DecidedMeanwhile``.
    """
    with _deciding(work):
        case = _case(work, case_id, shown)
        with work.store.state.reading() as con:
            standing = rows(
                con,
                "SELECT act_id, decision FROM case_decisions WHERE case_id = ?"
                " ORDER BY decided_at DESC, act_id DESC LIMIT 1",
                [case["case_id"]],
            )
        if not standing:
            raise NothingToUndo(f"no decision on case {case['case_id']} stands: there is nothing to undo")
        # The message is named so that forgetting it takes this act out too.
        payload = {"undoes": standing[0]["act_id"], "snapshot": {"message_id": case["message_id"]}, "note": note}
        _save(work, acts.UNDO, case, payload)
    work.publish()
    return case["case_id"], standing[0]["decision"]


# The queue has the day's reasons, and what shows only across days: it forgets them once the case is decided.
_FOUND = """
    SELECT c.* REPLACE (coalesce(q.reasons, c.reasons) AS reasons)
    FROM eval_cases c LEFT JOIN case_queue q ON q.case_id = c.case_id
    WHERE starts_with(c.case_id, ?) ORDER BY c.case_id LIMIT 2
"""


def find_case(con: Connection, case_id: str) -> dict[str, Any]:
    """The row of eval_cases whose id begins so, with the queue's reasons where it is queued, ``last_act`` and
    ``last_acted_at``. Raises ``UnknownCase``."""
    found = rows(con, _FOUND, [case_id.lower()])
    said = printable_line(case_id)
    if not found or not case_id:
        raise UnknownCase(f"no case {said!r}: `orders-pipeline cases list` shows their ids")
    if len(found) > 1:
        raise UnknownCase(f"{said!r} fits more than one case: give more of the id")
    last = rows(
        con,
        "SELECT act_id, decided_at FROM case_history WHERE case_id = ? ORDER BY decided_at DESC, act_id DESC LIMIT 1",
        [found[0]["case_id"]],
    )
    act = last[0] if last else {"act_id": None, "decided_at": None}
    return {**found[0], "last_act": act["act_id"], "last_acted_at": act["decided_at"]}


def shown_of(case: Mapping[str, Any]) -> Shown:
    """What a page that shows this row of ``find_case`` passes on when the person decides."""
    return Shown(last_act=case["last_act"], produced=digest_of([canonical_json(json.loads(case["produced"]))]))


def history(con: Connection, case_id: str) -> list[dict[str, Any]]:
    """Every decision on a case and every undo, oldest first: act_id, decision, expected, note, who, decided_at, undoes
    (the act that an undo took back), undone (whether it was taken back)."""
    return rows(
        con,
        "SELECT act_id, decision, snapshot -> '$.expected' AS expected, note, who, decided_at, undoes, undone"
        " FROM case_history WHERE case_id = ? ORDER BY decided_at, act_id",
        [case_id],
    )


@contextlib.contextmanager
def _deciding(work: Work) -> Iterator[None]:
    """One decision at a time, from reading the case to its act in the tables."""
    with locks.locked(work.store.folder.locks / "decisions.lock", timeout=_LOCK_SECONDS, what="the decisions"):
        yield


def _save(work: Work, kind: str, case: Mapping[str, Any], payload: Mapping[str, Any]) -> None:
    acts.save_after(work.store, kind, case["case_id"], payload, last=case["last_acted_at"], now=work.now())


def _case(work: Work, case_id: str, shown: Shown | None) -> dict[str, Any]:
    """The case, unless it is no longer as it was shown. Acts that a killed process saved and no table knows count."""
    with work.store.state.reading() as con:
        known = not acts.unknown(con, work.store.archive)
        case = find_case(con, case_id)
    if not known:
        with work.store.state.transaction() as con:
            acts.adopt(con, work.store.archive)
            case = find_case(con, case_id)
    if shown is not None and shown != shown_of(case):
        what = "was decided on elsewhere" if shown.last_act != case["last_act"] else "was parsed anew"
        raise DecidedMeanwhile(f"case {case['case_id']} {what} since it was shown: look at it again")
    return case
