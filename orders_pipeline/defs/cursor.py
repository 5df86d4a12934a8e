"""The sensor's stored cursor, read from the instance."""

from __future__ import annotations

import datetime as dt

import dagster as dg

from orders_pipeline.progress import decode_cursor
from orders_pipeline.store.folder import DataFolder

SENSOR = "order_days_sensor"


def stored_cursor(instance: dg.DagsterInstance) -> dt.date | None:
    """The day of the cursor that Dagster keeps for the sensor; None when it never ticked, or the cursor is garbage."""
    if instance.schedule_storage is None:  # an instance in memory keeps no cursors
        return None
    for state in instance.all_instigator_state():
        if state.origin.instigator_name == SENSOR and state.instigator_data is not None:
            return decode_cursor(getattr(state.instigator_data, "cursor", None))
    return None


def sensor_cursor(folder: DataFolder) -> dt.date | None:
    """The same, from the instance in a data folder; None too when there is none yet."""
    if not (folder.dagster_home / "dagster.yaml").exists():
        return None
    with dg.DagsterInstance.from_config(str(folder.dagster_home)) as instance:
        return stored_cursor(instance)
