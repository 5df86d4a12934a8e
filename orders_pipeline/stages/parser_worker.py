"""The process that reads messages for another one: what it does from its start to its end.

Belongs here: its loop, and the limits that it sets itself before each message. Not here: starting it, or what its death
means (worker_process). It is a program of its own rather than ``multiprocessing``'s, which runs the script or notebook
that started it once more.

A frame is its length (8 bytes) and a pickle: from the other end ``(function, context)`` or a message; back a result a
message, in order, and one None when it is ready to read. Nothing inside a process can end a call into C that does not
return (parsing HTML, a pattern); the system can.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import io
import os
import pickle
import resource
import select
import signal
import socket
import struct
import sys
from typing import BinaryIO

from orders_pipeline.stages.parse_message import ParseContext, RawMessage, parse_bytes

MAX_SECONDS = 2.0  # of processor time, a message
MAX_MEGABYTES = 200  # beyond the message and what the process holds without it
NO_MEMORY = 75  # exit status
LENGTH = struct.Struct(">Q")
_MB = 1024 * 1024
_BUFFER_BYTES = 256 * 1024
_WARM_UP = b"From: a@b.example\nSubject: Order\n\nYour order number: 12345678\nTotal: 1.00 EUR\n"
_DATA_FIELD = 5  # of statm: pages of data and stack


def main(handle: int) -> None:
    """Serve the socket with this file number until the other end closes it."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF, signal.SIGIO})
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, also in the middle of a call into C
    _die_with_the_other_end()
    with contextlib.suppress(OSError), socket.socket(fileno=handle) as connection:
        _serve(connection, io.BufferedReader(connection.makefile("rb", buffering=0), _BUFFER_BYTES))
    os._exit(0)  # nothing is to be saved here


def _serve(connection: socket.socket, stream: BinaryIO) -> None:
    parse, context, served = None, None, False
    limit = _MemoryLimit()
    while head := stream.read(LENGTH.size):
        item = pickle.loads(stream.read(*LENGTH.unpack(head)))  # noqa: S301 - from the process that started this one
        if isinstance(item, tuple):
            parse, context = item
            if not served:
                if parse is parse_bytes:
                    parse(RawMessage("", _WARM_UP), ParseContext())  # what is compiled once is on no message
                gc.collect()
                gc.freeze()
                served = True
                _send(connection, None)
            continue
        assert parse is not None
        limit.set()
        signal.setitimer(signal.ITIMER_PROF, MAX_SECONDS)
        try:
            parsed = parse(item, context)
            signal.setitimer(signal.ITIMER_PROF, 0)
            _send(connection, parsed)
        except MemoryError:  # where even the outcome had no room
            os._exit(NO_MEMORY)
        del item, parsed
        limit.lift()


def _send(connection: socket.socket, item: object) -> None:
    data = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
    connection.sendall(LENGTH.pack(len(data)) + data)


def _die_with_the_other_end() -> None:
    """Standard input is a pipe to which nobody writes: the system says when the other process is gone, and that signal
    ends this one wherever it is. Where it does not (macOS), the next read finds it, after ``MAX_SECONDS`` at most."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    watch = select.poll()
    watch.register(0, 0)
    if watch.poll(0):
        os._exit(0)


class _MemoryLimit:
    """How many more bytes of data the process may hold. On Linux only: other systems do not count them."""

    def __init__(self) -> None:
        self._hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        self._statm = os.open("/proc/self/statm", os.O_RDONLY) if sys.platform.startswith("linux") else -1

    def set(self) -> None:
        if self._statm < 0:
            return
        held = int(os.pread(self._statm, 200, 0).split()[_DATA_FIELD]) * resource.getpagesize()
        most = held + MAX_MEGABYTES * _MB
        if self._hard == resource.RLIM_INFINITY or most < self._hard:
            resource.setrlimit(resource.RLIMIT_DATA, (most, self._hard))

    def lift(self) -> None:
        """Until the next message is here, of whatever size."""
        if self._statm >= 0:
            resource.setrlimit(resource.RLIMIT_DATA, (self._hard, self._hard))
