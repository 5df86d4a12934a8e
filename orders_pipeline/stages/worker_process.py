"""One process that reads messages (parser_worker), seen from the one that started it.

Belongs here: starting it, handing messages over without ever waiting for it, telling how it ended, ending it. Which
message goes to which process, and what becomes of one that killed its process, is said elsewhere (parser_process,
parser_pool).
"""

from __future__ import annotations

import contextlib
import pickle
import select
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage
from orders_pipeline.stages.parser_worker import LENGTH, MAX_MEGABYTES, MAX_SECONDS, NO_MEMORY

Read = TypeVar("Read")
Parse = Callable[[RawMessage, ParseContext], Read | ParsedMessage]

WAIT_SECONDS = 120.0  # for a process that neither works nor ends
_LOOK_SECONDS = 2.0  # the most that counts between two looks: both ends may have been stopped (Ctrl-Z) meanwhile
_READ_BYTES = 256 * 1024
_CODE = (
    "import sys; sys.path[:] = sys.argv[2:]; from orders_pipeline.stages.parser_worker import main;"
    " main(int(sys.argv[1]))"
)
# Ctrl-C and a service manager's signal reach the whole group: this end decides, and its end is the other's end.
_NOT_ITS_OWN = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


class WorkerProcess(Generic[Read]):
    """Reads messages in the order in which they are sent, by a function at module level. Close it.

    Of the messages sent and not answered, ``waiting_bytes`` large, the first is in work. Answers come by ``receive``;
    ``ended`` says why there will be no more. Raises ``OSError`` when no process can be started.
    """

    def __init__(self, parse: Parse[Read]) -> None:
        self._parse = parse
        self._context: ParseContext | None = None
        self._unsent: deque[memoryview] = deque()
        self._received = bytearray()
        self._silent = 0.0  # seconds
        self._looked = time.monotonic()
        self.ready = False
        self.ended: str | None = None
        self.by_limit = False  # ended by a limit that one message reached
        self._sizes: deque[int] = deque()
        self.waiting_bytes = 0
        self._socket, theirs = socket.socketpair()
        self._socket.setblocking(False)
        # The child begins with these signals blocked, and stays so.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _NOT_ITS_OWN)
        try:
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 - this interpreter
                    [sys.executable, "-c", _CODE, str(theirs.fileno()), *sys.path],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                )
        except BaseException:
            self._socket.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        # Also where nobody closes it: at the end of this process at the latest.
        self.close = weakref.finalize(self, _end, self._process, self._socket)
        self._settings(ParseContext())

    def fileno(self) -> int:
        """That of the connection."""
        return self._socket.fileno()

    @property
    def waiting(self) -> int:
        """How many messages are sent and not answered."""
        return len(self._sizes)

    @property
    def queued_bytes(self) -> int:
        """Of the messages that wait behind the one in work."""
        return self.waiting_bytes - self._sizes[0] if self._sizes else 0

    @property
    def writing(self) -> bool:
        """Whether something is still to be sent."""
        return bool(self._unsent)

    def send(self, message: RawMessage, context: ParseContext) -> None:
        """Hand a message over; it goes as the other end has room."""
        if context != self._context:
            self._settings(context)
        if not self._sizes:
            self._silent, self._looked = 0.0, time.monotonic()
        self._sizes.append(len(message.raw))
        self.waiting_bytes += len(message.raw)
        self._put(message)

    def flush(self) -> None:
        """Send what the other end has room for."""
        try:
            while self._unsent:
                data = self._unsent[0]
                sent = self._socket.send(data)
                if sent == len(data):
                    self._unsent.popleft()
                else:
                    self._unsent[0] = data[sent:]
        except BlockingIOError:
            pass
        except OSError:  # it has ended; what it said before is still to be read
            self._unsent.clear()

    def receive(self) -> list[Read | ParsedMessage]:
        """Answers, in the messages' order; takes what is there, and looks whether the process has ended or hangs.

        Raises ``OrdersPipelineError`` when it ended before it could read a message: none is to blame.
        """
        out: list[Read | ParsedMessage] = []
        over = False
        try:
            while data := self._socket.recv(_READ_BYTES):
                self._received += data
                if len(data) < _READ_BYTES:
                    break
            else:
                over = True
        except BlockingIOError:
            pass
        except OSError:
            over = True
        for answer in self._frames():
            if not self.ready:
                self.ready = True
                continue
            self.waiting_bytes -= self._sizes.popleft()
            out.append(answer)
        now = time.monotonic()
        self._silent = 0.0 if out else self._silent + min(now - self._looked, _LOOK_SECONDS)
        self._looked = now
        if over:
            self._note_end()
        elif self._sizes and self._silent > WAIT_SECONDS:
            self.ended, self.by_limit = f"hung the parser for {WAIT_SECONDS:g} s", True
        if self.ended and not self.ready:
            self.close()
            raise OrdersPipelineError("the process that parses messages did not start: free some memory, try again")
        return out

    def _settings(self, context: ParseContext) -> None:
        self._context = context
        self._put((self._parse, context))

    def _put(self, item: Any) -> None:
        data = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
        head = LENGTH.pack(len(data))
        self._unsent.extend([memoryview(head), memoryview(data)] if len(data) > 65536 else [memoryview(head + data)])
        self.flush()

    def _frames(self) -> Iterable[Any]:
        start = 0
        while len(self._received) - start >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._received, start)
            end = start + LENGTH.size + length
            if len(self._received) < end:
                break
            yield pickle.loads(memoryview(self._received)[start + LENGTH.size : end])  # noqa: S301 - of our own child
            start = end
        del self._received[:start]

    def _note_end(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        status = self._process.returncode
        self.by_limit = status in (-signal.SIGPROF, NO_MEMORY)
        if status == -signal.SIGPROF:
            self.ended = f"took more than {MAX_SECONDS:g} s"
        else:
            self.ended = f"took more than {MAX_MEGABYTES} MB" if status == NO_MEMORY else "killed the parser"


def wait_for(workers: Sequence[WorkerProcess[Any]], seconds: float = 1.0) -> list[WorkerProcess[Any]]:
    """Wait until some of them have something to say, and send meanwhile; those, or all when the time is over."""
    poll = select.poll()
    for worker in workers:
        poll.register(worker, select.POLLIN | (select.POLLOUT if worker.writing else 0))
    events = dict(poll.poll(seconds * 1000))
    for worker in workers:
        if events.get(worker.fileno(), 0) & select.POLLOUT:
            worker.flush()
    speaking = select.POLLIN | select.POLLHUP | select.POLLERR
    return [w for w in workers if not events or events.get(w.fileno(), 0) & speaking]


def _end(process: subprocess.Popen[bytes], connection: socket.socket) -> None:
    connection.close()
    process.kill()
    process.wait()
    if process.stdin is not None:
        process.stdin.close()
