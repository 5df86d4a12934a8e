"""Fields that a sender's template nearly always gave in one form, and that are missing or of another form now.

Belongs here: a template's habits, field by field, and the mails that break them. Not here: mails that give no order at
all any more (yields.py).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from orders_pipeline.models import Outcome, Reason
from orders_pipeline.review.forms import FIELDS, PRESENT
from orders_pipeline.review.outcome_row import OutcomeRow
from orders_pipeline.review.reasons import reason

LOOK_BACK = 20  # mails of the habit
ENOUGH = 8  # fewer of them prove none
HIGH_SHARE = 0.9
# The other fields' values are the sender's to choose; only that they are missing tells something.
WITH_FORM = frozenset({"merchant", "order_number", "currency", "total"})
# So many breaks in a row, of whatever form, are what the habit is taken from next.
NEW_HABIT = LOOK_BACK

_Group = tuple[str, str]


@dataclass(slots=True)
class _Habit:
    """The last forms of one field that kept the habit, and the breaks since."""

    kept: deque[str | None] = field(default_factory=lambda: deque(maxlen=LOOK_BACK))
    broken: list[str | None] = field(default_factory=list)

    def breaks(self, name: str, form: str | None) -> str | None:
        """What is usual, in words, when ``form`` is not; the form is noted either way."""
        usual = self._usual(name, form)
        if usual is None:
            self.kept.append(form)
            self.broken.clear()
            return None
        self.broken.append(form)
        if len(self.broken) >= NEW_HABIT:
            self.kept = deque(self.broken, maxlen=LOOK_BACK)
            self.broken.clear()
        return usual

    def _usual(self, name: str, form: str | None) -> str | None:
        if len(self.kept) < ENOUGH:
            return None
        enough = HIGH_SHARE * len(self.kept)
        if form is None:
            given = len(self.kept) - self.kept.count(None)
            return f"given in {given} of the {len(self.kept)} before" if given >= enough else None
        if name not in WITH_FORM or self.kept.count(form) > len(self.kept) / 2:  # most often it is the usual one
            return None
        most, count = Counter(self.kept).most_common(1)[0]
        if most is None or most == form or count < enough:
            return None
        said = "an amount" if most == PRESENT else f'of the form "{most}"'
        return f'of the form "{form}", and {said} in {count} of the {len(self.kept)} before'


def field_drifts(rows: Iterable[OutcomeRow]) -> Iterator[tuple[OutcomeRow, Reason]]:
    """The mails that break a habit of their template, sorted by template and time; of any order of the rows.

    A template is a sender's: two senders with one letter are two. A new habit is taken as such after twenty mails.
    """
    groups: dict[_Group, list[OutcomeRow]] = {}
    for row in rows:
        if row.outcome is Outcome.PARSED and row.orders and row.template_digest:
            groups.setdefault((row.sender_domain, row.template_digest), []).append(row)
    for group in sorted(groups):
        if len(groups[group]) > ENOUGH:
            yield from _of_template(sorted(groups[group], key=lambda row: row.when))


def _of_template(history: Sequence[OutcomeRow]) -> Iterator[tuple[OutcomeRow, Reason]]:
    habits = [_Habit() for _ in FIELDS]
    for row in history:
        for name, habit, form in zip(FIELDS, habits, _combined(row), strict=True):
            if usual := habit.breaks(name, form):
                said = "missing, and " + usual if form is None else usual
                yield row, reason("field_drifted", f"{name.replace('_', ' ')}: {said}")


def _combined(row: OutcomeRow) -> tuple[str | None, ...]:
    """The forms of a mail: of several orders those that they share, and ``PRESENT`` where they differ."""
    first = row.orders[0].forms
    if len(row.orders) == 1:
        return first
    columns = zip(*(one.forms for one in row.orders), strict=True)
    return tuple(
        column[0] if len(set(column)) == 1 else None if all(f is None for f in column) else PRESENT
        for column in columns
    )
