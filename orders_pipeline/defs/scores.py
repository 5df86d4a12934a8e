"""The golden set's scores: the asset parser_scores and the check that turns red when something broke.

Belongs here: the asset and its check. Not here: scoring (stages/golden_score), how it is shown (score_shown).
"""

from typing import TYPE_CHECKING

import dagster as dg

from orders_pipeline.defs.names import POOL, QUEUE, SCORES
from orders_pipeline.defs.resources import Pipeline

if TYPE_CHECKING:
    from orders_pipeline.stages.golden_score import ScoreRun

REGRESSION = "parser_regression"
_NAMED = 5


def scores_asset() -> dg.AssetsDefinition:
    """The asset, with its check evaluated in the same step."""

    @dg.asset(
        name=SCORES,
        deps=[QUEUE],
        description="The accepted cases through the parser as it is: what is right, wrong, missing; what changed.",
        group_name="current",
        kinds={"duckdb"},
        pool=POOL,
        check_specs=[
            dg.AssetCheckSpec(
                REGRESSION, asset=SCORES, description="Red while a field is wrong that an earlier parser read rightly."
            )
        ],
    )
    def scores(context: dg.AssetExecutionContext, pipeline: Pipeline) -> dg.MaterializeResult:
        # Not in runs of days, which begin more often.
        from orders_pipeline.defs.score_shown import score_metadata
        from orders_pipeline.stages.golden_score import refresh_scores

        with pipeline.work(context) as work:
            run = refresh_scores(work)
            work.publish()
            try:
                metadata = score_metadata(run)
            except Exception as error:  # what is shown of it may not fail what is saved
                work.warn(f"the scores cannot be shown: {type(error).__name__}: {error}")
                metadata = {"cases": run.row["cases"]}
        return dg.MaterializeResult(metadata=metadata, check_results=[regression_result(run)])

    return scores


def regression_result(run: "ScoreRun") -> dg.AssetCheckResult:
    """Passed when nothing is broken; else the cases are named."""
    broken = run.comparison.broken
    cases = sorted({change.file for change in broken})
    if not broken:
        said = f"nothing broke in {run.row['cases']} cases" if run.row["cases"] else "no case is accepted yet"
    else:
        fields = ", ".join(sorted({change.field for change in broken}))
        named = ", ".join(cases[:_NAMED]) + (f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else "")
        said = (
            f"{len(cases)} cases are read worse than before ({fields}): {named}. Mend the parser, or say with"
            " `orders-pipeline cases edit` that something else is right"
        )
    return dg.AssetCheckResult(
        check_name=REGRESSION,
        passed=not broken,
        severity=dg.AssetCheckSeverity.ERROR,
        description=said,
        metadata={"broken fields": len(broken), "broken cases": len(cases)},
    )
