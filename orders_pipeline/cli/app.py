"""The command line's entry: every command, and what becomes of an error.

Belongs here: the explicit list of commands and the exit status (0 fine, 1 something needs you, 2 cannot). Not here:
what a command does.
"""

from __future__ import annotations

import os
import sys

import typer

from orders_pipeline import __version__
from orders_pipeline.cli import (
    alerts,
    backup,
    cases,
    cases_agreement,
    cases_edit,
    cases_export,
    days,
    demo,
    forget,
    listing,
    mailbox,
    parse,
    rejudge,
    review,
    score,
    ui,
    units,
    usage,
)
from orders_pipeline.cli.output import complain
from orders_pipeline.errors import OrdersPipelineError

app = typer.Typer(
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


app.command("demo")(demo.demo)
app.command("ui")(ui.ui)
app.command("status")(days.status)
app.command("parse")(parse.parse)
app.command("score")(score.score_command)
app.command("orders")(listing.orders)
app.add_typer(alerts.app, name="alerts")
app.add_typer(cases.app, name="cases")
cases.app.command("edit")(cases_edit.edit)
cases.app.command("export")(cases_export.export)
cases.app.command("agreement")(cases_agreement.show_agreement)
app.command("review")(review.review)
app.command("retry")(units.retry)
app.command("waive")(units.waive)
app.command("relist")(days.relist)
app.command("reparse")(days.reparse)
app.command("rejudge")(rejudge.rejudge)
app.command("rebuild")(days.rebuild)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("forget")(forget.forget)
app.add_typer(usage.app, name="usage")
app.add_typer(mailbox.app, name="mailbox")


def main() -> None:
    """Run the command line. A user's mistake is one line on stderr and status 2, never a traceback."""
    os.umask(0o077)
    try:
        app()
    except OrdersPipelineError as error:
        complain(str(error))
        sys.exit(2)
    except BrokenPipeError:
        # The reader (head, less) has seen enough; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
