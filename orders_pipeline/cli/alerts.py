"""``alerts``: the orders that need a person, and silencing them."""

from __future__ import annotations

import datetime as dt

import typer

from orders_pipeline.cli.opening import JSON_OPTION, work
from orders_pipeline.cli.output import plain_row, print_json, print_table, say
from orders_pipeline.config import home
from orders_pipeline.orders.alert import AlertKind
from orders_pipeline.stages import silence
from orders_pipeline.store.frames import rows
from orders_pipeline.store.reader import published

app = typer.Typer(rich_markup_mode=None, no_args_is_help=False)

_ORDER = typer.Argument(help="An order number, an order id, or the start of an id.")
_KIND = typer.Option(None, help="Only for alerts of this kind; else for all.")


@app.callback(invoke_without_command=True)
def alerts(context: typer.Context, as_json: bool = JSON_OPTION) -> None:
    """List the orders that need a person; silent, with status 0, when there are none (else status 1).

    Example: orders-pipeline alerts
    """
    if context.invoked_subcommand:
        return
    with published(home()) as con:
        found = rows(con, "SELECT * FROM order_alerts ORDER BY since DESC, alert_id")
    if as_json:
        print_json([plain_row(r) for r in found])
    elif found:
        print_table(
            ["since", "what", "order", "detail"],
            [[r["since"], r["kind"], r["order_id"][:12], r["detail"]] for r in found],
        )
    if found:
        raise typer.Exit(1)


@app.command()
def snooze(
    order: str = _ORDER,
    until: str = typer.Option(..., help="The day on which to hear of it again, like 2026-12-24."),
    kind: AlertKind = _KIND,
) -> None:
    """Say nothing of an order before a day.

    Example: orders-pipeline alerts snooze 3f2a9c01 --until 2026-12-24
    """
    try:
        day = dt.date.fromisoformat(until)
    except ValueError:
        raise typer.BadParameter(f"{until!r} is no day: write it like 2026-12-24", param_hint="--until") from None
    with work() as job:
        found = silence.snooze(job, order, until=day, kind=kind)
    say(f"snoozed {_name(found)} until {day}")


@app.command()
def ack(order: str = _ORDER, kind: AlertKind = _KIND) -> None:
    """Acknowledge an order's alerts: nothing more is said until its next mail.

    Example: orders-pipeline alerts ack 3f2a9c01
    """
    with work() as job:
        found = silence.acknowledge(job, order, kind=kind)
    say(f"acknowledged {_name(found)}: silent until its next mail")


def _name(order: dict[str, object]) -> str:
    return f"{order['merchant'] or 'an order'} {order['order_number'] or str(order['order_id'])[:12]}"
