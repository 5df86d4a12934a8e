"""What ``score`` scores: labels over a folder of mail, an exported golden set, or the store's own.

Belongs here: the way from paths or store to a score. Not here: how it is compared and printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orders_pipeline.cli.opening import work
from orders_pipeline.cli.output import complain
from orders_pipeline.cli.parse import parsed_records
from orders_pipeline.config import OwnerSettings, ParseSettings, is_zone
from orders_pipeline.errors import ConfigError, MailboxError, OrdersPipelineError
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.read_paths import iter_messages
from orders_pipeline.review.export.folder import read_folder
from orders_pipeline.scoring.labels import Said, read_labels, said_from_dict
from orders_pipeline.scoring.report import report_of
from orders_pipeline.scoring.score import Score, score
from orders_pipeline.stages.golden_score import GoldenMail, GoldenScore, score_golden, score_mails
from orders_pipeline.stages.parse_message import ParseContext, RawMessage, parse_bytes
from orders_pipeline.stages.parser_process import ParserProcess


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A score, its report, and the sender's domain of each message where it is known."""

    score: Score
    report: dict[str, Any]
    senders: Mapping[str, str] | None = None


def scored_labels(labels: Path, path: Path, zone: str) -> Scored:
    """Messages below a path against a file of labels. Raises ``OrdersPipelineError`` when either cannot be read."""
    if not path.exists():
        raise MailboxError(f"{path} does not exist: name the folder of the labelled messages")
    if not is_zone(zone):
        raise ConfigError(f"unknown time zone {zone!r}; use an IANA name such as Europe/Berlin")
    wanted = read_labels(read_text(labels), str(labels))
    result = score(wanted, _said(path, {label.file for label in wanted}, zone))
    return Scored(score=result, report=report_of(result))


def scored_folder(folder: Path) -> Scored:
    """An exported golden set, parsed with the settings that it names. Raises ``OrdersPipelineError``."""
    golden = read_folder(folder)
    zone, owner = str(golden.settings.get("zone") or "UTC"), golden.settings.get("owner") or ()
    if not is_zone(zone):
        raise ConfigError(f"{folder} names the unknown time zone {zone!r}: export once more")
    parse = ParseSettings(accept_failed_authentication=bool(golden.settings.get("accept_failed_authentication")))
    context = ParseContext(parse, zone, OwnerSettings(addresses=tuple(map(str, owner))))
    mails = [
        GoldenMail(
            name=case.case_id,
            raw=case.mail,
            received_at=None,
            orders=tuple(case.orders),
            sender_domain=str(case.provenance.get("sender_domain", "")),
        )
        for case in golden.cases
    ]
    with ParserProcess(parse_bytes) as parser:

        def read(mail: GoldenMail) -> Mapping[str, Any]:
            parsed = parser.parse(RawMessage(message_id_of(mail.raw), mail.raw), context)
            return json.loads(parsed.outcome_row["result"])

        return _golden(score_mails(mails, read))


def scored_store() -> Scored:
    """The golden set of the store that the environment names. Raises ``OrdersPipelineError``."""
    with work() as job:
        found = score_golden(job)
    for case in found.unusable:
        complain(f"case {case.case_id} cannot be asked: {case.problem}")
    if not found.score.cases:
        raise OrdersPipelineError(
            "no case is accepted yet: accept or edit some (`orders-pipeline review`), or name labels and a folder"
        )
    return _golden(found)


def read_text(path: Path) -> str:
    """The text of a file. Raises ``OrdersPipelineError`` that names it."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise OrdersPipelineError(f"cannot read {path}: {reason}") from None


def _golden(found: GoldenScore) -> Scored:
    return Scored(score=found.score, report=found.report, senders=found.senders)


def _said(path: Path, files: set[str], zone: str) -> dict[str, Said]:
    """What the parser says of the labelled files; a message of another name is not parsed."""
    depths = {file.count("/") + 1 for file in files}
    messages = iter_messages(path, on_error=lambda name, reason: complain(f"{name} cannot be read: {reason}"))

    def labelled() -> Iterator[tuple[str, bytes]]:
        for name, raw in messages:
            parts = name.replace("\\", "/").split("/")
            file = next((tail for d in depths if (tail := "/".join(parts[-d:])) in files), None)
            if file is not None:
                yield file, raw

    return {str(record["file"]): said_from_dict(record) for record in parsed_records(labelled(), zone)}
