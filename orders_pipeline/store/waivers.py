"""Waivers: a person's word that a unit may stay undone, kept as acts and applied to the units.

Belongs here: when a waiver holds. A later success voids it, so an act alone proves nothing: it is applied only where
the unit is still open. Not here: saving acts (acts.py), or who may waive what (stages/waive.py).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from typing import Any

from orders_pipeline.models import UnitState
from orders_pipeline.store import ledger, units
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.parse_rows import BY_MODEL

WAIVER = "waiver"

Key = tuple[str, str | None, str]  # stage, mailbox, unit: what a unit is known by


def payload(stage: str, mailbox: str | None, day: dt.date | None, reason: str, *, withdrawn: bool) -> dict[str, Any]:
    """What the act keeps beside its subject, the unit."""
    return {
        "stage": stage,
        "mailbox": mailbox,
        "day": day.isoformat() if day else None,
        "reason": reason,
        "withdrawn": withdrawn,
    }


def apply(con: Connection, acts: Sequence[Mapping[str, Any]]) -> None:
    """Apply waiver acts, of which the last one a unit counts: waived where the unit is open, pending where withdrawn.

    Each act has ``subject``, ``payload`` and ``acted_at`` (aware).
    """
    last: dict[Key, Mapping[str, Any]] = {}
    for act in sorted(acts, key=lambda a: a["acted_at"]):
        last[act["payload"]["stage"], act["payload"]["mailbox"], act["subject"]] = act
    for (stage, mailbox, unit), act in last.items():
        said, state = act["payload"], _state(con, stage, mailbox, unit)
        day = dt.date.fromisoformat(said["day"]) if said["day"] else None
        if said["withdrawn"]:
            if state == UnitState.WAIVED and stage in ledger.STAGES:
                units.release(con, [(stage, mailbox, unit)])
            elif state == UnitState.WAIVED:
                units.clear(con, stage, [unit])  # a missing file: it is found missing again
        elif _is_open(con, stage, mailbox, unit, state, act["acted_at"]):
            units.set_state(
                con, stage, unit, UnitState.WAIVED, day=day, mailbox=mailbox, now=act["acted_at"],
                error=f"waived: {said['reason']}"[:500],
            )  # fmt: skip


def apply_all(con: Connection) -> None:
    """Apply every waiver to tables that were made again from the archive."""
    found = rows(con, "SELECT subject, payload, acted_at FROM acts WHERE kind = ? ORDER BY acted_at, act_id", [WAIVER])
    apply(con, [{**act, "payload": json.loads(act["payload"])} for act in found])


def _state(con: Connection, stage: str, mailbox: str | None, unit: str) -> str | None:
    found = con.execute(
        "SELECT state FROM units WHERE stage = ? AND unit = ? AND mailbox IS NOT DISTINCT FROM ?",
        [stage, unit, mailbox],
    ).fetchall()
    return found[0][0] if found else None


def _is_open(
    con: Connection, stage: str, mailbox: str | None, unit: str, state: str | None, waived_at: dt.datetime
) -> bool:
    if state in (UnitState.PENDING, UnitState.EXHAUSTED):
        return True
    if state is not None:
        return False
    # Without a row: tables made again from the archive do not know of tries, but they know what succeeded.
    if stage == ledger.FETCH:
        sql = "SELECT count(*) = 0 FROM locations WHERE mailbox = ? AND location = ?"
        return con.execute(sql, [mailbox, unit]).fetchall()[0][0]
    if stage == ledger.REVIEW:
        sql = (
            "SELECT count(*) = 0 FROM verdicts WHERE message_id = ? AND judged_at >= ?"
            " AND (?::VARCHAR IS NULL OR judge = ?)"
        )
        return _known(con, unit) and con.execute(sql, [unit, waived_at, mailbox, mailbox]).fetchall()[0][0]
    if stage == ledger.PARSE and mailbox == BY_MODEL:
        sql = "SELECT count(*) = 0 FROM model_answers WHERE message_id = ? AND answered_at >= ?"
        return _known(con, unit) and con.execute(sql, [unit, waived_at]).fetchall()[0][0]
    # A parse by rules is tried anew: that it succeeded since the waiver, no file tells.
    return False


def _known(con: Connection, message_id: str) -> bool:
    return con.execute("SELECT count(*) > 0 FROM messages WHERE message_id = ?", [message_id]).fetchall()[0][0]
