"""The rule judge: free, offline, the same answer every time.

Belongs here: the tuple of rules and the judge that runs them. Not here: the rules, which have one file a subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from orders_pipeline.encoding import printable_line
from orders_pipeline.models import Reason, Reviewable, Verdict
from orders_pipeline.review.arithmetic import amounts_add_up, amounts_are_possible
from orders_pipeline.review.completeness import fields_are_there, order_was_found
from orders_pipeline.review.judge import JudgeFault, verdict_of
from orders_pipeline.review.plausibility import delivery_date_is_possible
from orders_pipeline.review.readings import money_is_unambiguous, readings_agree
from orders_pipeline.review.reasons import ranked

Rule = Callable[[Reviewable], Iterable[Reason]]

RULES: tuple[Rule, ...] = (
    amounts_add_up,
    amounts_are_possible,
    readings_agree,
    money_is_unambiguous,
    order_was_found,
    fields_are_there,
    delivery_date_is_possible,
)

RULES_VERSION = "2"
REASONS_PER_CODE = 5  # a mail with a hundred orders gives a person enough to look at


class RuleJudge:
    """Judges by rules over one item; keeps the ``Judge`` protocol. A rule that raises is a fault, not a verdict."""

    name = "rules"
    version = RULES_VERSION
    batch_size = 500
    asks_model = False

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        """One result an item, in the order given."""
        for item in items:
            yield self._one(item)

    def _one(self, item: Reviewable) -> Verdict | JudgeFault:
        try:
            reasons = ranked([one for rule in RULES for one in rule(item)], per_code=REASONS_PER_CODE)
        except Exception as error:  # the rules are ours, what they look at is not
            said = printable_line(f"{type(error).__name__}: {error}", 200)
            return JudgeFault(message_id=item.message_id, parse_digest=item.parse_digest, error=said)
        return verdict_of(item, self.name, self.version, reasons)
