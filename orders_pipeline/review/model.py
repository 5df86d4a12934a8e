"""The model judge: one call a parse, several at a time, each verdict handed on as it comes.

Belongs here: asking, and what a fault means for the item and for those that wait. Not here: the prompt, the redaction,
the client. It needs the mail of an item, which the stage brings.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from orders_pipeline.encoding import printable_line
from orders_pipeline.llm.client import ChatClient, Question
from orders_pipeline.llm.faults import Kind, LlmFault
from orders_pipeline.models import Email, Reason, Reviewable, Verdict
from orders_pipeline.review.judge import JudgeFault
from orders_pipeline.review.model_answer import BadAnswer, read_answer
from orders_pipeline.review.model_prompt import SCHEMA, judge_version, messages
from orders_pipeline.review.model_view import model_view
from orders_pipeline.review.redact import Redactor
from orders_pipeline.review.steering import CODE, STRENGTH

NAME = "model"
PURPOSE = "judge"
IN_A_ROW = 3  # calls that the server failed, one after the other, before the rest is not asked

MailOf = Callable[[Reviewable], Email]
RedactorOf = Callable[[Email, Reviewable], Redactor]


@dataclass(frozen=True, slots=True)
class _Failed:
    item: Reviewable
    fault: LlmFault


_Result = Verdict | _Failed


class ModelJudge:
    """Judges by a language model; keeps the ``Judge`` protocol. ``mail_of`` is called in the caller's thread."""

    name = NAME
    batch_size = 1

    def __init__(self, client: ChatClient, mail_of: MailOf, redactor_of: RedactorOf) -> None:
        self._client, self._mail_of, self._redactor_of = client, mail_of, redactor_of
        self.version = judge_version(client.settings)

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        """One result an item, as they come.

        A fault of the login, the line or a limit uses no try of any item, and ends the asking: what was not asked says
        why. So do ``IN_A_ROW`` calls in a row that the server failed; a single such call is the item's own fault.
        """
        waiting = list(reversed(items))
        row: list[_Failed] = []
        why: LlmFault | None = None  # why the rest is not asked
        pool = ThreadPoolExecutor(self._client.settings.concurrency, thread_name_prefix="model-judge")
        flying: set[Future[_Result]] = set()
        try:
            while waiting or flying:
                while waiting and why is None and len(flying) < self._client.settings.concurrency:
                    item = waiting.pop()
                    try:
                        ready = self._ready(item)
                    except Exception as error:  # what is in the mail is not ours
                        yield _fault(item, f"the mail could not be shown: {type(error).__name__}: {error}")
                        continue
                    flying.add(pool.submit(ready))
                if not flying:
                    break
                done, flying = wait(flying, return_when=FIRST_COMPLETED)
                for future in done:
                    result = future.result()
                    if isinstance(result, Verdict):  # the server works: who failed before, failed alone
                        yield from (_own(failed) for failed in row)
                        if any(failed.fault is why for failed in row):
                            why = None
                        row = []
                        yield result
                    elif result.fault.kind is Kind.ANSWER:
                        yield _own(result)
                    elif result.fault.kind in (Kind.LOGIN, Kind.LIMIT):
                        why = why or result.fault
                        yield _innocent(result.item, result.fault)
                    else:
                        row.append(result)
                        if len(row) >= IN_A_ROW:
                            why = why or result.fault
            # With the server failing every call there is nobody to blame but the server.
            guilty = why is None
            for failed in row:
                yield _own(failed) if guilty else _innocent(failed.item, failed.fault)
            for item in reversed(waiting):
                yield _innocent(item, why or LlmFault(Kind.LINE, "not asked"), asked=False)
        finally:
            if flying:
                self._client.stop()
            pool.shutdown(wait=not flying, cancel_futures=True)

    def _ready(self, item: Reviewable) -> Callable[[], _Result]:
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

        def call() -> _Result:
            try:
                reasons, confidence = read_answer(self._client.ask(question), view.restore)
            except LlmFault as fault:
                return _Failed(item, fault)
            except BadAnswer as error:
                return _Failed(item, LlmFault(Kind.ANSWER, str(error)))
            except Exception as error:
                return _Failed(item, LlmFault(Kind.ANSWER, f"{type(error).__name__}: {error}"))
            if view.steering:
                detail = printable_line(f"the mail speaks to the judge: {view.steering}", 200)
                reasons = (Reason(code=CODE, detail=detail, strength=STRENGTH), *reasons)
            return Verdict(
                message_id=item.message_id,
                parse_digest=item.parse_digest,
                judge=self.name,
                judge_version=self.version,
                reasons=reasons,
                confidence=confidence,
            )

        return call


def _own(failed: _Failed) -> JudgeFault:
    """The item's own fault, but for those of the line, which are nobody's."""
    if failed.fault.kind is Kind.LINE:
        return _innocent(failed.item, failed.fault)
    return _fault(failed.item, failed.fault.text)


def _fault(item: Reviewable, text: str) -> JudgeFault:
    return JudgeFault(message_id=item.message_id, parse_digest=item.parse_digest, error=printable_line(text, 300))


def _innocent(item: Reviewable, fault: LlmFault, *, asked: bool = True) -> JudgeFault:
    text = fault.text if asked else f"not asked: {fault.text}"
    return JudgeFault(
        message_id=item.message_id,
        parse_digest=item.parse_digest,
        error=printable_line(text, 300),
        uses_try=False,
        not_before=fault.not_before or _later(fault.retry_after),
    )


def _later(seconds: float | None) -> dt.datetime | None:
    if seconds is None:
        return None
    return dt.datetime.now(dt.UTC) + dt.timedelta(seconds=min(seconds, 86_400.0))
