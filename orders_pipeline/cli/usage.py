"""``usage``: the logs of model usage, their cases, and what is stuck in them.

Belongs here: the commands of the logs' own store. Not here: their days in `status`, `backup` and `restore`, which
take the logs along.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import typer

from orders_pipeline.cli.opening import JSON_OPTION, closed_days_of, work
from orders_pipeline.cli.output import print_json, print_table, say
from orders_pipeline.cli.rejudge import confirm_calls, tell_rejudged
from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import ConfigError
from orders_pipeline.stages import retry as stage
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.model_plan import forecast, to_ask_again
from orders_pipeline.stages.rebuild import rebuild_store
from orders_pipeline.stages.rejudge import rejudge_days
from orders_pipeline.stages.usage_work import UsageWork, open_usage, usage_cases

app = typer.Typer(help="Logs of model usage: rows that fail their rubric, as test cases.", no_args_is_help=True)
_DAYS = typer.Argument(help="A day, or a range: 2026-05-11..2026-05-17.")


@app.command("cases")
def cases(as_json: bool = JSON_OPTION) -> None:
    """List the proposed cases, strongest first; with --json input and output are in full.

    Example: orders-pipeline usage cases --json
    """
    with _logs() as logs:
        found = usage_cases(logs)
    if as_json:
        print_json(found)
        return
    rows = [[c["day"], c["log"], c["id"], printable_line(c["input"], 40), c["reasons"][0]["detail"]] for c in found]
    print_table(["day", "log", "id", "input", "why"], [[printable_line(str(v), 90) for v in row] for row in rows])
    say(f"{len(found)} cases")


@app.command("run")
def run(days: str = _DAYS) -> None:
    """Read and judge some days now, without Dagster: what is saved and judged costs nothing more.

    Example: orders-pipeline usage run 2026-05-11..2026-05-17
    """
    problems = 0
    with _logs() as logs:
        for day in closed_days_of(logs, days):
            report = run_day(logs, day)
            say(f"{day}: {report.problem or 'done'}")
            problems += report.problem is not None
        logs.publish()
    if problems:
        raise typer.Exit(1)


@app.command("retry")
def retry(names: list[str] = typer.Argument(None, help="Ids of rows, or their start; none: all.")) -> None:
    """Try again what ran out of tries, or waits for its next try.

    Example: orders-pipeline usage retry 3f9a12
    """
    with _logs() as logs:
        released = stage.retry(logs, names=names or [])
    say(f"released {len(released.units)} rows and {len(released.days)} days")


@app.command("waive")
def waive(
    row: str = typer.Argument(help="The id of a row, or its start."),
    stage_name: str = typer.Option("review", "--stage", help="fetch or review."),
    reason: str = typer.Option(..., help="Why it may stay undone; kept with your name."),
) -> None:
    """Let a day be done without one row. `orders-pipeline usage retry ROW` takes it back.

    Example: orders-pipeline usage waive 3f9a12 --reason "the model refuses it"
    """
    with _logs() as logs:
        unit = stage.waive(logs, row, stage=stage_name, reason=reason)
    say(f"waived {unit.unit} of {unit.day}")


@app.command("rejudge")
def rejudge(
    days: str = _DAYS, yes: bool = typer.Option(False, "--yes", help="Do not ask before calls of a model are made.")
) -> None:
    """Judge every row of some days anew, after a change of the rubric or the model: one call a row.

    Says beforehand how many calls that is, and with prices configured what they cost.

    Example: orders-pipeline usage rejudge 2026-05-11 --yes
    """
    with _logs() as logs:
        wanted = closed_days_of(logs, days)
        calls = to_ask_again(logs, wanted, mailbox=None)
        say(f"this takes {forecast(logs.main or logs, calls)}")
        if calls and not yes:
            confirm_calls()
        report = rejudge_days(logs, wanted)
    tell_rejudged(report)


@app.command("rebuild")
def rebuild() -> None:
    """Make the logs' tables again from their archive; nothing is read from a log, and no model is asked.

    Example: orders-pipeline usage rebuild
    """
    with _logs() as logs:
        count, failed = rebuild_store(logs)
    say(f"rebuilt {count} days, {len(failed)} of them not done")
    if failed:
        raise typer.Exit(1)


@contextlib.contextmanager
def _logs() -> Iterator[UsageWork]:
    with work() as main:
        logs = open_usage(main)
        if logs is None:
            raise ConfigError("no usage log is configured: add a [[usage]] section (docs/usage-logs.md)")
        try:
            yield logs
        finally:
            logs.close()
