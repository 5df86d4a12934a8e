"""What a tick reads, for the sensor and the schedule alike.

Belongs here: from store and instance to ``progress.Facts``. No network, one short transaction, cheap instance calls.
"""

from __future__ import annotations

import datetime as dt

import dagster as dg

from orders_pipeline.config import Config
from orders_pipeline.days import closed_days
from orders_pipeline.defs.in_hand import InHand
from orders_pipeline.defs.names import DAILY_KEYS
from orders_pipeline.progress import DayLedger, Facts, is_done
from orders_pipeline.stages.current import behind
from orders_pipeline.store import facts as store_facts
from orders_pipeline.store.store import Store


def shown_days(instance: dg.DagsterInstance) -> set[dt.date]:
    """The days whose three daily assets Dagster shows as materialized."""
    keys = [instance.get_materialized_partitions(key) for key in DAILY_KEYS]
    return {dt.date.fromisoformat(key) for key in set.intersection(*keys)}


def done_days(config: Config, ledger: dict[dt.date, DayLedger]) -> set[dt.date]:
    """The days that the ledger proves done."""
    return {day for day, row in ledger.items() if is_done(row, config.owing(day))}


def read_facts(store: Store, config: Config, instance: dg.DagsterInstance, found: InHand, now: dt.datetime) -> Facts:
    """Read everything that ``plan_tick`` decides from."""
    with store.state.reading() as con:
        ledger = store_facts.read_ledger(con)
        stale = behind(con, now, config.tz)
        relisted = store_facts.last_relisted(con, {m.name: m.since for m in config.mailbox})
    expected = closed_days(config.start_date, now, config.tz)
    return Facts(
        expected=expected,
        ledger=ledger,
        done=done_days(config, ledger),
        shown=shown_days(instance),
        in_hand=found.days,
        runs_in_flight=found.day_runs,
        relists_in_flight=found.relists,
        current_stale=bool(ledger) and stale,
        current_in_hand=found.current > 0,
        last_relisted=relisted,
        owing=config.owing,
    )
