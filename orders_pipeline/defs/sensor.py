"""The sensor that owns the cursor.

Belongs here: the thin shell around ``plan_tick``: read, decide, tell Dagster. No network I/O, a bounded amount of work.
A tick that cannot read the store keeps the cursor and says why.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import dagster as dg
from dagster._core.definitions.target import ExecutableDefinition

from orders_pipeline.config import Config
from orders_pipeline.crash_points import reach
from orders_pipeline.defs import claims, resources
from orders_pipeline.defs.cursor import SENSOR
from orders_pipeline.defs.events import late_materialization
from orders_pipeline.defs.in_hand import in_hand
from orders_pipeline.defs.names import CURRENT_JOB, DAYS_JOB, RANGE_END_TAG, RANGE_START_TAG, RELIST_JOB, RELIST_TAG
from orders_pipeline.defs.partitions import key_of
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.defs.tick import read_facts
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.progress import Facts, Plan, decode_cursor, encode_cursor, plan_tick
from orders_pipeline.store import ledger
from orders_pipeline.store.store import Store


def days_sensor(jobs: Sequence[ExecutableDefinition]) -> dg.SensorDefinition:
    """The sensor over the given jobs; on from the start."""

    @dg.sensor(
        name=SENSOR,
        jobs=jobs,
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Owns the cursor: the last day up to which everything is provably done. Asks for what is missing.",
    )
    def order_days_sensor(context: dg.SensorEvaluationContext, pipeline: Pipeline) -> dg.SensorResult | dg.SkipReason:
        try:
            store, config = pipeline.open(patience=resources.SENSOR_PATIENCE)
            return tick(context, store, config)
        except OrdersPipelineError as error:
            return dg.SkipReason(str(error))

    return order_days_sensor


def tick(context: dg.SensorEvaluationContext, store: Store, config: Config) -> dg.SensorResult:
    """One tick: the cursor as the ledger proves it, and the runs that are asked for."""
    reach("tick.before")
    now = dt.datetime.now(dt.UTC)
    found = in_hand(context.instance, store.folder, now)
    for run in found.dead:
        context.instance.report_run_failed(run, "the process of this run is gone; its days are taken up again")
    claims.clean(store.folder)
    facts = read_facts(store, config, context.instance, found, now)
    plan = plan_tick(decode_cursor(context.cursor), facts, config.sensor, now)
    reach("tick.planned")
    _report_events(context.instance, facts, plan)
    reach("tick.reported")
    requests = run_requests(plan)
    return dg.SensorResult(
        run_requests=requests,
        skip_reason=None if requests else dg.SkipReason(plan.note),
        cursor=encode_cursor(plan.cursor),
    )


def run_requests(plan: Plan) -> list[dg.RunRequest]:
    """The runs of a plan. No run key: a used key never launches again, not even after a failure."""
    out = [days_request(first, last) for first, last in plan.runs]
    for first, last in plan.relists:
        span = f"{first}..{last}"
        config = {"ops": {"relist_days": {"config": {"first": key_of(first), "last": key_of(last)}}}}
        out.append(dg.RunRequest(job_name=RELIST_JOB, run_config=config, tags={RELIST_TAG: span}))
    if plan.refresh_current:
        out.append(dg.RunRequest(job_name=CURRENT_JOB))
    return out


def days_request(first: dt.date, last: dt.date) -> dg.RunRequest:
    """A run over a range of days, in one process."""
    if first == last:
        return dg.RunRequest(job_name=DAYS_JOB, partition_key=key_of(first))
    tags = {RANGE_START_TAG: key_of(first), RANGE_END_TAG: key_of(last)}
    return dg.RunRequest(job_name=DAYS_JOB, tags=tags)


def _report_events(instance: dg.DagsterInstance, facts: Facts, plan: Plan) -> None:
    """Where the ledger proves a day and the event log does not show it, bring them together."""
    for day in plan.report_events:
        row = facts.ledger[day]
        marks = {ledger.FETCH: row.fetch, ledger.PARSE: row.parse, ledger.REVIEW: row.review}
        for stage, mark in marks.items():
            if mark is not None:
                instance.report_runless_asset_event(late_materialization(stage, day, mark.output_digest))
