"""What a soak has done and found.

Belongs here: the counts, checking a scene after a kill and at its end, and the closing table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.kills import (
    damaged_copy,
    doubled_in_archive,
    half_written,
    leftovers,
    log_of,
    saved_units,
    tail,
)
from orders_pipeline_tests.harness import Dump, Scene, different_tables


@dataclass(slots=True)
class Tally:
    """Counts of all parts of a soak; ``findings`` says of each thing that is wrong what it is."""

    say: Callable[[str], None]
    points: set[str] = field(default_factory=set)
    workers: int = 0
    trees: int = 0
    lost: int = 0
    doubled: int = 0
    half_written: int = 0
    paid_twice: int = 0
    late: int = 0  # dead runs that were not found, or whose days were not taken up, in time
    in_flight: int = 0  # units paid for and lost by kills, as they may be
    slowest: float = 0.0  # seconds from a restart until the dead runs were failed and their days taken up
    findings: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)  # set by Ctrl-C: no further kills
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def note(self, name: str, lines: list[str]) -> None:
        """Count findings of one kind."""
        if lines:
            with self._guard:
                setattr(self, name, getattr(self, name) + len(lines))
                self.findings += [f"{name}: {line}" for line in lines[:5]]
            self.say(f"{name}: {lines[0]}")

    @property
    def fine(self) -> bool:
        return not (self.lost or self.doubled or self.half_written or self.paid_twice or self.late)

    def table(self) -> str:
        """The closing table."""
        cells = {
            "points": len(self.points),
            "kills of workers": self.workers,
            "kills of trees": self.trees,
            "lost": self.lost,
            "doubled": self.doubled,
            "half-written": self.half_written,
            "paid twice": self.paid_twice,
        }
        head = "  ".join(cells)
        row = "  ".join(str(value).rjust(len(name)) for name, value in cells.items())
        more = (
            f"\npaid twice: beyond what was in flight at a kill; in flight were {self.in_flight} units in all."
            f"\ndead runs: found and their days taken up within {self.slowest:.0f} s of the restart, {self.late} later"
            " than two minutes."
        )
        return "\n".join([head, row, *self.findings]) + more


class Watched:
    """A scene under kills: what was saved before each child, so that paying again for it is seen."""

    def __init__(self, scene: Scene, tally: Tally, *, most_in_flight: int) -> None:
        self.scene, self._tally, self._most = scene, tally, most_in_flight
        self._saved, self._paid = saved_units(scene), 0

    def after_kill(self) -> None:
        """Look at what a kill left; every process of the scene must be dead."""
        saved, paid = saved_units(self.scene), paying.paid(log_of(self.scene))[self._paid :]
        flying = [u for u in paid if (u.kind, u.unit) not in saved]
        twice = [f"{u.kind} {u.unit}" for u in paid if (u.kind, u.unit) in self._saved]
        beyond = [f"{len(flying)} units in flight at one kill"] if len(flying) > self._most else []
        self._tally.in_flight += len(flying)
        self._tally.note("paid_twice", twice + beyond)
        self._tally.note("half_written", half_written(self.scene) + damaged_copy(self.scene))
        self._saved, self._paid = saved, self._paid + len(paid)

    def at_the_end(self, undisturbed: Dump) -> None:
        """Compare what the scene came to with a life without kills."""
        self.after_kill()
        differ = different_tables(undisturbed, self.scene.dump())
        self._tally.note("lost", [f"{table}: {row[:300]}" for table, (gone, _) in differ.items() for row in gone])
        more = [f"{table}: {row[:300]}" for table, (_, extra) in differ.items() for row in extra]
        self._tally.note("doubled", more + doubled_in_archive(self.scene))
        self._tally.note("half_written", leftovers(self.scene))
        if differ:
            self._tally.say(tail(self.scene))
