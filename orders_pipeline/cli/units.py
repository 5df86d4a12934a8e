"""``retry`` and ``waive``: what is stuck, on a person's word."""

from __future__ import annotations

import re

import typer

from orders_pipeline.cli.opening import parse_days, work
from orders_pipeline.cli.output import print_table, say
from orders_pipeline.days import days_between
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages import retry as stage
from orders_pipeline.stages.reconcile import reconcile

_DAYS = re.compile(r"\d{4}-\d\d-\d\d(\.\..*)?")
_STAGES = ("fetch", "parse", "review", "archive")


def retry(
    what: list[str] = typer.Argument(
        None, help="Days, ranges of days, message ids (or their start), or locations as status shows them."
    ),
) -> None:
    """Try again what ran out of tries, or waits for its next try; named days and messages also if their parse failed.

    Without arguments: everything that is open. The work is done by the next run, which is due at once.

    Example: orders-pipeline retry 2026-05-11..2026-05-17
    """
    given = what or []
    days = [d for text in given if _DAYS.fullmatch(text) for d in days_between(*parse_days(text))]
    names = [text for text in given if not _DAYS.fullmatch(text)]
    if days and names:
        raise typer.BadParameter("give days or messages, not both at once")
    with work() as job:
        left = reconcile(job).missing
        released = stage.retry(job, days=days, names=names)
    if released.units:
        print_table(
            ["stage", "day", "was", "tries", "what", "why"],
            [[u.stage, u.day or "unplaced", u.state, u.tries, _name(u), u.error or ""] for u in released.units],
            right=["tries"],
        )
    say(f"released {len(released.units)} units and {len(released.days)} days that waited for their next try")
    if released.units or released.days:
        say("next: the sensor takes their days now (`make ui`), or materialize them in the UI")
    if left:
        say(f"not released: {len(left)} archive files are missing: bring them back from a backup, then retry")
        raise typer.Exit(1)


def waive(
    message: str = typer.Argument(help="A message id or its start, or a location, as status shows it."),
    stage_name: str = typer.Option(..., "--stage", help="fetch, parse or review (archive: a missing archive file)."),
    reason: str = typer.Option(..., help="Why it may stay undone; kept with your name."),
) -> None:
    """Let a day be done without one unit that cannot succeed. Kept with your name; void as soon as the unit succeeds.

    `orders-pipeline retry MESSAGE` takes it back.

    Example: orders-pipeline waive 3f2a9c01 --stage review --reason "the judge refuses this mail"
    """
    if stage_name not in _STAGES:
        raise typer.BadParameter(f"{stage_name!r}: use fetch, parse or review", param_hint="--stage")
    if not reason.strip():
        raise OrdersPipelineError("a waiver needs a reason: add --reason TEXT")
    with work() as job:
        reconcile(job)
        unit = stage.waive(job, message, stage=stage_name, reason=reason.strip())
    say(f"waived {unit.stage} of {_name(unit)}: {unit.day or 'unplaced mail'} can be done without it")
    say("next: the sensor moves on (`make ui`); `orders-pipeline status` shows what is left")


def _name(unit: stage.Unit) -> str:
    return f"{unit.mailbox}: {unit.unit}" if unit.mailbox else unit.unit[:16] if unit.stage != "archive" else unit.unit
