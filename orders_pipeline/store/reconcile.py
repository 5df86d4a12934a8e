"""Archive and tables, brought together: files that no table knows, and files that are gone.

Belongs here: the comparison and what the tables make of it. Files that are there and unknown are adopted (the state may
be older than the archive: a kill, a restored backup); files that are missing hold their day until they are back or a
person waives them. Not here: fetching, parsing, judging; runs do that for the days that this reopens.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from orders_pipeline.errors import StoreError
from orders_pipeline.models import UnitState
from orders_pipeline.store import acts, ledger, locks, mail_rows, model_answers, model_calls, review_rows, units
from orders_pipeline.store.archive import Archive, day_of_file
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.store import Store

ARCHIVE = "archive"  # the stage of their units
KINDS = ("acts", "mail", "listings", "verdicts", "answers", "calls")  # in the order of adoption
_OF_NO_DAY = ("acts/", "calls/")
_GONE = "the archive file is missing: restore it from a backup; without one, `orders-pipeline rebuild` takes stock"


@dataclass(slots=True)
class Reconciled:
    """What was found: files taken into the tables, days that this reopened, files that are missing or damaged."""

    adopted: int = 0
    reopened: list[dt.date] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Files in the archive that no table knows, and files that a table knows and the archive lacks."""

    unknown: tuple[str, ...]
    missing: tuple[str, ...]


def difference(con: Connection, archive: Archive) -> Difference:
    """Compare under the store's lock, under which nothing enters or leaves ``archive_files``."""
    known = {r["path"] for r in rows(con, "SELECT path FROM archive_files")}
    there = [path for kind in KINDS for path in archive.all_files(kind)]
    return Difference(
        unknown=tuple(path for path in there if path not in known), missing=tuple(sorted(known - set(there)))
    )


def missing_files(con: Connection, archive: Archive) -> list[str]:
    """The archive files that the tables name and that are missing, less those waived."""
    waived = {r["unit"] for r in rows(con, "SELECT unit FROM units WHERE stage = 'archive' AND state = 'waived'")}
    return [path for path in difference(con, archive).missing if path not in waived]


def reconcile(store: Store, *, now: dt.datetime) -> Reconciled:
    """Adopt what is unknown and make units of what is missing. Writes nothing when all is known."""
    with store.state.reading() as con:
        found = difference(con, store.archive)
        held = {r["unit"]: r["state"] for r in rows(con, "SELECT unit, state FROM units WHERE stage = ?", [ARCHIVE])}
    if not found.unknown and set(found.missing) == held.keys():
        return Reconciled(missing=[path for path in found.missing if held[path] != UnitState.WAIVED])
    report = Reconciled()
    busy = _busy_days(store, found)
    with store.state.transaction() as con:
        found = difference(con, store.archive)
        damaged = _adopt(con, store.archive, [p for p in found.unknown if not _is_of(p, busy)], report, now)
        _hold(con, dict.fromkeys(found.missing, _GONE) | damaged, now)
        waived = rows(con, "SELECT unit FROM units WHERE stage = ? AND state = 'waived'", [ARCHIVE])
    report.missing = sorted({*found.missing, *damaged} - {r["unit"] for r in waived})
    return report


def _busy_days(store: Store, found: Difference) -> set[dt.date | None]:
    """Days that a run holds: it adopts its own files."""
    days = {day_of_file(p) for p in found.unknown if not p.startswith(_OF_NO_DAY)} - {None}
    return {d for d in days if d and locks.is_held(store.folder.locks / f"day-{d.isoformat()}.lock")}


def _is_of(path: str, days: set[dt.date | None]) -> bool:
    return not path.startswith(_OF_NO_DAY) and day_of_file(path) in days


def _adopt(con: Connection, archive: Archive, paths: list[str], report: Reconciled, now: dt.datetime) -> dict[str, str]:
    """Adopt files kind by kind, mail in the order in which it was saved, and reopen the days that they belong to;
    returns those that cannot be read."""
    damaged: dict[str, str] = {}
    mailed: set[dt.date] = set()
    judged: set[dt.date] = set()
    for path in sorted(paths, key=lambda p: (KINDS.index(p.partition("/")[0]), _saved_at(archive, p), p)):
        kind = path.partition("/")[0]
        try:
            if kind == "acts":
                archive.read_act(path)
                continue
            {
                "mail": mail_rows.adopt_mail,
                "listings": mail_rows.adopt_listing,
                "verdicts": review_rows.adopt_verdicts,
                "answers": model_answers.adopt_file,
                "calls": model_calls.adopt_file,
            }[kind](con, archive, path)
        except StoreError as error:
            damaged[path] = str(error)
            continue
        if kind in (model_calls.KIND, model_answers.KIND):
            continue  # no day depends on what was paid; an answer counts when its mail is parsed again
        report.adopted += 1
        if day := day_of_file(path):
            (judged if kind == "verdicts" else mailed).add(day)
    if not any(path.startswith("acts/") for path in damaged):
        report.adopted += acts.adopt(con, archive)
    for day in judged:
        con.execute("DELETE FROM stage_days WHERE stage = ? AND day = ?", [ledger.REVIEW, day])
    report.reopened = sorted(judged | {day for day in mailed if ledger.follow_mail(con, day, now=now)})
    return damaged


def _hold(con: Connection, faults: dict[str, str], now: dt.datetime) -> None:
    """A unit for each file that is missing or damaged; those that are back lose theirs."""
    known = {r["unit"]: r["state"] for r in rows(con, "SELECT unit, state FROM units WHERE stage = ?", [ARCHIVE])}
    units.clear(con, ARCHIVE, known.keys() - faults.keys())
    for path, error in faults.items():
        if path not in known:
            day = None if path.startswith(_OF_NO_DAY) else day_of_file(path)
            units.set_state(
                con, ARCHIVE, path, UnitState.EXHAUSTED, day=day, mailbox=None, now=now, error=error[:500]
            )  # fmt: skip


def _saved_at(archive: Archive, path: str) -> dt.datetime:
    oldest = dt.datetime.min.replace(tzinfo=dt.UTC)
    if not path.startswith("mail/"):
        return oldest
    try:
        return min(archive.read(path, ["saved_at"])["saved_at"].to_pylist(), default=oldest)
    except StoreError:
        return oldest
