"""Silencing alerts: snoozed until a day, or acknowledged until the order's next mail.

Belongs here: which order a person means, and saving the act. Not here: what an act silences (orders/alerts.py).
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from orders_pipeline.days import day_of
from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.orders.alert import AlertKind
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts
from orders_pipeline.store.frames import rows


class UnknownOrder(OrdersPipelineError):
    """No order is named so, or more than one is."""


class BadDate(OrdersPipelineError):
    """A day until which nothing can be snoozed."""


def snooze(work: Work, name: str, *, until: dt.date, kind: AlertKind | None = None) -> dict[str, Any]:
    """Say nothing of an order before the day ``until``; returns its row. Raises ``UnknownOrder``, ``BadDate``."""
    today = day_of(work.now(), work.store.zone)
    if until <= today:
        raise BadDate(f"{until} is not after today ({today}): give the day on which to hear of the order again")
    order = find_order(work, name)
    payload = {"until": until.isoformat(), "kind": kind.value if kind else None}
    _save(work, acts.SNOOZE, order["order_id"], payload)
    return order


def acknowledge(work: Work, name: str, *, kind: AlertKind | None = None) -> dict[str, Any]:
    """Say nothing of an order until its next mail; returns the order's row. Raises ``UnknownOrder``."""
    order = find_order(work, name)
    _save(work, acts.ACK, order["order_id"], {"kind": kind.value if kind else None})
    return order


def find_order(work: Work, name: str) -> dict[str, Any]:
    """The order with this number (in any case), or whose id begins so. Raises ``UnknownOrder``."""
    with work.store.state.reading() as con:
        found = rows(
            con,
            "SELECT order_id, merchant, order_number FROM orders"
            " WHERE lower(order_number) = lower($1) OR (len($1) >= 4 AND starts_with(order_id, lower($1)))"
            " ORDER BY order_id",
            [name.strip()],
        )
    said = printable_line(name)
    if not found:
        raise UnknownOrder(f"no order {said!r}: `orders-pipeline orders` and `alerts --json` show numbers and ids")
    if len(found) > 1:
        some = ", ".join(f"{r['order_id'][:12]} ({r['merchant'] or '?'})" for r in found[:3])
        raise UnknownOrder(f"{said!r} fits {len(found)} orders: give an order id instead, one of {some}")
    return found[0]


def _save(work: Work, kind: str, order_id: str, payload: dict[str, Any]) -> None:
    acts.save(work.store, kind, order_id, payload, now=work.now())
    refresh_current(work)
    work.publish()
