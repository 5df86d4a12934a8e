"""Three daily assets that give each other DataFrames through ``DuckDBPandasIOManager``, as Dagster's guide shows it.

Belongs here: the assets and their job; which mailbox is read is configuration of a resource.
"""

import datetime as dt
from pathlib import Path

import dagster as dg
import pandas as pd
from dagster_duckdb_pandas import DuckDBPandasIOManager  # pyright: ignore[reportMissingImports]

from bench.documented.reading import list_day, parse_message, read_message

_BY_DAY = {"partition_expr": "day"}


class Mailbox(dg.ConfigurableResource):
    """A Maildir and the zone whose days count."""

    maildir: str
    zone: str


def definitions(maildir: Path, zone: str, first_day: dt.date, database: Path) -> dg.Definitions:
    """The assets, their job ``days``, the resources."""
    daily = dg.DailyPartitionsDefinition(start_date=first_day.isoformat(), timezone=zone)

    @dg.asset(partitions_def=daily, metadata=_BY_DAY)
    def fetched_emails(context: dg.AssetExecutionContext, mailbox: Mailbox) -> pd.DataFrame:
        day = dt.date.fromisoformat(context.partition_key)
        rows = [read_message(path) for path in list_day(Path(mailbox.maildir), day, mailbox.zone)]
        frame = pd.DataFrame(rows, columns=["message_id", "received_at", "raw"])
        frame["day"] = pd.Timestamp(day)
        return frame

    @dg.asset(partitions_def=daily, metadata=_BY_DAY)
    def parsed_orders(fetched_emails: pd.DataFrame) -> pd.DataFrame:
        parsed = pd.DataFrame([parse_message(bytes(raw)) for raw in fetched_emails["raw"]])
        parsed["date_named"] = parsed["date_named"].astype(str)
        return pd.concat([fetched_emails[["message_id", "day"]].reset_index(drop=True), parsed], axis=1)

    @dg.asset(partitions_def=daily, metadata=_BY_DAY)
    def proposed_eval_cases(parsed_orders: pd.DataFrame) -> pd.DataFrame:
        lacking = parsed_orders["order_number"].isna() | parsed_orders["total"].isna()
        return parsed_orders.loc[parsed_orders["speaks_of_order"] & lacking]

    assets = [fetched_emails, parsed_orders, proposed_eval_cases]
    return dg.Definitions(
        assets=assets,
        jobs=[dg.define_asset_job("days", selection=dg.AssetSelection.assets(*assets), partitions_def=daily)],
        resources={
            "io_manager": DuckDBPandasIOManager(database=str(database), schema="orders"),
            "mailbox": Mailbox(maildir=str(maildir), zone=zone),
        },
        executor=dg.in_process_executor,
    )
