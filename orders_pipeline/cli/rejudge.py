"""``rejudge``: verdicts asked for again, on purpose and knowing the price."""

from __future__ import annotations

import sys

import typer

from orders_pipeline.cli.opening import closed_days_of, work
from orders_pipeline.cli.output import console, say
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.model_plan import forecast, to_ask_again
from orders_pipeline.stages.rejudge import Rejudged, rejudge_days


def rejudge(
    days: str = typer.Argument(help="A day, or a range: 2026-05-11..2026-05-17."),
    yes: bool = typer.Option(False, "--yes", help="Do not ask before calls of a model are made."),
) -> None:
    """Ask the configured judges again about all parses of some days, after a change of model, prompt or rules.

    Says beforehand how many calls that is, and with prices configured what they cost.

    Example: orders-pipeline rejudge 2026-05-11..2026-05-17
    """
    with work() as job:
        job.tell = say
        wanted = closed_days_of(job, days)
        paid = job.config.review.judge == "model"
        calls = to_ask_again(job, wanted) if paid else 0
        if paid:
            say(f"this takes {forecast(job, calls)}")
        if calls and not yes:
            confirm_calls()
        with console.status("judging"):
            report = rejudge_days(job, wanted)
    tell_rejudged(report)


def tell_rejudged(report: Rejudged) -> None:
    """Print what came of it. Raises ``typer.Exit`` with 1 when that was not all."""
    say(f"{report.days} days judged again, {report.verdicts} verdicts")
    if report.not_parsed:
        say(f"not parsed yet, skipped: {', '.join(map(str, report.not_parsed[:10]))}")
    for line in report.problems:
        say(line)
    if report.problems or report.not_parsed:
        raise typer.Exit(1)


def confirm_calls() -> None:
    """Ask the person at the terminal. Raises ``OrdersPipelineError`` when there is none, or the answer is no."""
    if not sys.stdin.isatty():
        raise OrdersPipelineError("nothing was asked: add --yes to make these calls without a question")
    if not typer.confirm("go on?"):
        raise OrdersPipelineError("nothing was asked")
