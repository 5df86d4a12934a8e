"""What the judges that ask a model share: a verdict from an answer, a fault without one.

Belongs here: that, whatever is judged. Not here: prompts, redaction, asking several at a time (llm/many.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from orders_pipeline.llm.client import ChatClient
from orders_pipeline.llm.faults import Kind, LlmFault
from orders_pipeline.llm.forms import BadAnswer
from orders_pipeline.llm.many import Got, ask_all
from orders_pipeline.models import Reason, Reviewable, Verdict
from orders_pipeline.review.judge import JudgeFault, verdict_of


def verdicts_from(
    client: ChatClient, items: Sequence[Reviewable], ready: Callable[[Reviewable], Callable[[], Verdict]]
) -> Iterator[Verdict | JudgeFault]:
    """One result an item, as they come; which fault is an item's own, ``ask_all`` tells."""
    for result in ask_all(client, items, ready):
        if isinstance(result, Got):
            yield result.value
        else:
            yield JudgeFault(
                message_id=result.item.message_id,
                parse_digest=result.item.parse_digest,
                error=result.error,
                uses_try=result.own,
                not_before=result.not_before,
            )


def verdict_call(
    item: Reviewable, judge: str, version: str, read: Callable[[], tuple[tuple[Reason, ...], float]]
) -> Callable[[], Verdict]:
    """The call for one item: ``read`` asks and reads reasons and confidence; a ``BadAnswer`` of it is a fault."""

    def call() -> Verdict:
        try:
            reasons, confidence = read()
        except BadAnswer as error:
            raise LlmFault(Kind.ANSWER, str(error)) from None
        return verdict_of(item, judge, version, reasons, confidence)

    return call
