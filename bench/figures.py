"""What a measurement is made of: a figure beside its comparison, a table, a section of both.

Belongs here: the records alone. Not here: how they are written (report) or drawn (plot).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum


class Scale(Enum):
    """How much to measure: ``quick`` shows in some minutes that everything runs, ``full`` is for results that stay."""

    QUICK = "quick"
    FULL = "full"

    def pick(self, quick: int, full: int) -> int:
        """One of two amounts."""
        return quick if self is Scale.QUICK else full


class Sense(Enum):
    """Which way a ratio is good."""

    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One ratio of two things measured together, or one amount with a limit.

    ``ratio`` is what ``reach`` speaks of, in the sense that ``sense`` says; ``ours`` and ``theirs`` say what was
    divided, with their units, for a person ("41 s", "512 s for 10 days").
    """

    what: str
    against: str
    ours: str
    theirs: str
    ratio: float
    sense: Sense
    reach: float | None = None
    unit: str = ""

    @property
    def part(self) -> float | None:
        """How much of the goal is reached, 1 for all of it; None where there is none."""
        if self.reach is None:
            return None
        return self.ratio / self.reach if self.sense is Sense.AT_LEAST else self.reach / self.ratio

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        return None if self.part is None else self.part >= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows for a person; every row has a cell a column."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One area: what was measured and how, its figures and tables."""

    title: str
    how: str
    figures: Sequence[Figure] = field(default_factory=tuple)
    tables: Sequence[Table] = field(default_factory=tuple)
