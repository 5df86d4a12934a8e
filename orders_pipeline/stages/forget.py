"""Forgetting messages: out of archive, tables, cases and decisions, and they stay out.

Belongs here: the order of steps. First the tombstone (only the message's id, who and when), so that whatever happens
next a rebuild or a fetch leaves the message out; then files and rows in one transaction; then what is computed.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts, removal, tombstones
from orders_pipeline.store.archive import day_of_file
from orders_pipeline.store.frames import rows
from orders_pipeline.store.publish import publish

_ID = re.compile(r"[0-9a-f]{6,64}")


class UnknownMessage(OrdersPipelineError):
    """No message has this id, or more than one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A message to forget, with what tells a person that it is the right one."""

    message_id: str
    day: dt.date | None = None
    sender: str = ""
    subject: str = ""


def find(work: Work, names: Sequence[str]) -> list[Target]:
    """The messages with these ids, or starts of ids of six characters and more. Raises ``UnknownMessage``.

    One that is half forgotten (killed in the middle) is found too.
    """
    with work.store.state.transaction() as con:
        acts.adopt(con, work.store.archive)
        known = {
            r["message_id"]: Target(**r)
            for r in rows(
                con,
                "SELECT m.message_id, m.day, coalesce(o.sender, '') AS sender, coalesce(o.subject, '') AS subject"
                " FROM messages m LEFT JOIN parse_outcomes o ON o.message_id = m.message_id",
            )
        }
        gone = tombstones.forgotten(con)
    known |= {message_id: Target(message_id=message_id) for message_id in gone - known.keys()}
    out: dict[str, Target] = {}
    for name in names:
        wanted = name.strip().lower()
        found = [t for i, t in known.items() if i.startswith(wanted)] if _ID.fullmatch(wanted) else []
        if len(found) != 1:
            why = "more than one message begins with" if found else "no message has the id"
            raise UnknownMessage(
                f"{why} {printable_line(name)!r}: give six characters or more of an id"
                ", as `cases show` and `orders --json` print it"
            )
        out[found[0].message_id] = found[0]
    return list(out.values())


def unfinished(work: Work) -> list[Target]:
    """Messages that were forgotten and of which something may still be in archive or state (killed, restored)."""
    with work.store.state.transaction() as con:
        acts.adopt(con, work.store.archive)
        gone, left = tombstones.forgotten(con), removal.lingers(con)
    left = left or bool(gone and removal.files_with(work.store.archive, gone))
    return [Target(message_id=i) for i in sorted(gone)] if left else []


def forget(work: Work, ids: Collection[str]) -> list[dt.date]:
    """Forget messages for good; returns the days that lost one. Running again completes what a kill cut short."""
    reconcile(work)
    store, archive = work.store, work.store.archive
    with store.maintenance_lock():
        with store.state.reading() as con:
            before = tombstones.forgotten(con)
            found = rows(con, "SELECT message_id, day FROM messages")
        for message_id in sorted(set(ids) - before):
            acts.save(store, tombstones.FORGET, message_id, {}, now=work.now())
        days = {r["day"] for r in found if r["message_id"] in ids and r["day"]}
        files = removal.files_with(archive, ids)
        held = sorted(days | {d for p in files if not p.startswith("acts/") and (d := day_of_file(p))})
        with contextlib.ExitStack() as stack:
            for day in held:
                stack.enter_context(store.day_lock(day))
            files = removal.files_with(archive, ids)  # again: a run may have saved until we had its day
            with store.state.transaction() as con:
                for path in files:
                    removal.rewrite(con, archive, path, ids)
                removal.drop_rows(con, ids, now=work.now())
            removal.delete(archive, files)
            for day in sorted(days):
                if parse_day(work, day, pays=False).ledger is not None:
                    review_day(work, day, pays=False)
    refresh_current(work)
    removal.compact(store)
    publish(store)
    return sorted(days)
