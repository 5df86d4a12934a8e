"""``orders``: what is bought, and where it is. Read from the published copy."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import typer

from orders_pipeline.cli.opening import JSON_OPTION
from orders_pipeline.cli.output import money, plain_row, print_json, print_table, say
from orders_pipeline.config import home
from orders_pipeline.days import day_of
from orders_pipeline.models import OrderStatus
from orders_pipeline.store.frames import rows
from orders_pipeline.store.reader import published

_ORDERS = """
    SELECT order_id, merchant, order_number, status, total, currency, ordered_at, last_event_at, expected_delivery,
        delivered_at, shipments, items, message_ids
    FROM orders
    WHERE (?::VARCHAR IS NULL OR status = ?) AND (?::VARCHAR IS NULL OR contains(lower(merchant), lower(?)))
    ORDER BY last_event_at DESC, order_id LIMIT ?
"""


def orders(
    status: str = typer.Option(None, help="Only orders with this status (shipped, delivered, cancelled, …)."),
    merchant: str = typer.Option(None, help="Only orders of shops whose name contains this."),
    limit: int = typer.Option(50, min=1, help="At most this many, the latest first."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List orders, the latest first.

    Example: orders-pipeline orders --status shipped
    """
    if status is not None and status not in tuple(OrderStatus):
        raise typer.BadParameter(f"{status!r}: use one of {', '.join(OrderStatus)}", param_hint="--status")
    with published(home()) as con:
        found = rows(con, _ORDERS, [status, status, merchant, merchant, limit])
        total = con.execute("SELECT count(*) FROM orders").fetchall()[0][0]
        zone = ZoneInfo(con.execute("SELECT value FROM store_meta WHERE key = 'zone'").fetchall()[0][0])
    if as_json:
        print_json([plain_row(r) for r in found])
        return
    print_table(
        ["shop", "order", "status", "total", "expected", "last mail", "parcels"],
        [
            [
                r["merchant"] or "?",
                r["order_number"] or "",
                r["status"] or "?",
                money(r["total"], r["currency"]),
                r["expected_delivery"] or "",
                day_of(r["last_event_at"], zone),
                r["shipments"] or "",
            ]
            for r in found
        ],
        right=["total", "parcels"],
    )
    say(f"{len(found)} of {total} orders")
