"""The gap checks in Dagster: on the daily assets, evaluated over all days.

Belongs here: check specs, their results at the end of a daily run, and the job that evaluates them when no run does. A
check reads the data, not the event log, and looks at every day: a fine day does not hide the gap of another.
A run that somebody starts in the UI plans every check and reports them all. The runs of sensor and schedule plan none
and report what has changed: three events a check, planned or not, were a third of the time of a day with five mails.
"""

from collections.abc import Iterator

import dagster as dg

from orders_pipeline.defs.cursor import stored_cursor
from orders_pipeline.defs.names import CHECKS_JOB
from orders_pipeline.defs.resources import Pipeline
from orders_pipeline.quality.checks import CHECKS, Check, run_check
from orders_pipeline.quality.findings import Finding, Severity
from orders_pipeline.stages.gaps import read_facts
from orders_pipeline.stages.reconcile import reconcile
from orders_pipeline.stages.work import Work

_SEVERITY = {Severity.ERROR: dg.AssetCheckSeverity.ERROR, Severity.WARNING: dg.AssetCheckSeverity.WARN}


def day_check_specs() -> list[dg.AssetCheckSpec]:
    """One spec a check, on the asset whose data it looks at."""
    return [dg.AssetCheckSpec(c.name, asset=c.asset, description=c.description) for c in CHECKS]


def day_check_results(context: dg.AssetExecutionContext, work: Work) -> Iterator[dg.AssetCheckResult]:
    """The results of the selected checks, after everything is committed; where none is selected, what has changed is
    logged. A fault here is a red check, never a run."""
    if not context.selected_asset_check_keys:
        _log_changes(context, work)
        return
    wanted = {(k.asset_key.to_user_string(), k.name) for k in context.selected_asset_check_keys}
    for check, found in _findings(context.instance, work, [c for c in CHECKS if (c.asset, c.name) in wanted]):
        told = _evaluation(check, found)
        yield dg.AssetCheckResult(
            check_name=told.check_name,
            asset_key=told.asset_key,
            passed=told.passed,
            severity=told.severity,
            description=told.description,
            metadata=told.metadata,
        )


def _log_changes(context: dg.AssetExecutionContext, work: Work) -> None:
    told = [_evaluation(check, found) for check, found in _findings(context.instance, work, list(CHECKS))]
    try:
        shown = context.instance.event_log_storage.get_latest_asset_check_execution_by_key(
            [evaluation.asset_check_key for evaluation in told]
        )
    except Exception as error:  # nothing cosmetic may fail a run whose data is saved
        work.warn(f"the results of the gap checks could not be logged: {type(error).__name__}: {error}")
        return
    for evaluation in told:
        record = shown.get(evaluation.asset_check_key)
        event = record.event.dagster_event if record and record.event else None
        last = event.event_specific_data if event else None
        if not isinstance(last, dg.AssetCheckEvaluation) or _said(last) != _said(evaluation):
            context.log_event(evaluation)  # pyright: ignore[reportArgumentType]  (Dagster's hint lacks it)


def _said(evaluation: dg.AssetCheckEvaluation) -> tuple[object, ...]:
    return evaluation.passed, evaluation.severity, evaluation.description


def checks_job() -> dg.JobDefinition:
    """The job that evaluates every check over all days and reports the results on the assets."""

    @dg.job(name=CHECKS_JOB, description="Looks for gaps in all days and reports what it finds on the daily assets.")
    def check_gaps() -> None:
        _evaluate()

    return check_gaps


@dg.op(name="evaluate_checks")
def _evaluate(context: dg.OpExecutionContext, pipeline: Pipeline) -> None:
    with pipeline.work(context) as work:
        for check, found in _findings(context.instance, work, list(CHECKS)):
            if found is None:
                raise dg.Failure("the gap checks could not be evaluated: see the run's warnings", allow_retries=False)
            context.instance.report_runless_asset_event(_evaluation(check, found))
            (context.log.info if found.ok else context.log.warning)(f"{check.name}: {found.message}")


def _findings(instance: dg.DagsterInstance, work: Work, checks: list[Check]) -> Iterator[tuple[Check, Finding | None]]:
    try:
        reconcile(work)
        facts = read_facts(work, stored_cursor(instance))
    except Exception as error:  # nothing cosmetic may fail a run whose data is saved
        work.warn(f"the gap checks could not be evaluated: {type(error).__name__}: {error}")
        yield from ((check, None) for check in checks)
        return
    yield from ((check, run_check(check, facts)) for check in checks)


def _evaluation(check: Check, found: Finding | None) -> dg.AssetCheckEvaluation:
    return dg.AssetCheckEvaluation(
        check_name=check.name,
        asset_key=dg.AssetKey(check.asset),
        passed=found.ok if found else False,
        severity=_SEVERITY[found.severity] if found else dg.AssetCheckSeverity.WARN,
        description=found.message if found else "could not be evaluated",
        metadata=_metadata(found),
    )


def _metadata(found: Finding | None) -> dict[str, dg.MetadataValue]:
    if found is None:
        return {}
    examples = {"examples": dg.MetadataValue.text("\n".join(found.sample))} if found.sample else {}
    return {"count": dg.MetadataValue.int(found.count), **examples}
