"""What a tick reads, for the sensor and the schedule alike.

Belongs here: from store and instance to ``progress.Facts``. No network, one short transaction, cheap instance calls.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import dagster as dg

from orders_pipeline.config import Config, SensorSettings
from orders_pipeline.days import closed_days
from orders_pipeline.defs.in_hand import InHand
from orders_pipeline.defs.names import CURRENT_JOB, DAILY_KEYS, RELIST_JOB
from orders_pipeline.progress import DayLedger, Facts, is_done
from orders_pipeline.store import facts as store_facts
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.ledger import spaced
from orders_pipeline.store.store import Store
from orders_pipeline.store.survey import survey

_ENDED_BADLY = (dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)
_AT_ONCE = 2  # failures after which the next try is not spaced: a killed run is one
_LAST_RUNS = 14  # from there on the wait is the longest there is


def shown_days(instance: dg.DagsterInstance, assets: Sequence[dg.AssetKey] = DAILY_KEYS) -> set[dt.date]:
    """The days whose daily assets Dagster shows as materialized."""
    keys = [instance.get_materialized_partitions(key) for key in assets]
    return {dt.date.fromisoformat(key) for key in set.intersection(*keys)}


def done_days(config: Config, ledger: dict[dt.date, DayLedger]) -> set[dt.date]:
    """The days that the ledger proves done."""
    return {day for day, row in ledger.items() if is_done(row, config.owing(day))}


def job_waits(instance: dg.DagsterInstance, job: str, settings: SensorSettings, now: dt.datetime) -> bool:
    """Whether the last runs of a job all failed and the next try is not due: what fails each time must not cost a run
    a tick."""
    records = instance.get_run_records(dg.RunsFilter(job_name=job), limit=_LAST_RUNS)
    failed = list(takewhile(lambda record: record.dagster_run.status in _ENDED_BADLY, records))
    if len(failed) <= _AT_ONCE:
        return False
    ended = dt.datetime.fromtimestamp(failed[0].end_time or failed[0].create_timestamp.timestamp(), dt.UTC)
    due = spaced(ended, len(failed) - _AT_ONCE, settings.retry_first_seconds, settings.retry_limit_seconds)
    return ended <= now < due  # an end in the future was before the clock was set back


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerFacts:
    """What a tick needs of a ledger: the days that are ``done``, the ``rows`` of those that are not or that Dagster
    does not show, and for each listed day the last try to list it."""

    done: set[dt.date]
    rows: dict[dt.date, DayLedger]
    relisted: dict[dt.date, dt.datetime]


def ledger_facts(con: Connection, config: Config, shown: set[dt.date]) -> LedgerFacts:
    """Read it, the rows of few days only: done and shown are all but some."""
    found = survey(con, {m.name: m.since for m in config.mailbox})
    rows = store_facts.read_ledger(con, [*found.others, *(found.proven - shown)])
    return LedgerFacts(done=found.proven, rows=rows, relisted=found.relisted)


def read_facts(store: Store, config: Config, instance: dg.DagsterInstance, found: InHand, now: dt.datetime) -> Facts:
    """Read everything that ``plan_tick`` decides from."""
    # For ticks alone: a run of days imports these definitions too, and needs neither.
    from orders_pipeline.stages import golden_score
    from orders_pipeline.stages.current import behind

    shown = shown_days(instance)
    with store.state.reading() as con:
        ledger = ledger_facts(con, config, shown)
        stale = behind(con, now, config) or golden_score.behind(con, config)
    return Facts(
        expected=closed_days(config.start_date, now, config.tz),
        ledger=ledger.rows,
        done=ledger.done,
        shown=shown,
        in_hand=found.days,
        runs_in_flight=found.day_runs,
        relists_in_flight=found.relists + job_waits(instance, RELIST_JOB, config.sensor, now),
        current_stale=bool(ledger.rows or ledger.done) and stale,
        current_in_hand=found.current > 0 or (stale and job_waits(instance, CURRENT_JOB, config.sensor, now)),
        last_relisted=ledger.relisted,
        owing=config.owing,
    )
