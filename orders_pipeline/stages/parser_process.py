"""A process that parses messages for this one, and that is ended when a message takes more than its share.

Belongs here: starting, limiting and ending that process. Not here: parsing (parse_message).
Nothing inside a process can end a call into C that does not return (parsing HTML, a pattern); the system can. Small
messages are parsed right here: the worst of 32 kB that is known takes 0.2 s, and a process costs 0.5 s once.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, failed_message, parse_bytes

Read = TypeVar("Read")
Parse = Callable[[RawMessage, ParseContext], Read | ParsedMessage]

SMALL_BYTES = 32 * 1024
MAX_SECONDS = 2.0  # of processor time, a message
MAX_MEGABYTES = 200  # beyond the message and what the process holds without it
_WAIT_SECONDS = 120.0  # for a process that neither works nor ends
_MB = 1024 * 1024
_NO_MEMORY = 75  # exit status
_WARM_UP = b"From: a@b.example\nSubject: Order\n\nYour order number: 12345678\nTotal: 1.00 EUR\n"


class ParserProcess(Generic[Read]):
    """Reads messages one after another, by a function at module level, within limits that hold in C code too.

    The process starts with the first message that needs it. Close it.
    """

    def __init__(self, parse: Parse[Read]) -> None:
        self._parse = parse
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def __enter__(self) -> ParserProcess[Read]:
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
        connection = self._connection or self._start()
        try:
            connection.send((message, context))
            if connection.poll(_WAIT_SECONDS):
                return connection.recv()
            reason = f"hung the parser for {_WAIT_SECONDS:g} s"
        except (EOFError, ConnectionError, BrokenPipeError):
            reason = self._how_it_ended()
        except BaseException:  # an answer may still come: it must not be taken for that of the next message
            self.close()
            raise
        self.close()
        return failed_message(message, reason)

    def close(self) -> None:
        """End the process; may be called twice."""
        if self._process is not None and self._connection is not None:
            self._connection.close()
            self._process.kill()
            self._process.join()
        self._process = self._connection = None

    def _start(self) -> Connection:
        # Spawned, never forked: a forked child keeps locks alive.
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._parse), daemon=True)
        try:
            self._process.start()
        except BaseException:
            self._process = self._connection = None
            raise
        finally:
            theirs.close()  # so that the end of the process is the end of the connection
        connection = self._connection
        try:
            if connection.poll(_WAIT_SECONDS):
                connection.recv()
                return connection
        except (EOFError, ConnectionError):
            pass
        self.close()  # no message is to blame
        raise OrdersPipelineError("the process that parses large messages did not start: free some memory, try again")

    def _how_it_ended(self) -> str:
        assert self._process is not None
        self._process.join(10)
        if self._process.exitcode == -signal.SIGPROF:
            return f"took more than {MAX_SECONDS:g} s"
        return f"took more than {MAX_MEGABYTES} MB" if self._process.exitcode == _NO_MEMORY else "killed the parser"


def _serve(connection: Connection, parse: Parse[Any]) -> None:
    """Parse what comes until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the other end decides
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, also in the middle of a call into C
    if parse is parse_bytes:
        parse(RawMessage("", _WARM_UP), ParseContext())  # what is compiled once is on no message
    connection.send(None)
    while True:
        try:
            arguments = connection.recv()
        except EOFError:
            return
        _limit_memory(MAX_MEGABYTES * _MB)
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
        try:
            parsed = parse(*arguments)
            signal.setitimer(signal.ITIMER_PROF, 0)
            connection.send(parsed)
        except MemoryError:  # where even the outcome had no room
            sys.exit(_NO_MEMORY)


def _limit_memory(more: int) -> None:
    """Let the process hold so many more bytes of data. On Linux only: other systems do not count them."""
    if not sys.platform.startswith("linux"):
        return
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    held = next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmData:")), None)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if held is not None and (hard == resource.RLIM_INFINITY or held + more < hard):
        resource.setrlimit(resource.RLIMIT_DATA, (held + more, hard))
