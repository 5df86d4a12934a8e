"""Alerts, and what people say to them.

Belongs here: these records. Not here: when an alert is due (alerts.py).
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum


class AlertKind(StrEnum):
    """Why an order needs a person."""

    CANCELLED = "cancelled"
    REFUNDED = "refunded"
    OVERDUE = "overdue"
    NEVER_SHIPPED = "never_shipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One order that needs a person; ``alert_id`` (16 hex characters) is the same every day that it lasts.

    ``since`` is the first day on which it was due, ``detail`` one printable line for people.
    """

    alert_id: str
    order_id: str
    kind: AlertKind
    since: dt.date
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Snooze:
    """Say nothing of the order before the day ``until``; ``kind`` None means: of whatever kind."""

    order_id: str
    until: dt.date
    kind: AlertKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """A person has seen it at ``acked_at`` (aware): say nothing until the order's next mail."""

    order_id: str
    acked_at: dt.datetime
    kind: AlertKind | None = None
