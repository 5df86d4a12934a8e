"""The names that Dagster shows: assets, their stages, tags.

Belongs here: constants that more than one definition uses.
"""

from __future__ import annotations

import dagster as dg

from orders_pipeline.store import ledger

FETCHED, PARSED, PROPOSED = "fetched_emails", "parsed_orders", "proposed_eval_cases"
STAGE_OF = {FETCHED: ledger.FETCH, PARSED: ledger.PARSE, PROPOSED: ledger.REVIEW}
ASSET_OF = {stage: asset for asset, stage in STAGE_OF.items()}
DAILY_KEYS = tuple(dg.AssetKey(name) for name in STAGE_OF)

ORDERS, ALERTS, QUEUE, SCORES = "orders", "order_alerts", "case_queue", "parser_scores"

USAGE_ROWS, USAGE_CASES = "usage_rows", "proposed_usage_cases"
USAGE_STAGES = {USAGE_ROWS: (ledger.FETCH, ledger.PARSE), USAGE_CASES: (ledger.REVIEW,)}
USAGE_KEYS = tuple(dg.AssetKey(name) for name in USAGE_STAGES)
USAGE_JOB = "usage_days"

DAYS_JOB, CURRENT_JOB, RELIST_JOB, CHECKS_JOB = "order_days", "refresh_current_state", "relist_mail", "check_gaps"
RELIST_TAG = "orders_pipeline/relist"
POOL = "orders_pipeline"
DATA_VERSION_TAG = "dagster/data_version"
RANGE_START_TAG, RANGE_END_TAG = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"
