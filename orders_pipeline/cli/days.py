"""``status``, ``relist``, ``reparse``, ``rebuild``: the days, and what a person may ask of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import typer

from orders_pipeline.cli.opening import JSON_OPTION, closed_days_of, work
from orders_pipeline.cli.output import console, print_json, print_table, say
from orders_pipeline.cli.rejudge import confirm_calls
from orders_pipeline.config import home
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages import status as status_stage
from orders_pipeline.stages.model_plan import forecast, to_read
from orders_pipeline.stages.parse import parse_day
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.relist import relist_days
from orders_pipeline.stages.review import review_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.salvage import set_aside_damaged

_DAYS = typer.Argument(help="A day, or a range: 2026-05-11..2026-05-17.")


def status(as_json: bool = JSON_OPTION) -> None:
    """Show which days are done, where the cursor stands, what is missing and why. Status 1 when something needs you.

    Example: orders-pipeline status --json
    """
    from orders_pipeline.defs.cursor import sensor_cursor

    with work() as job:
        report = status_stage.read_status(job, sensor_cursor=sensor_cursor(job.store.folder))
    if as_json:
        print_json(report.as_dict())
    else:
        for line in report.lines():
            say(line)
        if report.not_done:
            print_table(["day", "why not done", "next try"], report.gap_rows())
        for line in report.stuck_lines():
            say(line)
        for line in report.finding_lines():
            say(line)
    if report.needs_you:
        raise typer.Exit(1)


def relist(days: str = _DAYS) -> None:
    """Compare the mailboxes with the archive for some days, and reopen days for which there is more mail.

    Example: orders-pipeline relist 2026-05-11..2026-05-17
    """
    with work() as job:
        report = relist_days(job, closed_days_of(job, days))
        job.publish()
    for day, count in sorted(report.reopened.items()):
        say(f"{day}: {count} new; the sensor takes it up, or materialize it in the UI")
    say(f"{report.days} days re-listed, {len(report.reopened)} reopened")
    if report.problem:
        raise OrdersPipelineError(report.problem)


def reparse(
    days: str = _DAYS,
    ask_model: bool = typer.Option(
        False, "--ask-model", help="With extract.model: also show the model again what no rule reads."
    ),
    yes: bool = typer.Option(False, "--yes", help="Do not ask before these calls are made."),
) -> None:
    """Parse the mail of some days again with this version of the parser; only what reads differently is judged again.

    What a model has read before stays known; it is asked only with --ask-model.

    Example: orders-pipeline reparse 2026-05-11..2026-05-17
    """
    skipped: list[dt.date] = []
    problems: list[str] = []
    with work() as job:
        wanted = closed_days_of(job, days)
        if ask_model:
            _announce(job, wanted, yes=yes)
        for day in wanted:
            with job.store.day_lock(day):
                report = parse_day(job, day, again=True, pays=ask_model, anew=ask_model)
                if report.ledger is None:
                    skipped.append(day)
                    continue
                problems += [f"{day}: {line}" for line in report.problems]
                problems += [f"{day}: {line}" for line in review_day(job, day).problems]
        job.publish()
    say(f"{len(wanted) - len(skipped)} days parsed again")
    if skipped:
        say(f"not fetched yet, skipped: {', '.join(map(str, skipped[:10]))}{' …' if len(skipped) > 10 else ''}")
    for line in problems:
        say(line)
    if skipped or problems:
        raise typer.Exit(1)


def _announce(job: Work, days: Sequence[dt.date], *, yes: bool) -> None:
    if not job.config.extract.model:
        raise OrdersPipelineError("no model reads mail: set extract.model = true in the configuration first")
    calls = to_read(job, days)
    say(f"this takes up to {forecast(job, calls)}")
    if calls and not yes:
        confirm_calls()


def rebuild() -> None:
    """Make every table again from the archive. Nothing is fetched again, nothing is judged twice.

    A state file that cannot be read is set aside first.

    Example: orders-pipeline rebuild
    """
    if aside := set_aside_damaged(DataFolder(home()), now=dt.datetime.now(dt.UTC)):
        say(f"the state could not be read; it is kept as {aside}")
    with work() as job, console.status("rebuilding"):
        count, failed = rebuild_store(job)
    say(f"{count - len(failed)} days rebuilt from the archive")
    if failed:
        some = ", ".join(map(str, failed[:10])) + (" …" if len(failed) > 10 else "")
        say(f"not done, the next runs try them again: {some}")
        raise typer.Exit(1)
