"""The unpartitioned assets: orders, alerts and the case queue, computed whole from all days.

Belongs here: one asset a table; the sensor asks for them when days changed, a schedule once a day.
"""

import dagster as dg

from orders_pipeline.defs.names import ALERTS, ORDERS, PARSED, POOL, PROPOSED, QUEUE
from orders_pipeline.defs.resources import Pipeline

_DEPS = {ORDERS: [PARSED], ALERTS: [ORDERS], QUEUE: [PROPOSED]}
_DESCRIPTIONS = {
    ORDERS: "Every order as all its mails tell it, with its parcels and where it stands.",
    ALERTS: "The orders that need a person: overdue, never shipped, cancelled, refunded. Empty when all is well.",
    QUEUE: "The proposed cases that a person should look at next, over all days.",
}


def current_assets() -> list[dg.AssetsDefinition]:
    """The three assets of current state."""
    return [_asset(name) for name in (ORDERS, ALERTS, QUEUE)]


def _asset(name: str) -> dg.AssetsDefinition:
    @dg.asset(
        name=name,
        deps=[
            dg.AssetDep(dep, partition_mapping=dg.AllPartitionMapping()) if dep in (PARSED, PROPOSED) else dep
            for dep in _DEPS[name]
        ],
        description=_DESCRIPTIONS[name],
        group_name="current",
        kinds={"duckdb"},
        pool=POOL,
    )
    def refresh(context: dg.AssetExecutionContext, pipeline: Pipeline) -> dg.MaterializeResult:
        from orders_pipeline.stages.current import refresh_current  # not in runs of days, which begin more often

        with pipeline.work(context) as work:
            count = refresh_current(work, [name])[name]
            work.publish()
        return dg.MaterializeResult(metadata={"dagster/row_count": count})

    return refresh
