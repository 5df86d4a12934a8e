"""The schedules: yesterday's day, the daily refresh, the gap checks.

Belongs here: what happens by the clock. Missed days are the sensor's work: a Dagster schedule does not catch up.
"""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import dagster as dg

from orders_pipeline.days import day_of
from orders_pipeline.defs import resources
from orders_pipeline.defs.in_hand import in_hand
from orders_pipeline.defs.names import CHECKS_JOB, CURRENT_JOB, DAYS_JOB
from orders_pipeline.defs.partitions import key_of
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.defs.tick import done_days
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.store import facts as store_facts


def yesterday_schedule(zone: str) -> dg.ScheduleDefinition:
    """Materialize yesterday shortly after the zone's midnight, unless it is done or in hand."""

    @dg.schedule(
        name="yesterday",
        job_name=DAYS_JOB,
        cron_schedule="10 0 * * *",
        execution_timezone=zone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description="Takes yesterday through all stages, shortly after it is over.",
    )
    def yesterday(context: dg.ScheduleEvaluationContext, pipeline: Pipeline) -> dg.RunRequest | dg.SkipReason:
        day = day_of(context.scheduled_execution_time, ZoneInfo(zone)) - dt.timedelta(days=1)
        try:
            store, config = pipeline.open(patience=resources.SENSOR_PATIENCE)
            with store.state.reading() as con:
                done = done_days(config, store_facts.read_ledger(con, [day]))
        except OrdersPipelineError as error:
            return dg.SkipReason(str(error))
        if day < config.start_date:
            return dg.SkipReason(f"{day} lies before the start date {config.start_date}")
        if day in done:
            return dg.SkipReason(f"{day} is done")
        if day in in_hand(context.instance, store.folder, dt.datetime.now(dt.UTC)).days:
            return dg.SkipReason(f"{day} is in hand")
        return dg.RunRequest(job_name=DAYS_JOB, partition_key=key_of(day))

    return yesterday


def current_schedule(zone: str) -> dg.ScheduleDefinition:
    """Refresh orders, alerts and the queue once a day: alerts change with the calendar alone."""
    return dg.ScheduleDefinition(
        name="current_state_daily",
        job_name=CURRENT_JOB,
        cron_schedule="40 0 * * *",
        execution_timezone=zone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description=f"Runs {CURRENT_JOB} once a day.",
    )


def checks_schedule(zone: str) -> dg.ScheduleDefinition:
    """Evaluate the checks over all days hourly, so that they turn red when no run does."""
    return dg.ScheduleDefinition(
        name="gap_checks_hourly",
        job_name=CHECKS_JOB,
        cron_schedule="25 * * * *",
        execution_timezone=zone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description=f"Runs {CHECKS_JOB} every hour.",
    )
