"""Every definition, for one configuration.

Belongs here: the explicit lists of assets, jobs, schedules, sensors. Without a configuration (a fresh clone) the
definitions still load, so that Dagster can show what there is; their runs and ticks then say what is missing.
"""

from __future__ import annotations

import datetime as dt
import logging

import dagster as dg

from orders_pipeline.config import Config, SensorSettings, config_path, load_config
from orders_pipeline.defs.checks import checks_job
from orders_pipeline.defs.current import current_assets
from orders_pipeline.defs.days import daily_assets
from orders_pipeline.defs.names import CURRENT_JOB, DAILY_KEYS, DAYS_JOB
from orders_pipeline.defs.partitions import daily_partitions
from orders_pipeline.defs.relist import relist_job
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.defs.schedules import checks_schedule, current_schedule, yesterday_schedule
from orders_pipeline.defs.scores import scores_asset
from orders_pipeline.defs.sensor import days_sensor

_EMPTY_DAYS = 14


def gather() -> dg.Definitions:
    """The definitions. Raises ``ConfigError`` when there is a configuration and it is wrong."""
    config = load_config() if config_path().exists() else None
    if config is None:
        logging.getLogger("orders_pipeline").warning("no configuration at %s: run `make demo`", config_path())
    zone, start, sensor = _shape(config)
    partitions = daily_partitions(zone, start)
    days = daily_assets(partitions, sensor.max_days_per_run)
    current, checks, relist = [*current_assets(), scores_asset()], checks_job(), relist_job()
    days_job = dg.define_asset_job(
        DAYS_JOB, selection=dg.AssetSelection.assets(*DAILY_KEYS).without_checks(), partitions_def=partitions,
        description="Takes days through all stages.",
    )  # fmt: skip
    current_job = dg.define_asset_job(
        CURRENT_JOB, selection=dg.AssetSelection.assets(*[a.key for a in current]),
        description="Computes orders, alerts and the case queue from all days, and scores the golden set.",
    )  # fmt: skip
    found = dg.Definitions(
        assets=[days, *current],
        jobs=[days_job, current_job, checks, relist],
        schedules=[
            yesterday_schedule(zone),
            current_schedule(zone),
            checks_schedule(zone),
        ],
        sensors=[days_sensor([days_job, current_job, relist])],
        resources={"pipeline": Pipeline()},
        executor=dg.in_process_executor,
    )
    if config is None or not config.usage:
        return found
    return dg.Definitions.merge(found, _usage(partitions, sensor))


def _usage(partitions: dg.DailyPartitionsDefinition, sensor: SensorSettings) -> dg.Definitions:
    from orders_pipeline.defs.usage import usage_assets, usage_job, usage_sensor  # only for who has such logs

    job = usage_job(partitions)
    return dg.Definitions(
        assets=[usage_assets(partitions, sensor.max_days_per_run)], jobs=[job], sensors=[usage_sensor(job)]
    )


def _shape(config: Config | None) -> tuple[str, dt.date, SensorSettings]:
    if config is not None:
        return config.zone, config.start_date, config.sensor
    return "UTC", dt.datetime.now(dt.UTC).date() - dt.timedelta(days=_EMPTY_DAYS), SensorSettings()
