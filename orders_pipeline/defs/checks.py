"""The gap checks in Dagster: on the daily assets, evaluated over all days.

Belongs here: check specs, their results at the end of a daily run, and the job that evaluates them when no run does. A
check reads the data, not the event log, and looks at every day: a fine day does not hide the gap of another.
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
    """The results of the selected checks, after everything is committed. A fault here is a red check, never a run."""
    wanted = {(k.asset_key.to_user_string(), k.name) for k in context.selected_asset_check_keys}
    for check, found in _findings(context.instance, work, [c for c in CHECKS if (c.asset, c.name) in wanted]):
        yield dg.AssetCheckResult(
            check_name=check.name,
            asset_key=check.asset,
            passed=found.ok if found else False,
            severity=_SEVERITY[found.severity] if found else dg.AssetCheckSeverity.WARN,
            description=found.message if found else "could not be evaluated",
            metadata=_metadata(found),
        )


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
            context.instance.report_runless_asset_event(
                dg.AssetCheckEvaluation(
                    check_name=check.name,
                    asset_key=dg.AssetKey(check.asset),
                    passed=found.ok,
                    severity=_SEVERITY[found.severity],
                    description=found.message,
                    metadata={k: dg.MetadataValue.text(str(v)) for k, v in _metadata(found).items()},
                )
            )
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


def _metadata(found: Finding | None) -> dict[str, int | str]:
    if found is None:
        return {}
    return {"count": found.count, **({"examples": "\n".join(found.sample)} if found.sample else {})}
