"""Messages read one at a time, the large ones in another process that is ended when one takes more than its share.

Belongs here: which messages go there, and what becomes of one that killed it. Not here: that process (worker_process),
parsing (parse_message), and several processes at once (parser_pool).
Small messages are parsed right here: the worst of 1,800 that are 128 kB of some things repeated takes 0.1 s, and a
process costs 0.4 s once. One mail in twenty is larger.
"""

from __future__ import annotations

from typing import Generic, Self

from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, failed_message
from orders_pipeline.stages.worker_process import Parse, Read, WorkerProcess, wait_for

SMALL_BYTES = 128 * 1024


class ParserProcess(Generic[Read]):
    """Reads messages one after another, by a function at module level, within limits that hold in C code too.

    The process starts with the first message that needs it. Close it.
    """

    def __init__(self, parse: Parse[Read]) -> None:
        self._parse = parse
        self._workers: list[WorkerProcess[Read]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def parse(self, message: RawMessage, context: ParseContext, *, apart: bool = False) -> Read | ParsedMessage:
        """What the function says; a message that takes too much, or kills its process, is the outcome ``failed``.

        ``apart`` keeps a small message out of this process too. Raises ``OSError`` or
        ``OrdersPipelineError`` when no process can be started.
        """
        if len(message.raw) <= SMALL_BYTES and not apart:
            return self._parse(message, context)
        reason = ""
        try:
            for _ in range(2):  # the system may have ended a process that was innocent, or idle
                if not self._workers:
                    self._workers.append(WorkerProcess(self._parse))
                worker = self._workers[0]
                worker.send(message, context)
                while not worker.ended:
                    wait_for([worker])
                    for answer in worker.receive():
                        return answer
                reason = worker.ended
                self._drop(worker)
                if worker.by_limit:
                    break
        except BaseException:  # an answer may still come: it must not be taken for that of the next message
            self.close()
            raise
        return failed_message(message, reason)

    def close(self) -> None:
        """End the process; may be called twice."""
        while self._workers:
            self._drop(self._workers[-1])

    def _drop(self, worker: WorkerProcess[Read]) -> None:
        worker.close()
        self._workers.remove(worker)
