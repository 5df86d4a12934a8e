"""Which days something will take already: queued and living runs, and active backfills.

Belongs here: reading the instance's unfinished runs. A started run whose lock is free is dead; it is named so that the
tick can fail it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import dagster as dg
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus

from orders_pipeline.days import days_between
from orders_pipeline.defs import claims
from orders_pipeline.defs.names import (
    CURRENT_JOB,
    DAILY_KEYS,
    RANGE_END_TAG,
    RANGE_START_TAG,
    RELIST_JOB,
    USAGE_JOB,
    USAGE_KEYS,
)
from orders_pipeline.store.folder import DataFolder

_QUEUED_SECONDS = 86_400.0  # a queue may be long
_CREATED_SECONDS = 600.0  # until the daemon queues it; a killed daemon does so when it is back
# From launch to STARTED a process imports everything: 5 s, on a busy machine a minute. One that was launched before
# this code server was born had an older server for a parent, which was killed with its tree or, seldom, reloaded.
_STARTING_SECONDS = 180.0
_ORPHANED_SECONDS = 45.0
_UNCLAIMED_SECONDS = 60.0  # from STARTED to the claim: a second
_BORN = dt.datetime.now(dt.UTC)
_BACKFILL_SECONDS = 86_400.0
_UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]
_LAUNCHED = (dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING)


@dataclass(slots=True)
class InHand:
    """Days in hand, how many runs hold them, and runs that are dead."""

    days: set[dt.date] = field(default_factory=set)
    day_runs: int = 0
    relists: int = 0
    current: int = 0
    dead: list[dg.DagsterRun] = field(default_factory=list)


def in_hand(
    instance: dg.DagsterInstance, folder: DataFolder, now: dt.datetime, keys: Collection[dg.AssetKey] = DAILY_KEYS
) -> InHand:
    """Read the instance's unfinished runs and active backfills. Days are those of the assets ``keys``."""
    found = InHand()
    for record in instance.get_run_records(filters=dg.RunsFilter(statuses=_UNFINISHED)):
        run = record.dagster_run
        if _lives(record, folder, now):
            _count(found, run, keys)
        elif run.status in _LAUNCHED:
            found.dead.append(run)
    found.days |= _backfilled(instance, now, keys)
    return found


def days_of_run(tags: Mapping[str, str]) -> set[dt.date]:
    """The days that a run was asked to materialize, by its tags."""
    try:
        if RANGE_START_TAG in tags and RANGE_END_TAG in tags:
            return set(
                days_between(dt.date.fromisoformat(tags[RANGE_START_TAG]), dt.date.fromisoformat(tags[RANGE_END_TAG]))
            )
        if key := tags.get("dagster/partition"):
            return {dt.date.fromisoformat(key)}
    except ValueError:
        pass  # a partition of something else
    return set()


def _count(found: InHand, run: dg.DagsterRun, keys: Collection[dg.AssetKey]) -> None:
    days = days_of_run(run.tags) if _takes(run, keys) else set()
    found.days |= days
    found.day_runs += bool(days)
    found.relists += run.job_name == RELIST_JOB
    found.current += run.job_name == CURRENT_JOB


def _takes(run: dg.DagsterRun, keys: Collection[dg.AssetKey]) -> bool:
    """Whether a run with days takes those of these assets: by what was selected, else by its job."""
    if run.asset_selection:
        return not run.asset_selection.isdisjoint(keys)
    return (run.job_name == USAGE_JOB) == (keys == USAGE_KEYS)


def _lives(record: dg.RunRecord, folder: DataFolder, now: dt.datetime) -> bool:
    status = record.dagster_run.status
    age = (now - record.create_timestamp).total_seconds()
    if status is dg.DagsterRunStatus.QUEUED:
        return age < _QUEUED_SECONDS
    if status is dg.DagsterRunStatus.NOT_STARTED:
        return age < _CREATED_SECONDS
    if status is dg.DagsterRunStatus.STARTING:  # it may have waited in the queue before
        limit = _ORPHANED_SECONDS if record.update_timestamp < _BORN else _STARTING_SECONDS
        return (now - record.update_timestamp).total_seconds() < limit
    alive = claims.is_alive(folder, record.dagster_run.run_id)
    if alive is not None:
        return alive
    started = record.start_time or record.create_timestamp.timestamp()
    return now.timestamp() - started < _UNCLAIMED_SECONDS


def _backfilled(instance: dg.DagsterInstance, now: dt.datetime, assets: Collection[dg.AssetKey]) -> set[dt.date]:
    days: set[dt.date] = set()
    for backfill in instance.get_backfills(filters=BulkActionsFilter(statuses=[BulkActionStatus.REQUESTED])):
        if now.timestamp() - backfill.backfill_timestamp > _BACKFILL_SECONDS or not backfill.asset_backfill_data:
            continue
        for key in assets:
            if key in backfill.asset_backfill_data.target_subset.asset_keys:
                keys = backfill.asset_backfill_data.target_subset.get_partitions_subset(key).get_partition_keys()
                days |= {dt.date.fromisoformat(k) for k in keys}
    return days
