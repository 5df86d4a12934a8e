"""``forget``: a message out of everything."""

from __future__ import annotations

import sys

import typer

from orders_pipeline.cli.opening import work
from orders_pipeline.cli.output import print_table, say
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages import forget as stage


def forget(
    messages: list[str] = typer.Argument(None, help="Message ids, or their first six characters and more."),
    yes: bool = typer.Option(False, "--yes", help="Do not ask."),
) -> None:
    """Remove messages from archive, tables, cases and decisions, for good. They stay out, also when fetched again.

    The mailbox is not touched, and neither are backups until the next `orders-pipeline backup` into each. Without
    arguments: completes what was cut short.

    Example: orders-pipeline forget 3f2a9c01d4 --yes
    """
    with work() as job:
        found = stage.find(job, messages) if messages else stage.unfinished(job)
        if not found:
            say("nothing to complete: name the messages to forget")
            return
        print_table(
            ["message", "day", "sender", "subject"],
            [[t.message_id[:16], t.day or "", t.sender, t.subject[:60]] for t in found],
        )
        if not yes and not sys.stdin.isatty():
            raise OrdersPipelineError("there is nobody to ask: add --yes, and they are forgotten for good")
        if not yes and not typer.confirm(f"Forget {len(found)} messages for good?"):
            say("nothing was changed")
            raise typer.Exit(1)
        stage.forget(job, {t.message_id for t in found})
    say(f"forgot {len(found)} messages; run `orders-pipeline backup` into each backup to take them out there too")
