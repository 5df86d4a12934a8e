"""The command line's entry: every command, and what becomes of an error.

Belongs here: the explicit list of commands and the exit status (0 fine, 1 something needs you, 2 cannot). Not here:
what a command does. A command is imported when it is called: all of them together take longer than most do.
"""

from __future__ import annotations

import os
import sys

import typer

from orders_pipeline import __version__
from orders_pipeline.cli.lazy import LazyGroup, Place
from orders_pipeline.errors import OrdersPipelineError


class _Group(LazyGroup):
    places = {  # noqa: RUF012  (nobody changes it)
        "demo": Place("orders_pipeline.cli.demo:demo", "The whole pipeline over a sample mailbox, in one go."),
        "ui": Place("orders_pipeline.cli.ui:ui", "Start the Dagster UI, with schedules and sensor."),
        "status": Place("orders_pipeline.cli.days:status", "Days done, the cursor, what is missing and why."),
        "parse": Place("orders_pipeline.cli.parse:parse", "Parse messages and print what is found in each."),
        "score": Place("orders_pipeline.cli.score:score_command", "The parser over mail whose orders are known."),
        "orders": Place("orders_pipeline.cli.listing:orders", "List orders, the latest first."),
        "alerts": Place("orders_pipeline.cli.alerts:app", "The orders that need a person; silence them."),
        "cases": Place("orders_pipeline.cli.cases_group:app", "List, show, accept, reject, edit, export eval cases."),
        "review": Place("orders_pipeline.cli.review:review", "Decide on proposed cases in the browser."),
        "retry": Place("orders_pipeline.cli.units:retry", "Try again what ran out of tries, or waits for its next."),
        "waive": Place("orders_pipeline.cli.units:waive", "Let a day be done without what cannot succeed."),
        "relist": Place("orders_pipeline.cli.days:relist", "Compare the mailboxes with the archive for some days."),
        "reparse": Place("orders_pipeline.cli.days:reparse", "Parse some days again with this version of the parser."),
        "rejudge": Place("orders_pipeline.cli.rejudge:rejudge", "Ask the judges again about the parses of some days."),
        "rebuild": Place("orders_pipeline.cli.days:rebuild", "Make every table again from the archive."),
        "backup": Place("orders_pipeline.cli.backup:backup", "Back up archive and state, also while it runs."),
        "restore": Place("orders_pipeline.cli.backup:restore", "Put a backup into the data folder."),
        "forget": Place("orders_pipeline.cli.forget:forget", "Remove messages from everything, for good."),
        "usage": Place("orders_pipeline.cli.usage:app", "Logs of model usage: failing rows as test cases."),
        "mailbox": Place("orders_pipeline.cli.mailbox:app", "Check a mailbox, log in, write a sample one."),
    }


app = typer.Typer(
    cls=_Group,
    name="orders-pipeline",
    help="A mailbox in, a trustworthy order history and eval cases out, day by day.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        typer.echo(f"orders-pipeline {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line. A user's mistake is one line on stderr and status 2, never a traceback."""
    os.umask(0o077)
    try:
        app()
    except OrdersPipelineError as error:
        from orders_pipeline.cli.output import complain  # with Rich, which the list of commands can do without

        complain(str(error))
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
