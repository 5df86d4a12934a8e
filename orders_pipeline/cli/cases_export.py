"""``cases export``: the golden set as a folder that can be shared."""

from __future__ import annotations

from pathlib import Path

import typer

from orders_pipeline.cli.opening import JSON_OPTION, work
from orders_pipeline.cli.output import complain, print_json, say
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.review.export.folder import write_folder
from orders_pipeline.review.export.registry import FORMAT_NAMES, export_files
from orders_pipeline.stages.golden_export import export_golden

ALL, NONE = "all", "none"
_FORMAT_HELP = f"{ALL}, {NONE}, or some of: {', '.join(FORMAT_NAMES)}."


def export(
    folder: Path = typer.Argument(help="The folder to write; a new one, or that of an earlier export."),
    formats: list[str] = typer.Option([ALL], "--format", metavar="FORMAT", help=_FORMAT_HELP),
    name_deciders: bool = typer.Option(False, help="Keep the user names of those who decided."),
    overwrite: bool = typer.Option(False, help="Also replace files that were changed since the last export."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Write the accepted and edited cases as a folder fit for git: redacted mails, expected results, and the formats of
    evaluation tools. A case that cannot be redacted without becoming another is held back.

    Example: orders-pipeline cases export golden
    """
    wanted = _formats(formats)
    target = folder.absolute()
    with work() as job:
        if target.resolve().is_relative_to(job.store.folder.root.resolve()):
            raise OrdersPipelineError(f"{folder} lies in the data folder: name one outside")
        found = export_golden(job, name_deciders=name_deciders)
    settings = {**found.settings, "formats": wanted}
    written = write_folder(target, export_files(found.cases, wanted), settings, overwrite=overwrite)
    if as_json:
        print_json(
            {
                "folder": str(target),
                "cases": len(found.cases),
                "changed_files": written.changed,
                "removed_files": written.removed,
                "held_back": [{"case_id": h.case_id, "reason": h.reason} for h in found.held_back],
            }
        )
        return
    for held in found.held_back:
        complain(f"case {held.case_id} is held back: {held.reason}")
    if not found.cases:
        complain("no case is accepted yet: `orders-pipeline cases list` shows what is proposed")
    say(
        f"{len(found.cases)} cases in {folder}, {len(found.held_back)} held back;"
        f" {written.changed} files written, {written.removed} removed"
    )


def _formats(names: list[str]) -> list[str]:
    chosen = [part.strip() for name in names for part in name.split(",")]
    if unknown := sorted(set(chosen) - {ALL, NONE, *FORMAT_NAMES}):
        raise typer.BadParameter(f"{unknown[0]!r}: use {ALL}, {NONE}, {', '.join(FORMAT_NAMES)}", param_hint="--format")
    return [name for name in FORMAT_NAMES if ALL in chosen or name in chosen]
