"""The queue under a filter: which lines are shown, where one stands in it, and what comes next. Pure.

Belongs here: filters, pages, the next case. Not here: where the cases come from (index.py).
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from orders_pipeline.models import Decision

PAGE = 100  # lines of the queue that are shown at a time
PROPOSED = "proposed"
STATES = (PROPOSED, *(decision.value for decision in Decision), "all")
_CHOICES = 200  # senders and reasons to choose from, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One case as a line of the queue. ``position`` is that in ``case_queue``, None for what it left out."""

    case_id: str
    day: dt.date
    sender: str
    subject: str
    reasons: tuple[str, ...]
    position: int | None
    group_size: int

    @property
    def rank(self) -> tuple[bool, int, int, str]:
        return self.position is None, self.position or 0, -self.day.toordinal(), self.case_id


class Cases:
    """All cases, best first, and the state of each that is not ``proposed``. Not changed once made."""

    def __init__(self, lines: Sequence[Listed], states: Mapping[str, str]) -> None:
        self.lines, self._states = lines, states

    def state(self, case_id: str) -> str:
        return self._states.get(case_id, PROPOSED)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each case stands among all of them."""
        return {line.case_id: place for place, line in enumerate(self.lines)}

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many cases are in each state."""
        return Counter(self.state(line.case_id) for line in self.lines)

    @cached_property
    def senders(self) -> tuple[tuple[str, int], ...]:
        """The senders of what is proposed, the most frequent first."""
        return _frequent(Counter(line.sender for line in self.lines if line.case_id not in self._states))

    @cached_property
    def reasons(self) -> tuple[tuple[str, int], ...]:
        """The reasons of what is proposed, the most frequent first."""
        open_lines = (line for line in self.lines if line.case_id not in self._states)
        return _frequent(Counter(reason for line in open_lines for reason in line.reasons))


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which cases are looked at; an empty text means all of them."""

    state: str = PROPOSED
    sender: str = ""
    reason: str = ""

    @classmethod
    def of(cls, data: Mapping[str, str]) -> Filter:
        """From a query or a form; what is no state is taken for ``proposed``."""
        state = data.get("state", "")
        return cls(
            state=state if state in STATES else PROPOSED,
            sender=data.get("sender", "")[:253],
            reason=data.get("reason", "")[:80],
        )

    def of_all(self, cases: Cases) -> list[int]:
        """The places of the cases that pass."""
        wanted, sender, reason = self.state, self.sender, self.reason
        return [
            place
            for place, line in enumerate(cases.lines)
            if (wanted == "all" or cases.state(line.case_id) == wanted)
            and (not sender or line.sender == sender)
            and (not reason or reason in line.reasons)
        ]

    @property
    def query(self) -> str:
        """As the end of an address, ``?sender=…``; empty for the whole queue."""
        kept = {name: value for name, value in self.fields.items() if value and value != PROPOSED}
        return f"?{urlencode(kept)}" if kept else ""

    @property
    def fields(self) -> dict[str, str]:
        """As the hidden fields of a form."""
        return {"state": self.state, "sender": self.sender, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Some lines of the queue. ``first`` is the number of the first one, from 1; ``number`` that of the current case,
    None when it does not pass the filter; ``previous`` and ``next`` are the cases beside it."""

    cases: Cases
    lines: tuple[Listed, ...]
    first: int
    total: int
    number: int | None
    previous: str | None
    next: str | None

    @property
    def left(self) -> int:
        return self.cases.counts.get(PROPOSED, 0)

    @property
    def decided(self) -> int:
        return len(self.cases.lines) - self.left


def queue_of(cases: Cases, chosen: Filter, *, current: str = "", offset: int | None = None) -> Queue:
    """The queue under a filter: ``PAGE`` lines from ``offset`` on, or around the case ``current``."""
    passing = chosen.of_all(cases)
    here = cases.places.get(current, -1)
    at = bisect_left(passing, here)
    stands = at < len(passing) and passing[at] == here
    wanted = max(0, at - PAGE // 4) if offset is None else offset
    first = max(0, min(wanted, len(passing) - PAGE if offset is None else len(passing)))
    after = passing[at + stands : at + stands + 1]
    return Queue(
        cases=cases,
        lines=tuple(cases.lines[place] for place in passing[first : first + PAGE]),
        first=first + 1,
        total=len(passing),
        number=at + 1 if stands else None,
        previous=cases.lines[passing[at - 1]].case_id if at else None,
        next=cases.lines[after[0]].case_id if after else None,
    )


def next_case(cases: Cases, chosen: Filter, current: str) -> str | None:
    """The case to look at once ``current`` is done with: the next one that passes, else the first; None for none."""
    here = cases.places.get(current, -1)
    passing = [place for place in chosen.of_all(cases) if place != here]
    if not passing:
        return None
    return cases.lines[passing[bisect_left(passing, here) % len(passing)]].case_id


def _frequent(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_CHOICES])
