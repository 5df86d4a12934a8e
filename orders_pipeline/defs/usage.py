"""Usage logs in Dagster: the pair usage_rows and proposed_usage_cases, its job, its sensor and its check.

Belongs here: the assets of the days of logs, and who asks for them. They are there only when a log is configured. Not
here: what a day does (stages/day.py, the same as for mail).
"""

import datetime as dt
import time
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import dagster as dg
from dagster._core.definitions.target import ExecutableDefinition
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from orders_pipeline.config import Config
from orders_pipeline.days import closed_days
from orders_pipeline.defs import resources
from orders_pipeline.defs.in_hand import in_hand
from orders_pipeline.defs.names import (
    DATA_VERSION_TAG,
    POOL,
    RANGE_END_TAG,
    RANGE_START_TAG,
    RELIST_TAG,
    USAGE_CASES,
    USAGE_JOB,
    USAGE_KEYS,
    USAGE_ROWS,
    USAGE_STAGES,
)  # fmt: skip
from orders_pipeline.defs.partitions import day_of_key, key_of
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.defs.tick import ledger_facts, shown_days
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.progress import Facts, decode_cursor, encode_cursor, plan_tick
from orders_pipeline.stages.day import DayReport, run_day
from orders_pipeline.stages.usage_status import usage_status
from orders_pipeline.stages.usage_work import UsageWork, open_usage
from orders_pipeline.stages.work import Work
from orders_pipeline.store import ledger

SENSOR, CHECK = "usage_days_sensor", "usage_days_done"
_ASSET_AFTER = {ledger.PARSE: USAGE_ROWS, ledger.REVIEW: USAGE_CASES}
_DESCRIPTIONS = {
    USAGE_ROWS: "The day's rows of every configured log of model usage, saved unchanged in an archive of their own.",
    USAGE_CASES: "Rows that fail their log's rubric, proposed as test cases.",
}


def usage_assets(partitions: dg.DailyPartitionsDefinition, max_days_per_run: int) -> dg.AssetsDefinition:
    """The step that takes days of logs through their stages."""
    deps = {USAGE_ROWS: [], USAGE_CASES: [USAGE_ROWS]}
    specs = [
        dg.AssetSpec(
            name, deps=deps[name], skippable=True, description=text, group_name="usage", kinds={"duckdb"},
            partitions_def=partitions,
        )
        for name, text in _DESCRIPTIONS.items()
    ]  # fmt: skip

    @dg.multi_asset(
        name="take_usage_days_through_stages",
        specs=specs,
        check_specs=[
            dg.AssetCheckSpec(CHECK, asset=USAGE_CASES, description="Every closed day of the usage logs is done.")
        ],
        can_subset=True,
        backfill_policy=dg.BackfillPolicy.multi_run(max_partitions_per_run=max_days_per_run),
        pool=POOL,
    )
    def usage_days(context: dg.AssetExecutionContext, pipeline: Pipeline) -> Iterator[dg.AssetCheckResult]:
        stages = [s for key in context.selected_asset_keys for s in USAGE_STAGES[key.to_user_string()]]
        keys = context.partition_keys if stages else []
        with pipeline.work(context) as main:
            bad = _take(context, main, keys, stages)
            if context.selected_asset_check_keys:
                yield _check(main)
        if bad:
            raise dg.Failure(
                description=f"{len(bad)} of {len(keys)} days of the usage logs are not done: "
                + " | ".join(f"{r.day}: {r.problem}" for r in bad[:5]),
                metadata={str(r.day): r.problem or "" for r in bad[:50]},
                allow_retries=False,
            )

    return usage_days


def usage_job(partitions: dg.DailyPartitionsDefinition) -> UnresolvedAssetJobDefinition:
    """The job over the pair."""
    return dg.define_asset_job(
        USAGE_JOB, selection=dg.AssetSelection.assets(*USAGE_KEYS), partitions_def=partitions,
        description="Reads days of the usage logs and judges their rows.",
    )  # fmt: skip


def usage_sensor(job: ExecutableDefinition) -> dg.SensorDefinition:
    """The sensor that owns the cursor of the usage logs: the same decisions as for mail, over the logs' ledger."""

    @dg.sensor(
        name=SENSOR,
        jobs=[job],
        minimum_interval_seconds=60,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Owns the cursor of the usage logs: the last day up to which every row is provably judged.",
    )
    def usage_days_sensor(context: dg.SensorEvaluationContext, pipeline: Pipeline) -> dg.SensorResult | dg.SkipReason:
        try:
            store, config = pipeline.open(patience=resources.SENSOR_PATIENCE)
            usage = open_usage(Work(store=store, config=config))
            if usage is None:
                return dg.SkipReason("no usage log is configured")
            return _tick(context, usage)
        except OrdersPipelineError as error:
            return dg.SkipReason(str(error))

    return usage_days_sensor


def _tick(context: dg.SensorEvaluationContext, usage: UsageWork) -> dg.SensorResult:
    assert usage.main is not None
    now = dt.datetime.now(dt.UTC)
    found = in_hand(context.instance, usage.main.store.folder, now, USAGE_KEYS)
    facts = _facts(context.instance, usage, found.days, found.day_runs, now)
    plan = plan_tick(decode_cursor(context.cursor), facts, usage.config.sensor, now)
    for day in plan.report_events:
        row = facts.ledger[day]
        for stage, mark in ((ledger.PARSE, row.parse), (ledger.REVIEW, row.review)):
            if mark is not None:
                context.instance.report_runless_asset_event(_event(stage, day, mark.output_digest, {"note": "late"}))
    # A day that is listed again is a day like any other: what is saved and judged costs nothing more.
    again = _short(plan.relists, usage.config)
    requests = [_request(first, last) for first, last in plan.runs]
    requests += [_request(first, last, {RELIST_TAG: f"{first}..{last}"}) for first, last in again]
    return dg.SensorResult(
        run_requests=requests,
        skip_reason=None if requests else dg.SkipReason(plan.note),
        cursor=encode_cursor(plan.cursor),
    )


def _facts(instance: dg.DagsterInstance, usage: UsageWork, days: set[dt.date], runs: int, now: dt.datetime) -> Facts:
    config = usage.config
    shown = shown_days(instance, USAGE_KEYS)
    with usage.store.state.reading() as con:
        rows = ledger_facts(con, config, shown)
    return Facts(
        expected=[d for d in closed_days(config.start_date, now, config.tz) if config.owing(d)],
        ledger=rows.rows,
        done=rows.done,
        shown=shown,
        in_hand=days,
        runs_in_flight=runs,
        last_relisted=rows.relisted,
        owing=config.owing,
    )


def _short(relists: tuple[tuple[dt.date, dt.date], ...], config: Config) -> list[tuple[dt.date, dt.date]]:
    """The last days of each range, no more than one run takes."""
    most = dt.timedelta(days=config.sensor.max_days_per_run - 1)
    return [(max(first, last - most), last) for first, last in relists]


def _request(first: dt.date, last: dt.date, tags: Mapping[str, str] = MappingProxyType({})) -> dg.RunRequest:
    if first == last:
        return dg.RunRequest(job_name=USAGE_JOB, partition_key=key_of(first), tags=dict(tags))
    span = {RANGE_START_TAG: key_of(first), RANGE_END_TAG: key_of(last)}
    return dg.RunRequest(job_name=USAGE_JOB, tags={**tags, **span})


def _take(context: dg.AssetExecutionContext, main: Work, keys: Sequence[str], stages: list[str]) -> list[DayReport]:
    usage = open_usage(main)
    if usage is None:
        raise dg.Failure("no usage log is configured: add a [[usage]] section", allow_retries=False)
    bad = []
    again = RELIST_TAG in context.run.tags
    try:
        for key in keys:
            began = time.monotonic()
            report = run_day(usage, day_of_key(key), stages)
            for done in report.proven():
                if done.stage in _ASSET_AFTER and done.ledger is not None and not (again and _same(report)):
                    counts = {**done.counts, "seconds": round(time.monotonic() - began, 3)}
                    context.log_event(_event(done.stage, done.day, done.ledger.output_digest, counts))
            if report.problem:
                context.log.error(f"{key} is not done: {report.problem}")
                bad.append(report)
        usage.publish()
    finally:
        usage.close()
    return bad


def _same(report: DayReport) -> bool:
    """Whether reading a day once more brought nothing: then there is no event to log, hour after hour."""
    counts = [stage.counts for stage in report.reports]
    return not any(c.get("new_messages") or c.get("newly_parsed") or c.get("newly_judged") for c in counts)


def _event(stage: str, day: dt.date, digest: str, metadata: dict[str, int | float | str]) -> dg.AssetMaterialization:
    return dg.AssetMaterialization(
        asset_key=_ASSET_AFTER[stage], partition=key_of(day), metadata=metadata, tags={DATA_VERSION_TAG: digest}
    )


def _check(main: Work) -> dg.AssetCheckResult:
    """Evaluated over all days; a fault here is a red check, never a run."""
    try:
        found = usage_status(main)
        passed, said = found is not None and not found.needs_you, found.line() if found else "no log is configured"
    except Exception as error:
        main.warn(f"the check of the usage days could not be evaluated: {type(error).__name__}: {error}")
        passed, said = False, "could not be evaluated"
    return dg.AssetCheckResult(
        check_name=CHECK, asset_key=USAGE_CASES, passed=passed, severity=dg.AssetCheckSeverity.WARN, description=said
    )
