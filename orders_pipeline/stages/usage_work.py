"""Usage logs through the same stages as mail: a store of their own, logs for mailboxes, rows for messages.

Belongs here: what a run over usage logs works with. Everything that is promised of mail (saved first, a try counted, a
row in error pending, the cursor behind it) holds for rows because the same code keeps it. Not here: the stages.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from orders_pipeline.config import Config, ExtractSettings
from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import ConfigError
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.models import Address, Email, Outcome, ParseResult, Reviewable
from orders_pipeline.review.judge import Judge
from orders_pipeline.review.usage.judge import Rubric, RubricJudge
from orders_pipeline.review.usage.record import UsageRow, decode_row
from orders_pipeline.stages.day_raws import DayRaws
from orders_pipeline.stages.model_access import ModelAccess
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, failed_message, rows_of
from orders_pipeline.stages.parser_pool import ParserPool
from orders_pipeline.stages.work import Work
from orders_pipeline.store.frames import rows
from orders_pipeline.store.salt import redaction_salt
from orders_pipeline.store.store import open_store
from orders_pipeline.store.usage_log import UsageLog

FOLDER = "usage"  # within the data folder: a data folder of its own
_RUBRIC_BYTES = 200_000


@dataclass(slots=True)
class UsageWork(Work):
    """The work of one run over usage logs. The model, its limits and the record of its calls are the main store's."""

    main: Work | None = None
    logs: dict[str, UsageLog] = field(default_factory=dict)

    def mailboxes(self, day: dt.date) -> list[Mailbox]:
        """The logs that owe a day."""
        assert self.main is not None
        for settings in self.main.config.usage:
            if settings.name not in self.logs:
                self.logs[settings.name] = UsageLog(settings, self.store.zone, _encoded)
        return [self.logs[s.name] for s in self.main.config.usage if s.name in self.config.owing(day)]

    def own_judge(self, day: dt.date) -> Judge:
        """The judge of rows, by the rubrics."""
        return rubric_judge(self, day)

    def model(self) -> ModelAccess:
        """The model of the main store: limits hold for mail and logs together."""
        assert self.main is not None
        return self.main.model()

    def _new_parser(self) -> ParserPool[ParsedMessage]:
        return ParserPool(read_row, 1)  # a row is read faster than it is handed over


def read_row(message: RawMessage, context: ParseContext) -> ParsedMessage:
    """In the place of ``parse_bytes``: a row is taken for what it is."""
    try:
        row = decode_row(message.raw)
    except (ValueError, RecursionError) as error:
        return failed_message(message, str(error))
    email = Email(
        message_id=message.message_id,
        subject=printable_line(row.input, 200),
        sender=Address(name=row.log, address=f"row@{row.log}"),
        received_at=message.received_at,
    )
    result = ParseResult(message_id=message.message_id, outcome=Outcome.PARSED, reason="usage")
    parsed = rows_of(email, result, message.received_at)
    digests = {"canonical_digest": row.canonical_digest, "template_digest": ""}
    return ParsedMessage(outcome_row={**parsed.outcome_row, **digests}, order_rows=())


def open_usage(main: Work) -> UsageWork | None:
    """The work over the usage logs of a configuration; None when there are none. Raises ``StoreError``."""
    if not main.config.usage:
        return None
    return UsageWork(
        store=open_store(main.store.folder.root / FOLDER, main.config),
        config=usage_config(main.config),
        run_id=main.run_id, now=main.now, warn=main.warn, tell=main.tell, main=main,
    )  # fmt: skip


def usage_config(config: Config) -> Config:
    """The same configuration with the logs in the mailboxes' place: days owe listings of these."""
    return config.model_copy(update={"mailbox": config.usage, "extract": ExtractSettings()})


def rubric_judge(work: UsageWork, day: dt.date) -> RubricJudge:
    """The judge of one day's rows. Raises ``ConfigError`` when a rubric cannot be read: no row is to blame for that."""
    assert work.main is not None
    logs = work.main.config.usage
    rubrics = {log.name: Rubric(_rubric(log.rubric, log.name), log.redact) for log in logs}
    raws = DayRaws(work, day)

    def row_of(item: Reviewable) -> UsageRow:
        return decode_row(raws.raw(item.message_id))

    return RubricJudge(work.model().client, row_of, rubrics, redaction_salt(work.main.store.folder))


def usage_cases(work: UsageWork, days: Sequence[dt.date] = ()) -> list[dict[str, Any]]:
    """The proposed cases, strongest first, with their input and output, as JSON-ready data; of all days by default."""
    with work.store.state.reading() as con:
        found = rows(
            con,
            "SELECT c.day, c.case_id, c.message_id, c.reasons, m.archive_file FROM proposed_eval_cases c"
            " JOIN messages m ON m.message_id = c.message_id ORDER BY c.strength DESC, c.day, c.case_id",
        )
    chosen = [r for r in found if not days or r["day"] in days]
    raws = dict(work.store.archive.raw_messages({r["message_id"]: r["archive_file"] for r in chosen}))
    out = []
    for case in chosen:
        row = decode_row(raws[case["message_id"]])
        out.append(
            {
                "case_id": case["case_id"], "day": case["day"].isoformat(), "log": row.log, "id": row.id,
                "time": row.time, "input": row.input, "output": row.output, "reasons": json.loads(case["reasons"]),
            }
        )  # fmt: skip
    return out


def _encoded(log: str, row_id: str, time: str, given: str, gave: str) -> bytes:
    return UsageRow(log=log, id=row_id, time=time, input=given, output=gave).encode()


def _rubric(path: Path, log: str) -> str:
    try:
        with path.open("rb") as handle:
            text = handle.read(_RUBRIC_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise ConfigError(f"the rubric of the usage log {log} cannot be read: {path}: {why}") from None
    if not text.strip():
        raise ConfigError(f"the rubric of the usage log {log} is empty: {path}: write there what a good output is")
    return text
