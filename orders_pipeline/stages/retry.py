"""Retrying on a person's word: what ran out of tries, what waits, and parses that failed.

Belongs here: choosing and releasing. The work itself is done by the next run of the day, like all work.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from orders_pipeline.stages.named_units import named
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts, open_units, units, waivers
from orders_pipeline.store.open_units import FAILED_PARSE, Unit
from orders_pipeline.store.reconcile import ARCHIVE  # missing files: no try mends them

_OPEN = ("pending", "exhausted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """What was released: units as they were before, and days that wait no longer."""

    units: tuple[Unit, ...]
    days: tuple[dt.date, ...]


def retry(work: Work, *, days: Sequence[dt.date] = (), names: Sequence[str] = ()) -> Released:
    """Release what is stuck: all that is open when nothing is given, else days (their failed parses too) or messages.

    A waived unit that is named is taken back into work. Raises ``UnknownUnit``.
    """
    with work.store.state.reading() as con:
        known = [u for u in open_units.every(con) if u.stage != ARCHIVE or u.state == "waived"]
        failed = open_units.failed_parses(con)
        waiting = open_units.waiting_days(con)
    if names:
        retriable = [u for u in known if u.state != "gone"] + failed
        chosen = list({u.key: u for u in (named(n, retriable, what="to retry") for n in names)}.values())
        freed = sorted({u.day for u in chosen if u.day} & set(waiting))
    elif days:
        wanted = set(days)
        chosen = [u for u in known if u.state in _OPEN and u.day in wanted] + [u for u in failed if u.day in wanted]
        freed = [d for d in waiting if d in wanted]
    else:
        chosen = [u for u in known if u.state in _OPEN]
        freed = waiting
    _release(work, chosen, freed)
    return Released(units=tuple(chosen), days=tuple(freed))


def _release(work: Work, chosen: Sequence[Unit], days: Sequence[dt.date]) -> None:
    for unit in chosen:
        if unit.state == "waived":
            said = waivers.payload(unit.stage, unit.mailbox, unit.day, "retried", withdrawn=True)
            acts.save(work.store, waivers.WAIVER, unit.unit, said, now=work.now())
    if not chosen and not days:
        return
    with work.store.state.transaction() as con:
        units.release(con, [u.key for u in chosen if u.state != FAILED_PARSE])
        open_units.open_parse(con, [u for u in chosen if u.state == FAILED_PARSE], now=work.now())
        open_units.release_days(con, days)
    work.publish()


def waive(work: Work, name: str, *, stage: str, reason: str) -> Unit:
    """Record that an open unit may stay undone, and why; its day can be done without it. Raises ``UnknownUnit``."""
    with work.store.state.reading() as con:
        found = [u for u in open_units.every(con) if u.stage == stage and u.state in _OPEN]
        if stage == "parse":
            found += open_units.without_outcome(con)
    unit = named(name, found, what=f"of stage {stage} to waive")
    if unit.state == open_units.NO_OUTCOME:
        with work.store.state.transaction() as con:
            open_units.open_parse(con, [replace(unit, error="it has no outcome")], now=work.now())
    said = waivers.payload(unit.stage, unit.mailbox, unit.day, reason, withdrawn=False)
    acts.save(work.store, waivers.WAIVER, unit.unit, said, now=work.now())
    if unit.day:
        with work.store.state.transaction() as con:
            open_units.release_days(con, [unit.day])
    work.publish()
    return unit
