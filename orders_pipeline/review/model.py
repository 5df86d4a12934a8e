"""The model judge of parses: one call a parse.

Belongs here: from an item and its mail to a question, and from an answer to a verdict. Not here: the prompt, the
redaction, asking several at a time (llm/many.py). It needs the mail of an item, which the stage brings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from orders_pipeline.encoding import printable_line
from orders_pipeline.llm.client import ChatClient, Question
from orders_pipeline.models import Email, Reason, Reviewable, Verdict
from orders_pipeline.review.asking import verdict_call, verdicts_from
from orders_pipeline.review.judge import JudgeFault
from orders_pipeline.review.model_answer import read_answer
from orders_pipeline.review.model_prompt import SCHEMA, judge_version, messages
from orders_pipeline.review.model_view import model_view
from orders_pipeline.review.redact import Redactor
from orders_pipeline.review.steering import CODE, STRENGTH

NAME = "model"
PURPOSE = "judge"

MailOf = Callable[[Reviewable], Email]
RedactorOf = Callable[[Email, Reviewable], Redactor]


class ModelJudge:
    """Judges by a language model; keeps the ``Judge`` protocol. ``mail_of`` is called in the caller's thread."""

    name = NAME
    batch_size = 1
    asks_model = True

    def __init__(self, client: ChatClient, mail_of: MailOf, redactor_of: RedactorOf) -> None:
        self._client, self._mail_of, self._redactor_of = client, mail_of, redactor_of
        self.version = judge_version(client.settings)

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        """See ``Judge``."""
        return verdicts_from(self._client, items, self._ready)

    def _ready(self, item: Reviewable) -> Callable[[], Verdict]:
        """The call for one item, with nothing left to do that needs this thread."""
        mail = self._mail_of(item)
        view = model_view(mail, item.result, self._redactor_of(mail, item), self._client.settings.max_input_chars)
        question = Question(
            messages=messages(view.mail, view.parse),
            name="verdict",
            schema=SCHEMA,
            purpose=PURPOSE,
            subject=item.message_id,
        )

        def read() -> tuple[tuple[Reason, ...], float]:
            reasons, confidence = read_answer(self._client.ask(question), view.restore)
            if view.steering:
                detail = printable_line(f"the mail speaks to the judge: {view.steering}", 200)
                reasons = (Reason(code=CODE, detail=detail, strength=STRENGTH), *reasons)
            return reasons, confidence

        return verdict_call(item, self.name, self.version, read)
