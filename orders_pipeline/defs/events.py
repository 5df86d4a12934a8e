"""Materialization events of a day, the same whether a run logs them or the sensor brings them after.

Belongs here: from a ledger row to an event with metadata and data version.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import dagster as dg

from orders_pipeline.defs.names import ASSET_OF, DATA_VERSION_TAG
from orders_pipeline.defs.partitions import key_of
from orders_pipeline.stages.work import StageReport


def materialization(report: StageReport, *, seconds: float) -> dg.AssetMaterialization:
    """The event of a stage that a run has just committed for a day."""
    assert report.ledger is not None
    return _event(
        report.stage,
        report.day,
        report.ledger.output_digest,
        {"dagster/row_count": report.ledger.row_count, **report.counts, "seconds": round(seconds, 3)},
    )


def late_materialization(stage: str, day: dt.date, digest: str) -> dg.AssetMaterialization:
    """The event of a day that the ledger proves, but whose own event was lost (a kill, a purge)."""
    return _event(stage, day, digest, {"note": "done earlier; the event was lost and is reported from the ledger"})


def _event(stage: str, day: dt.date, digest: str, metadata: Mapping[str, int | float | str]) -> dg.AssetMaterialization:
    return dg.AssetMaterialization(
        asset_key=ASSET_OF[stage],
        partition=key_of(day),
        metadata=dict(metadata),
        tags={DATA_VERSION_TAG: digest},
    )
