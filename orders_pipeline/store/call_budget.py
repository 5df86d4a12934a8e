"""How many calls a day and a minute, and what they may cost, counted over all processes of a data folder.

Belongs here: a journal a local day, appended to under a lock, that each call enters before it is made; a process that
dies leaves its calls counted at what they might have cost. Not here: what a call is, and its lasting record
(model_calls.py), from which a journal that is lost is begun again.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import fcntl
import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from zoneinfo import ZoneInfo

from orders_pipeline.days import day_of, day_window
from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import make_folder

Entry = tuple[str, dt.datetime, Decimal | None]  # id, when, what it cost or may cost
_MINUTE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """``cost_per_day`` None: no limit of cost."""

    calls_per_minute: int
    calls_per_day: int
    cost_per_day: Decimal | None


@dataclass(frozen=True, slots=True)
class Full:
    """Today has no room for the call: why, and from when on to ask again."""

    why: str
    until: dt.datetime


@dataclass(slots=True)
class _Day:
    """What this process has read of a day's journal."""

    day: dt.date
    offset: int = 0
    calls: dict[str, tuple[dt.datetime, Decimal]] = field(default_factory=dict)

    @property
    def cost(self) -> Decimal:
        return sum((cost for _, cost in self.calls.values()), Decimal(0))


class CallBudget:
    """The budget of one data folder; ``folder`` holds the journals, ``recorded`` gives a day's calls on record."""

    def __init__(
        self, folder: Path, limits: Limits, zone: ZoneInfo, *, recorded: Callable[[dt.date], Iterable[Entry]]
    ) -> None:
        self._folder, self._limits, self._zone, self._recorded = folder, limits, zone, recorded
        self._lock = threading.Lock()
        self._day: _Day | None = None

    def enter(self, call_id: str, cost: Decimal | None, now: dt.datetime) -> float | Full:
        """Count a call that may cost ``cost`` and return 0, or the seconds to wait before asking again, or ``Full``."""
        with self._open(now) as (handle, today):
            full = self._full(today, cost or Decimal(0), now)
            if full:
                return full
            wait = self._wait(today, now)
            if wait:
                return wait
            self._append(handle, today, {"id": call_id, "at": now.isoformat(), "cost": str(cost or 0)})
        return 0.0

    def settle(self, call_id: str, cost: Decimal | None, began: dt.datetime) -> None:
        """Put what a call cost in the place of what it might have."""
        with self._open(began) as (handle, today):
            self._append(handle, today, {"id": call_id, "at": began.isoformat(), "cost": str(cost or 0)})

    def spent(self, now: dt.datetime) -> tuple[int, Decimal]:
        """The day's calls so far, and their cost."""
        with self._open(now) as (_, today):
            return len(today.calls), today.cost

    def _full(self, today: _Day, cost: Decimal, now: dt.datetime) -> Full | None:
        until = day_window(today.day, self._zone).end
        if len(today.calls) >= self._limits.calls_per_day:
            return Full(f"the limit of {self._limits.calls_per_day} calls a day is reached", max(until, now))
        most = self._limits.cost_per_day
        if most is not None and today.cost + cost > most:
            return Full(f"the limit of {most} a day is reached ({today.cost:.4f} spent)", max(until, now))
        return None

    def _wait(self, today: _Day, now: dt.datetime) -> float:
        ages = sorted(age for at, _ in today.calls.values() if 0 <= (age := (now - at).total_seconds()) < _MINUTE)
        if len(ages) < self._limits.calls_per_minute:
            return 0.0
        # So many calls ago; when it is a minute old, there is room for one.
        return max(0.01, _MINUTE - ages[self._limits.calls_per_minute - 1])

    @contextlib.contextmanager
    def _open(self, now: dt.datetime) -> Iterator[tuple[int, _Day]]:
        """The journal of the day that holds ``now``, locked and read to its end."""
        day = day_of(now, self._zone)
        path = self._folder / f"{day.isoformat()}.jsonl"
        with self._lock:
            try:
                make_folder(self._folder)
                handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError as error:
                raise StoreError(f"cannot count calls in {path}: {error.strerror}; check its permissions") from None
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                if self._day is None or self._day.day != day or self._day.offset > os.fstat(handle).st_size:
                    self._day = _Day(day)
                if os.fstat(handle).st_size == 0:
                    self._begin(handle, self._day)
                self._read(handle, self._day)
                yield handle, self._day
            except OSError as error:
                raise StoreError(f"cannot count calls in {path}: {error.strerror}") from None
            finally:
                os.close(handle)

    def _begin(self, handle: int, today: _Day) -> None:
        entries = [{"id": i, "at": at.isoformat(), "cost": str(cost or 0)} for i, at, cost in self._recorded(today.day)]
        text = "".join(json.dumps(entry) + "\n" for entry in entries) or "\n"
        os.write(handle, text.encode())
        for old in sorted(self._folder.glob("*.jsonl"))[:-7]:
            old.unlink(missing_ok=True)

    def _append(self, handle: int, today: _Day, entry: dict[str, str]) -> None:
        # After half a line, of a process that was killed or a disk that was full, the next one would be a part of it.
        torn = os.fstat(handle).st_size > today.offset
        line = ("\n" if torn else "") + json.dumps(entry) + "\n"
        if os.write(handle, line.encode()) < len(line.encode()):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._read(handle, today)

    @staticmethod
    def _read(handle: int, today: _Day) -> None:
        data = os.pread(handle, max(0, os.fstat(handle).st_size - today.offset), today.offset)
        whole = data[: data.rfind(b"\n") + 1]
        today.offset += len(whole)
        for line in whole.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError, InvalidOperation):
                entry = json.loads(line)
                today.calls[entry["id"]] = dt.datetime.fromisoformat(entry["at"]), Decimal(entry["cost"])
