"""``score``: what the parser reads, against what is known to be right."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from orders_pipeline.cli.output import complain, print_json, say
from orders_pipeline.cli.score_show import fault_line, plain_difference, print_score
from orders_pipeline.cli.score_source import Scored, read_text, scored_folder, scored_labels, scored_store
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.scoring.report import compare, read_report
from orders_pipeline.scoring.score import DETECT


def score_command(
    labels: Path | None = typer.Argument(None, help="The folder of an exported golden set, or labels as JSON Lines."),
    path: Path | None = typer.Argument(None, help="With labels: the folder of the messages that they name."),
    zone: str = typer.Option("UTC", help="With labels: the zone in which dates such as 'tomorrow' are meant."),
    as_json: bool = typer.Option(False, "--json", help="The report as JSON."),
    show: str = typer.Option("", metavar="FIELD", help="List the faults of one field (or detect, handled, all)."),
    against: Path | None = typer.Option(None, help="An earlier report: say what was fixed and what broke."),
    save: Path | None = typer.Option(None, help="Write the report to this file."),
) -> None:
    """Run the parser over mail of which the orders are known: precision, recall and F1 of each field. Without arguments
    this is the store's golden set (the cases that you accepted or edited). Exit status 1 when --against finds something
    broken.

    Example: orders-pipeline score golden --save before.json
    """
    earlier = read_report(read_text(against), str(against)) if against else None  # before the work, not after it
    found = _scored(labels, path, zone)
    known = (*found.score.fields, DETECT, "handled", "all")
    if show and show not in known:
        raise typer.BadParameter(f"{show!r}: use one of {', '.join(known)}", param_hint="--show")
    difference = compare(earlier, found.report["cases"]) if earlier is not None else None
    if save:
        _write(save, json.dumps(found.report, indent=1, ensure_ascii=True) + "\n")
    if as_json:
        print_json(found.report if difference is None else {**found.report, "against": plain_difference(difference)})
    else:
        print_score(found.score, difference, found.senders)
    for fault in found.score.faults if show else ():
        if show in (fault.field, "all"):
            complain(fault_line(fault)) if as_json else say(fault_line(fault))
    if difference and difference.regressed:
        raise typer.Exit(1)


def _scored(labels: Path | None, path: Path | None, zone: str) -> Scored:
    if labels is None:
        return scored_store()
    if path is not None:
        return scored_labels(labels, path, zone)
    if not labels.is_dir():
        raise OrdersPipelineError(f"{labels} is no folder: name that of a golden set, or labels and their messages")
    return scored_folder(labels)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OrdersPipelineError(f"cannot write {path}: {error.strerror}") from None
