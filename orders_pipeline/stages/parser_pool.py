"""Many messages read by several processes at once; the same answers in the same order as from one.

Belongs here: when that pays, how far the processes run ahead, and who is asked again when one dies. Not here: one
message at a time (parser_process), the processes themselves (worker_process).

A process holds some messages: the first is in work, the others keep it from waiting. When it dies, only the first can
be to blame. The others are read by another one.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Generic

from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, failed_message
from orders_pipeline.stages.parser_process import ParserProcess
from orders_pipeline.stages.worker_process import Parse, Read, WorkerProcess, wait_for

# So much mail takes one core 0.4 s, which is what the start of the processes takes: who has waited as long as that
# without knowing what is to come waits at most twice as long as who knew.
PAYS_BYTES = 7_000_000
MOST_PROCESSES = 4
_AHEAD_MESSAGES = 512  # read, or being read, before the first that is not
_AHEAD_BYTES = 32_000_000  # of mail that is not read yet, unless one mail alone is larger
_QUEUED_MESSAGES = 4  # for one process with the one in work: more only leaves another idle at the end
_QUEUED_BYTES = 128 * 1024  # for one process beside the message in work; more than that its pipe does not hold


def usable_cores() -> int:
    """The cores that this process may use, up to ``MOST_PROCESSES``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_PROCESSES)


class ParserPool(ParserProcess[Read]):
    """Reads one message at a time as a ``ParserProcess`` does, and many by several processes once that pays.

    ``processes`` is how many: 1 for never more than one, 0 for the usable cores. They live until ``close``.
    """

    def __init__(self, parse: Parse[Read], processes: int = 0) -> None:
        super().__init__(parse)
        self._processes = processes or usable_cores()
        self._read_bytes = 0

    def parse_all(
        self,
        messages: Iterable[RawMessage],
        context: ParseContext,
        *,
        expected_bytes: int = 0,
        apart: Collection[str] = (),
        enter: Callable[[Collection[str]], None] = lambda ids: None,
    ) -> Generator[Read | ParsedMessage, None, None]:
        """What ``parse`` says of each message, in their order; some messages are taken ahead of the answers.

        ``expected_bytes`` is how much mail they are, where that is known: what is expected and what was read so far
        decide whether more processes pay. ``enter`` is told the ids of all messages in work before another one is;
        one that is ``apart`` is read in another process, and nothing else is read meanwhile. Raises as ``parse`` does.
        """
        source = iter(messages)
        for message in source:
            if self._processes > 1 and self._read_bytes + expected_bytes >= PAYS_BYTES:
                shared = _Round(self._workers, self._processes, self._parse, context, apart, enter)
                yield from shared.answers(chain([message], source))
                return
            enter([message.message_id])
            size = len(message.raw)
            self._read_bytes += size
            expected_bytes -= min(size, expected_bytes)
            yield self.parse(message, context, apart=message.message_id in apart)


@dataclass(slots=True, eq=False)
class _Place(Generic[Read]):
    """Of one message in the order of answers."""

    message: RawMessage | None  # None once it is answered
    answer: Read | ParsedMessage | None = None
    deaths: int = 0


class _Round(Generic[Read]):
    """Some messages through the processes of a pool, which are left to the next round."""

    def __init__(
        self,
        workers: list[WorkerProcess[Read]],
        processes: int,
        parse: Parse[Read],
        context: ParseContext,
        apart: Collection[str],
        enter: Callable[[Collection[str]], None],
    ) -> None:
        self._workers, self._processes, self._parse = workers, processes, parse
        self._context, self._apart, self._enter = context, frozenset(apart), enter
        self._places: deque[_Place[Read]] = deque()
        self._again: deque[_Place[Read]] = deque()  # of processes that died; before anything new
        self._at_work: dict[WorkerProcess[Read], deque[_Place[Read]]] = {}  # as the process has them waiting
        self._bytes_at_work = 0

    def answers(self, source: Iterator[RawMessage]) -> Iterator[Read | ParsedMessage]:
        """The answers in the messages' order."""
        try:
            while True:
                self._hand_out(source)
                if not self._places:  # with nothing in work it would have taken one, were there one
                    return
                while self._places and self._places[0].message is None:
                    answer = self._places.popleft().answer
                    assert answer is not None
                    yield answer
                if self._bytes_at_work:
                    self._listen()
        finally:
            if self._bytes_at_work:  # an answer that still comes must not be taken for that of another message
                while self._workers:
                    self._workers.pop().close()

    def _hand_out(self, source: Iterator[RawMessage]) -> None:
        while worker := self._free_worker():
            place = self._next(source)
            if place is None:
                return
            message = place.message
            assert message is not None
            self._at_work.setdefault(worker, deque()).append(place)
            self._bytes_at_work += _weight(message)
            self._enter(self._ids_at_work())
            worker.send(message, self._context)

    def _next(self, source: Iterator[RawMessage]) -> _Place[Read] | None:
        """What is to be read now; None when there is nothing, or when it must wait."""
        if not self._again:
            if len(self._places) >= _AHEAD_MESSAGES:
                return None
            message = next(source, None)
            if message is None:
                return None
            place = _Place[Read](message)
            self._places.append(place)
            self._again.append(place)
        message = self._again[0].message
        assert message is not None
        if self._bytes_at_work and self._must_wait(message):
            return None
        return self._again.popleft()

    def _must_wait(self, message: RawMessage) -> bool:
        """One that is apart waits for all others, and they for it."""
        if self._apart and not self._apart.isdisjoint([message.message_id, *self._ids_at_work()]):
            return True
        return self._bytes_at_work + _weight(message) > _AHEAD_BYTES

    def _ids_at_work(self) -> list[str]:
        return [p.message.message_id for places in self._at_work.values() for p in places if p.message]

    def _free_worker(self) -> WorkerProcess[Read] | None:
        while len(self._workers) < self._processes:
            self._workers.append(WorkerProcess(self._parse))
        return min((w for w in self._workers if _has_room(w)), key=lambda w: w.waiting_bytes, default=None)

    def _listen(self) -> None:
        for worker in wait_for(self._workers):
            for answer in worker.receive():
                self._settle(self._at_work[worker].popleft(), answer)
            if worker.ended:
                self._bury(worker)

    def _settle(self, place: _Place[Read], answer: Read | ParsedMessage) -> None:
        assert place.message is not None
        self._bytes_at_work -= _weight(place.message)
        place.message, place.answer = None, answer

    def _bury(self, worker: WorkerProcess[Read]) -> None:
        self._workers.remove(worker)
        worker.close()
        left = list(self._at_work.pop(worker, ()))
        if left:
            culprit = left[0]
            culprit.deaths += 1
            if worker.by_limit or culprit.deaths > 1:
                assert culprit.message is not None
                assert worker.ended is not None
                self._settle(culprit, failed_message(culprit.message, worker.ended))
                left = left[1:]
        for place in left:
            assert place.message is not None
            self._bytes_at_work -= _weight(place.message)
        self._again.extendleft(reversed(left))


def _weight(message: RawMessage) -> int:
    return len(message.raw) + 1  # an empty one is work too


def _has_room(worker: WorkerProcess[Any]) -> bool:
    return not worker.waiting or (worker.waiting < _QUEUED_MESSAGES and worker.queued_bytes < _QUEUED_BYTES)
