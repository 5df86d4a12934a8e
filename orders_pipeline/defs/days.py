"""The three daily assets, as one step that takes each day through all stages.

Belongs here: the asset specs and the step. A day's events are logged as soon as the day is committed; bad days raise
last, so that a bad day costs no other.
"""

import time
from collections.abc import Iterator

import dagster as dg

from orders_pipeline.crash_points import reach
from orders_pipeline.defs.checks import day_check_results, day_check_specs
from orders_pipeline.defs.events import materialization
from orders_pipeline.defs.names import FETCHED, PARSED, POOL, PROPOSED, STAGE_OF
from orders_pipeline.defs.partitions import day_of_key
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.stages.day import DayReport, run_day
from orders_pipeline.stages.work import Work

_DESCRIPTIONS = {
    FETCHED: "Every mail received on the day, saved unchanged in the archive.",
    PARSED: "What the day's mail says of orders, and for each mail what became of it.",
    PROPOSED: "Parses that look wrong, proposed as test cases for a person to accept or reject.",
}


def daily_assets(partitions: dg.DailyPartitionsDefinition, max_days_per_run: int) -> dg.AssetsDefinition:
    """The step that materializes fetched_emails, parsed_orders and proposed_eval_cases."""
    deps = {FETCHED: [], PARSED: [FETCHED], PROPOSED: [PARSED]}
    specs = [
        dg.AssetSpec(
            name,
            deps=deps[name],
            skippable=True,
            description=text,
            group_name="days",
            kinds={"duckdb"},
            partitions_def=partitions,
        )
        for name, text in _DESCRIPTIONS.items()
    ]

    @dg.multi_asset(
        name="take_days_through_stages",
        specs=specs,
        check_specs=day_check_specs(),
        can_subset=True,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=max_days_per_run),
        pool=POOL,
    )
    def order_days(context: dg.AssetExecutionContext, pipeline: Pipeline) -> Iterator[dg.AssetCheckResult]:
        stages = [STAGE_OF[key.to_user_string()] for key in context.selected_asset_keys]
        # Checks alone ("Execute" in the UI) look at all days, and their run has no partition.
        keys = context.partition_keys if stages else []
        with pipeline.work(context) as work:
            bad = [r for key in keys if (r := _one_day(context, work, key, stages)).problem]
            work.publish()
            yield from day_check_results(context, work)
        if bad:
            raise dg.Failure(
                description=f"{len(bad)} of {len(keys)} days are not done: "
                + " | ".join(f"{r.day}: {r.problem}" for r in bad[:5])
                + (" | …" if len(bad) > 5 else ""),
                metadata={str(r.day): r.problem or "" for r in bad[:50]},
                allow_retries=False,
            )

    return order_days


def _one_day(context: dg.AssetExecutionContext, work: Work, key: str, stages: list[str]) -> DayReport:
    began = time.monotonic()
    report = run_day(work, day_of_key(key), stages)
    for stage in report.proven():
        reach("event.before")
        context.log_event(materialization(stage, seconds=time.monotonic() - began))
        reach("event.after")
    if report.problem:
        context.log.error(f"{key} is not done: {report.problem}")
    return report
