"""The judge of usage logs: one call of the model a row, by the rubric of the row's log.

Belongs here: from a row to a question, and from an answer to a verdict. Not here: the prompt, asking several at a time
(llm/many.py), where rows lie (the stage brings them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from orders_pipeline.encoding import digest_of
from orders_pipeline.llm.client import ChatClient, Question
from orders_pipeline.models import Reviewable, Verdict
from orders_pipeline.review.asking import verdict_call, verdicts_from
from orders_pipeline.review.judge import JudgeFault
from orders_pipeline.review.redact import Redactor
from orders_pipeline.review.usage.prompt import SCHEMA, messages, read_answer, rubric_version
from orders_pipeline.review.usage.record import UsageRow

NAME = "rubric"
PURPOSE = "usage"


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a good output of a log is, and whether personal data is taken out before a row is sent."""

    text: str
    redact: bool = True


class RubricJudge:
    """Keeps the ``Judge`` protocol. ``row_of`` is called in the caller's thread; ``rubrics`` are those of the logs."""

    name = NAME
    batch_size = 1
    asks_model = True

    def __init__(
        self,
        client: ChatClient,
        row_of: Callable[[Reviewable], UsageRow],
        rubrics: Mapping[str, Rubric],
        salt: bytes,
    ) -> None:
        self._client, self._row_of, self._rubrics, self._salt = client, row_of, rubrics, salt
        self._versions = {log: rubric_version(client.settings, rubric.text) for log, rubric in rubrics.items()}
        self.version = digest_of(f"{log} {version}" for log, version in sorted(self._versions.items()))[:12]

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        """See ``Judge``."""
        return verdicts_from(self._client, items, self._ready)

    def _ready(self, item: Reviewable) -> Callable[[], Verdict]:
        row = self._row_of(item)
        rubric = self._rubrics.get(row.log)
        if rubric is None:
            raise ValueError(f"no [[usage]] section is named {row.log}: bring it back, or waive its rows")
        given, gave = self._shown(row, rubric)
        question = Question(
            messages=messages(rubric.text, given, gave, self._client.settings.max_input_chars),
            name="verdict",
            schema=SCHEMA,
            purpose=PURPOSE,
            subject=item.message_id,
        )
        return verdict_call(item, self.name, self._versions[row.log], lambda: read_answer(self._client.ask(question)))

    def _shown(self, row: UsageRow, rubric: Rubric) -> tuple[str, str]:
        """Input and output as the model sees them: what is replaced in one is replaced alike in the other."""
        if not rubric.redact:
            return row.input, row.output
        most = 2 * self._client.settings.max_input_chars
        given, gave = row.input[:most], row.output[:most]
        redactor = Redactor(self._salt)
        for text in (given, gave):
            redactor.learn(text)
        return redactor.text(given), redactor.text(gave)
