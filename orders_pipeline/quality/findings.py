"""What a check says.

Belongs here: ``Finding`` and ``Missing``, a set of ids that may be too large to list. Not here: any check.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from orders_pipeline.encoding import printable_line

SAMPLE = 20


class Severity(StrEnum):
    """How bad it is when a check is not ok: an error is a gap in the data, a warning something worth knowing."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """How many there are, exactly, and the first few of them by name."""

    count: int = 0
    sample: tuple[str, ...] = ()

    @classmethod
    def of(cls, ids: Iterable[str]) -> Missing:
        """All the ids, in any order and with repeats; the sample is the first 20 sorted."""
        unique = sorted(set(ids))
        return cls(count=len(unique), sample=tuple(unique[:SAMPLE]))

    @classmethod
    def total(cls, parts: Iterable[Missing]) -> Missing:
        """Several disjoint sets as one; the sample takes from each in the order given."""
        parts = list(parts)
        names = [name for part in parts for name in part.sample]
        return cls(count=sum(part.count for part in parts), sample=tuple(names[:SAMPLE]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check's result. ``count`` is exact, ``sample`` has at most 20 printable ids.

    ``message`` is one line: what is wrong, and when not ok, what to do.
    """

    check: str
    ok: bool
    severity: Severity
    count: int
    sample: tuple[str, ...]
    message: str


def finding(check: str, severity: Severity, found: Missing, *, good: str, bad: str, todo: str) -> Finding:
    """A finding that is ok when nothing was found. ``bad`` may name the ``{count}``."""
    ok = found.count == 0
    return Finding(
        check=check,
        ok=ok,
        severity=severity,
        count=found.count,
        sample=tuple(printable_line(name, 200) for name in found.sample[:SAMPLE]),
        message=printable_line(good if ok else f"{bad.format(count=found.count)} {todo}", 500),
    )
