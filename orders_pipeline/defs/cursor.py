"""The sensor's stored cursor, read from the instance."""

from __future__ import annotations

import datetime as dt

import dagster as dg

from orders_pipeline.progress import decode_cursor

SENSOR = "order_days_sensor"


def stored_cursor(instance: dg.DagsterInstance) -> dt.date | None:
    """The day of the cursor that Dagster keeps for the sensor; None when it never ticked, or the cursor is garbage."""
    if instance.schedule_storage is None:  # an instance in memory keeps no cursors
        return None
    for state in instance.all_instigator_state():
        if state.origin.instigator_name == SENSOR and state.instigator_data is not None:
            return decode_cursor(getattr(state.instigator_data, "cursor", None))
    return None
