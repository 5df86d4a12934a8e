"""Current state, computed whole from all days: orders, alerts, the case queue.

Belongs here: reading all parses and cases, handing them to the domain, replacing the tables. What compares days lives
here and not in a day's own stages, so that a day's result depends on that day alone.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence

from orders_pipeline.config import Config
from orders_pipeline.crash_points import reach
from orders_pipeline.days import day_of
from orders_pipeline.encoding import digest_of, reasons_to_json
from orders_pipeline.models import Item, OrderStatus, ParsedOrder
from orders_pipeline.orders.alert import Ack, AlertKind, Snooze
from orders_pipeline.orders.alerts import alerts
from orders_pipeline.orders.assumed import assume_delivered
from orders_pipeline.orders.logical import LogicalOrder, OrderParse
from orders_pipeline.orders.merge import merge_orders
from orders_pipeline.review.queue import build_queue
from orders_pipeline.stages.queue_input import read_queue_input
from orders_pipeline.stages.work import Work
from orders_pipeline.store import acts, current, facts
from orders_pipeline.store.frames import Connection, rows

ORDERS, ALERTS, QUEUE = "orders", "order_alerts", "case_queue"


def is_behind(work: Work) -> bool:
    """Whether orders, alerts or the queue lag behind the days, or are of another day than today (alerts follow the
    calendar)."""
    with work.store.state.reading() as con:
        return behind(con, work.now(), work.config)


def behind(con: Connection, now: dt.datetime, config: Config) -> bool:
    """The same, within a read of the caller."""
    digest, refreshed = _input_digest(con, config), facts.refreshed_digests(con)
    today = day_of(now, config.tz)
    return not all(
        name in refreshed and refreshed[name][0] == digest and day_of(refreshed[name][1], config.tz) == today
        for name in (ORDERS, ALERTS, QUEUE)
    )


def _input_digest(con: Connection, config: Config) -> str:
    """What current state is computed from: the days, the decisions, and the limits that are configured."""
    limits = [config.alerts.model_dump_json(), config.review.model_dump_json()]
    return digest_of([facts.parse_state_digest(con), *limits])


def refresh_current(work: Work, names: Sequence[str] = (ORDERS, ALERTS, QUEUE)) -> dict[str, int]:
    """Compute the named tables from all days and replace each in one transaction; returns their row counts."""
    work.store.archive.sweep(None)
    with work.store.state.transaction() as con:
        acts.adopt(con, work.store.archive)
    with work.store.state.reading() as con:
        digest = _input_digest(con, work.config)
        parses = _parses(con) if {ORDERS, ALERTS} & set(names) else []
        snoozes, acks = _silenced(con)
        waiting = read_queue_input(con) if QUEUE in names else None
    reach("current.commit.before")
    now = work.now()
    out: dict[str, int] = {}
    orders = assume_delivered(merge_orders(parses), work.config.alerts, now.astimezone(work.store.zone))
    if ORDERS in names:
        with work.store.state.transaction() as con:
            out[ORDERS] = current.replace_orders(con, _order_rows(orders), _shipment_rows(orders), digest, now)
    if ALERTS in names:
        today = day_of(now, work.store.zone)
        due = alerts(orders, work.config.alerts, today, snoozes, acks, zone=work.store.zone)
        found = [
            {"alert_id": a.alert_id, "order_id": a.order_id, "kind": a.kind.value, "since": a.since, "detail": a.detail}
            for a in due
        ]
        with work.store.state.transaction() as con:
            out[ALERTS] = current.replace(con, ALERTS, found, digest, now)
    if waiting is not None:
        queue = build_queue(waiting.cases, waiting.outcomes, waiting.decided, work.config.review)
        found = [
            {
                "position": q.position,
                "day": q.day,
                "case_id": q.case_id,
                "message_id": q.message_id,
                "sender_domain": q.sender_domain,
                "template_digest": q.template_digest,
                "group_size": q.group_size,
                "score": q.score,
                "reasons": reasons_to_json(q.reasons),
            }
            for q in queue
        ]
        with work.store.state.transaction() as con:
            out[QUEUE] = current.replace(con, QUEUE, found, digest, now)
    reach("current.commit.after")
    return out


def _parses(con: Connection) -> list[OrderParse]:
    found = rows(con, "SELECT * EXCLUDE (evidence) FROM parsed_orders ORDER BY received_at, message_id, position")
    return [
        OrderParse(
            message_id=row["message_id"],
            received_at=row["received_at"],
            position=row["position"],
            order=ParsedOrder(
                merchant=row["merchant"],
                order_number=row["order_number"],
                tracking_numbers=tuple(row["tracking_numbers"]),
                carrier=row["carrier"],
                status=OrderStatus(row["status"]) if row["status"] else None,
                total=row["total"],
                currency=row["currency"],
                expected_delivery=row["expected_delivery"],
                items=tuple(Item(name=i["name"]) for i in json.loads(row["items"])),
            ),
        )
        for row in found
    ]


def _silenced(con: Connection) -> tuple[list[Snooze], list[Ack]]:
    snoozes: list[Snooze] = []
    acks: list[Ack] = []
    for row in rows(
        con, "SELECT kind, subject, payload, acted_at FROM acts WHERE kind IN ('snooze', 'ack') ORDER BY 4"
    ):
        payload = json.loads(row["payload"])
        kind = AlertKind(payload["kind"]) if payload.get("kind") else None
        if row["kind"] == "snooze":
            snoozes.append(Snooze(order_id=row["subject"], until=dt.date.fromisoformat(payload["until"]), kind=kind))
        else:
            acks.append(Ack(order_id=row["subject"], acked_at=row["acted_at"], kind=kind))
    return snoozes, acks


def _order_rows(orders: Sequence[LogicalOrder]) -> list[dict[str, object]]:
    return [
        {
            "order_id": o.order_id,
            "merchant": o.merchant,
            "order_number": o.order_number,
            "status": o.status.value if o.status else None,
            "ordered_at": o.ordered_at,
            "last_event_at": o.last_event_at,
            "total": o.total,
            "currency": o.currency,
            "expected_delivery": o.expected_delivery,
            "status_at": o.status_at,
            "delivered_at": o.delivered_at,
            "shipments": len(o.shipments),
            "items": o.items,
            "message_ids": list(o.message_ids),
        }
        for o in orders
    ]


def _shipment_rows(orders: Sequence[LogicalOrder]) -> list[dict[str, object]]:
    return [
        {
            "order_id": o.order_id,
            "tracking_number": s.tracking_number,
            "carrier": s.carrier,
            "status": s.status.value if s.status else None,
            "expected_delivery": s.expected_delivery,
            "last_event_at": s.last_event_at,
        }
        for o in orders
        for s in o.shipments
    ]
