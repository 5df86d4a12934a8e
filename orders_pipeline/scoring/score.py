"""Scoring: each message by itself, then the sums.

Belongs here: the verdicts and the figures made of them. Not here: equality of values (fields), comparing two reports
(compare), printing.

A labelled field is ``right`` when one of the values said is right, ``wrong`` when others were said, ``missed`` when
none was. Values beyond a right one are ``surplus``, unless the mail tells of several orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from orders_pipeline.scoring.fields import bare, same
from orders_pipeline.scoring.labels import FIELDS, Label, Said

RIGHT, WRONG, MISSED, SURPLUS = "right", "wrong", "missed", "surplus"
ABSENT = "absent"  # known to be absent, and nothing was said of it
DETECT = "detect"  # stands for a field where the question is whether there is an order at all


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as labelled. ``field`` is a field, or ``detect``, or ``handled``."""

    file: str
    field: str
    expected: tuple[str, ...]
    got: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """The verdicts of one message: by field (``detect`` among them), surplus values by field, and its faults."""

    label: Label
    handled: bool
    found: bool
    verdicts: Mapping[str, str]
    surplus: Mapping[str, int]
    faults: tuple[Fault, ...]

    @property
    def exact(self) -> bool:
        """An order with every labelled field right and nothing surplus."""
        return self.label.is_order and self.found and not self.faults


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one field, or of all together; the ratios are None where nothing was labelled or said."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    surplus: int = 0

    @property
    def labelled(self) -> int:
        return self.right + self.wrong + self.missed

    @property
    def recall(self) -> float | None:
        return self.right / self.labelled if self.labelled else None

    @property
    def precision(self) -> float | None:
        said = self.right + self.wrong + self.surplus
        return self.right / said if said else None

    @property
    def f1(self) -> float | None:
        p, r = self.precision, self.recall
        return None if p is None or r is None else 2 * p * r / (p + r) if p + r else 0.0

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            self.right + other.right, self.wrong + other.wrong, self.missed + other.missed,
            self.surplus + other.surplus,
        )  # fmt: skip


@dataclass(frozen=True)
class Score:
    """All cases and their sums."""

    cases: tuple[Case, ...]
    fields: Mapping[str, Figures] = field(default_factory=dict)

    @property
    def overall(self) -> Figures:
        return sum(self.fields.values(), Figures())

    @property
    def faults(self) -> list[Fault]:
        return [fault for case in self.cases for fault in case.faults]

    def count(self, what: str) -> int:
        """How many messages are: handled, positives, found, exact, negatives, false_alarms."""
        tests = {
            "handled": lambda c: c.handled,
            "positives": lambda c: c.label.is_order,
            "found": lambda c: c.label.is_order and c.found,
            "exact": lambda c: c.exact,
            "negatives": lambda c: c.label.kind == "not_order",
            "false_alarms": lambda c: c.label.kind == "not_order" and c.found,
        }
        return sum(map(tests[what], self.cases))


def score(labels: Iterable[Label], said: Mapping[str, Said]) -> Score:
    """Score what was said of each file. A file of which nothing is said (not even "no order") is not handled."""
    return summed([_case(label, said.get(label.file)) for label in labels], FIELDS)


def summed(cases: Sequence[Case], names: Iterable[str]) -> Score:
    """The score of judged messages: the figures of each named field, and of what is said beyond the right values."""
    fields = {}
    for name in names:
        verdicts = Counter(case.verdicts.get(name) for case in cases)
        surplus = sum(case.surplus.get(name, 0) for case in cases)
        fields[name] = Figures(verdicts[RIGHT], verdicts[WRONG], verdicts[MISSED], surplus)
    return Score(tuple(cases), fields)


def _case(label: Label, said: Said | None) -> Case:
    found = said is not None and said.orders > 0
    faults = [] if said is not None else [Fault(label.file, "handled", ("an outcome",), ())]
    verdicts: dict[str, str] = {}
    surplus: dict[str, int] = {}
    if label.kind == "not_order":
        verdicts[DETECT] = WRONG if found else RIGHT
        if found and said:
            faults.append(Fault(label.file, DETECT, ("no order",), said.values["order_number"] or ("an order",)))
    elif label.is_order:
        verdicts[DETECT] = RIGHT if found else MISSED
        if not found:
            faults.append(Fault(label.file, DETECT, (label.kind,), ()))
        for name, rights in label.values.items():
            guesses = said.values[name] if said is not None else ()
            verdicts[name], extra = _judge(name, rights, guesses)
            if verdicts[name] == RIGHT and extra and not label.several:
                surplus[name] = extra
            if verdicts[name] != RIGHT or name in surplus:
                faults.append(Fault(label.file, name, rights, guesses))
    return Case(label, said is not None, found, verdicts, surplus, tuple(faults))


def _judge(name: str, rights: tuple[str, ...], guesses: tuple[str, ...]) -> tuple[str, int]:
    """The verdict, and how many different values were said beyond the right ones."""
    if not guesses:
        return MISSED, 0
    others = {bare(guess) for guess in guesses if not any(same(name, right, guess) for right in rights)}
    hit = any(same(name, right, guess) for right in rights for guess in guesses)
    return (RIGHT, len(others)) if hit else (WRONG, 0)
