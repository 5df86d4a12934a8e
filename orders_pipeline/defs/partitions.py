"""The daily partitions: the configured zone's days from the start date up to yesterday.

Belongs here: the one partitions definition. There is no ``end_offset``: today becomes a partition when it is over.
"""

from __future__ import annotations

import datetime as dt

import dagster as dg


def daily_partitions(zone: str, start_date: dt.date) -> dg.DailyPartitionsDefinition:
    """Days of the zone from ``start_date`` on; keys are ISO dates."""
    return dg.DailyPartitionsDefinition(start_date=start_date.isoformat(), timezone=zone)


def key_of(day: dt.date) -> str:
    """The partition key of a day."""
    return day.isoformat()


def day_of_key(key: str) -> dt.date:
    """The day of a partition key. Raises ``ValueError`` on another kind of key."""
    return dt.date.fromisoformat(key)
