"""``score``: what the parser reads, against labels."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import typer

from orders_pipeline.cli.output import complain, print_json, print_table, say
from orders_pipeline.cli.parse import parsed_record
from orders_pipeline.config import is_zone
from orders_pipeline.errors import ConfigError, MailboxError, OrdersPipelineError
from orders_pipeline.mail.read_paths import iter_messages
from orders_pipeline.scoring.labels import Said, read_labels, said_from_dict
from orders_pipeline.scoring.report import Change, Comparison, compare, read_report, report_of
from orders_pipeline.scoring.score import Fault, Figures, Score, score
from orders_pipeline.stages.parser_process import ParserProcess

SHOWN = 20  # changes of each kind that are printed; the report file has all


def score_command(
    labels: Path = typer.Argument(help="JSON Lines: file, kind, and what is right."),
    path: Path = typer.Argument(help="The folder of the messages that the labels name."),
    zone: str = typer.Option("UTC", help="The zone in which dates such as 'tomorrow' are meant."),
    as_json: bool = typer.Option(False, "--json", help="The report as JSON."),
    show: str = typer.Option("", metavar="FIELD", help="List the faults of one field (or detect, handled, all)."),
    against: Path | None = typer.Option(None, help="An earlier report: say what was fixed and what broke."),
    save: Path | None = typer.Option(None, help="Write the report to this file."),
) -> None:
    """Parse labelled messages and print precision, recall and F1 of each field. Exit status 1 when --against finds
    something broken.

    Example: orders-pipeline score labels.jsonl mails --save before.json
    """
    if not path.exists():
        raise MailboxError(f"{path} does not exist: name the folder of the labelled messages")
    if not is_zone(zone):
        raise ConfigError(f"unknown time zone {zone!r}; use an IANA name such as Europe/Berlin")
    wanted = read_labels(_read(labels), str(labels))
    earlier = read_report(_read(against), str(against)) if against else None  # before the work, not after it
    result = score(wanted, _said(path, {label.file for label in wanted}, zone))
    report = report_of(result)
    difference = compare(earlier, report["cases"]) if earlier is not None else None
    if save:
        _write(save, json.dumps(report, indent=1, ensure_ascii=True) + "\n")
    if as_json:
        print_json(report if difference is None else {**report, "against": _plain(difference)})
    else:
        _print(result, difference)
    for fault in result.faults if show else ():
        if show in (fault.field, "all"):
            complain(_fault_line(fault)) if as_json else say(_fault_line(fault))
    if difference and difference.regressed:
        raise typer.Exit(1)


def _said(path: Path, files: set[str], zone: str) -> dict[str, Said]:
    """What the parser says of the labelled files; a message of another name is not parsed."""
    depths = {file.count("/") + 1 for file in files}
    said = {}
    messages = iter_messages(path, on_error=lambda name, reason: complain(f"{name} cannot be read: {reason}"))
    with ParserProcess() as parser:
        for name, raw in messages:
            parts = name.replace("\\", "/").split("/")
            file = next((tail for d in depths if (tail := "/".join(parts[-d:])) in files), None)
            if file is not None:
                said[file] = said_from_dict(parsed_record(name, raw, zone, parser))
    return said


def _print(result: Score, difference: Comparison | None) -> None:
    count = result.count
    say(f"{len(result.cases)} messages, {count('handled')} handled")
    say(
        f"{count('found')} of {count('positives')} orders found, {count('exact')} exact,"
        f" {count('false_alarms')} false alarms in {count('negatives')}"
    )
    columns = ("field", "labelled", "right", "wrong", "missed", "surplus", "precision", "recall", "f1")
    rows = [_row(name, figures) for name, figures in result.fields.items()]
    print_table(columns, [*rows, _row("all", result.overall)], right=columns[1:])
    if difference is None:
        return
    say(f"against the earlier report: {len(difference.fixed)} fixed, {len(difference.broken)} broken")
    for word, changes in (("fixed", difference.fixed), ("broken", difference.broken)):
        for line in _change_lines(word, changes):
            say(line)
    for word, files in (("new", difference.added), ("gone", difference.removed)):
        if files:
            say(f"  {word}: {len(files)} messages")


def _change_lines(word: str, changes: tuple[Change, ...]) -> Iterable[str]:
    yield from (f"  {word}: {c.file} {c.field} ({c.before} → {c.now})" for c in changes[:SHOWN])
    if len(changes) > SHOWN:
        yield f"  {word}: {len(changes) - SHOWN} more"


def _row(name: str, figures: Figures) -> tuple[object, ...]:
    ratios = (figures.precision, figures.recall, figures.f1)
    counts = (figures.labelled, figures.right, figures.wrong, figures.missed, figures.surplus)
    return (name, *counts, *("-" if r is None else f"{r:.3f}" for r in ratios))


def _fault_line(fault: Fault) -> str:
    return f"{fault.field}  {fault.file}  right: {', '.join(fault.expected)}  got: {', '.join(fault.got) or 'nothing'}"


def _plain(difference: Comparison) -> dict[str, object]:
    return {
        "fixed": [[c.file, c.field, c.before, c.now] for c in difference.fixed],
        "broken": [[c.file, c.field, c.before, c.now] for c in difference.broken],
        "added": list(difference.added),
        "removed": list(difference.removed),
    }


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise OrdersPipelineError(f"cannot read {path}: {reason}") from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OrdersPipelineError(f"cannot write {path}: {error.strerror}") from None
