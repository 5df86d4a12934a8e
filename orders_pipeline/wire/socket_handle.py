"""Ending a connection from outside: the one deadline that also holds in TLS and while headers drip.

Belongs here: the handle on a socket, and its timer. Not here: requests.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class Wire:
    """The socket of a connection, as a second handle by which another thread can end it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handle: socket.socket | None = None
        self.cut = False

    def hold(self, opened: socket.socket) -> None:
        """Take a socket that was opened just now; it is ended at once when the time is over already."""
        with self._lock:
            self._drop()
            self._handle = opened.dup()
            if self.cut:
                self._shut()

    def release(self) -> None:
        """Let go of the handle."""
        with self._lock:
            self._drop()

    @contextlib.contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """End the connection after so many seconds unless the block is left before; ``cut`` says whether that was."""
        self.cut = False
        timer = threading.Timer(seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _end(self) -> None:
        with self._lock:
            self.cut = True
            self._shut()

    def _shut(self) -> None:
        if self._handle is not None:
            with contextlib.suppress(OSError):
                self._handle.shutdown(socket.SHUT_RDWR)

    def _drop(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            with contextlib.suppress(OSError):
                handle.close()
