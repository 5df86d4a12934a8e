"""Commands and answers on a connection, streamed, and bounded in time.

Belongs here: lines, literals, tags, and when a connection counts as lost. Not here: what an answer means (answers.py),
connecting and logging in (login.py).

IMAPClient collects and parses the whole answer of a FETCH before it gives any of it: 737 messages a second against
2,630 of a bare loop, and a connection that breaks takes with it what had come. Here each answer is given as it comes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from orders_pipeline.encoding import printable_line

Answer = list[bytes]  # text and literals in turn: the first, third, ... are text, without line ends

MAX_LINE = 16 * 1024 * 1024  # a BODYSTRUCTURE is one line
MAX_DRAINED = 4 * 1024**3  # a longer literal is no message that a server means
_CHUNK = 256 * 1024
_SLOWEST = 1000  # bytes a second over one answer: whoever sends less for longer than the timeout is stalling
_IDLE_TIMES = 10  # timeouts for which a server may say nothing but that it is still there
_LITERAL = re.compile(rb"\{(\d{1,18})\+?\}$")
_STATUS_LINE = re.compile(rb"(?i)[^ ]{1,100} (?:OK|NO|BAD|BYE|PREAUTH)\b")


class ConnectionLost(Exception):
    """The connection cannot be used any more; the text says why, for people."""


class Refused(Exception):
    """The server answered NO or BAD to a command; ``text`` is what it said."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(f"{status} {text}".strip())
        self.status = status
        self.text = text

    @property
    def code(self) -> str:
        """The response code: ``NONEXISTENT`` of ``[NONEXISTENT] no such folder``; "" without one."""
        match = re.match(r"\[([A-Za-z0-9-]{1,40})", self.text)
        return match[1].upper() if match else ""


class Oversize(bytes):
    """Stands for a literal that was longer than the limit and was read past; ``size`` is in bytes."""

    size: int

    def __new__(cls, size: int) -> Oversize:
        made = super().__new__(cls)
        made.size = size
        return made


class Readable(Protocol):
    """What is read from: the buffered file of a socket."""

    def read1(self, size: int, /) -> bytes: ...


class Wire:
    """One connection after login. Not for two users at once: a command left half read makes it unusable."""

    def __init__(
        self,
        file: Readable,
        send: Callable[[bytes], object],
        *,
        timeout: float,
        max_literal: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file, self._send, self._clock = file, send, clock
        self._timeout, self._max_literal = timeout, max_literal
        self._buffer, self._at = b"", 0
        self._busy = False
        self._count = 0
        self._began, self._got = 0.0, 0  # of the answer that is being read

    @property
    def is_busy(self) -> bool:
        """Whether a command's answer was not read to its end."""
        return self._busy

    def command(self, text: bytes) -> Iterator[Answer]:
        """Send a command and give its untagged answers as they come, up to the tagged OK.

        Raises ``Refused`` for a NO or BAD, and ``ConnectionLost`` for the rest: BYE, end, timeout, nonsense. Whoever
        stops half way leaves the connection unusable: the next command raises ``ConnectionLost``.
        """
        if self._busy:
            raise ConnectionLost("the answer to the command before was not read to its end")
        self._busy = True
        self._count += 1
        tag = b"W%d " % self._count
        try:
            self._send(tag + text + b"\r\n")
        except TimeoutError:
            raise ConnectionLost(self._silence()) from None
        except (OSError, ValueError) as error:
            raise ConnectionLost(_why(error)) from None
        heard = self._clock()
        while True:
            answer = self._answer()
            head = answer[0]
            if head.startswith(tag):
                self._busy = False
                status, _, rest = head[len(tag) :].partition(b" ")
                if status.upper() == b"OK":
                    return
                raise Refused(_line(status, 10).upper(), _line(rest))
            if not head.startswith(b"* "):
                raise ConnectionLost(f"the server's answer makes no sense: {_line(head, 40)!r}")
            if head[2:5].upper() == b"BYE":
                raise ConnectionLost(f"the server ended the connection: {_line(head[5:])}")
            if head[2:4].upper() != b"OK":
                heard = self._clock()
            elif self._clock() - heard > _IDLE_TIMES * self._timeout:
                raise ConnectionLost(f"the server works on a command for {_IDLE_TIMES * self._timeout:g} s without end")
            yield answer

    def _answer(self) -> Answer:
        self._began, self._got = self._clock(), 0
        line = self._line()
        answer = [line]
        # Words for people may end in what looks like a literal.
        while (match := _LITERAL.search(line)) and not (len(answer) == 1 and _STATUS_LINE.match(line)):
            answer[-1] = line[: match.start()]
            answer.append(self._literal(int(match[1])))
            line = self._line()
            answer.append(line)
        return answer

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\n", self._at)) < 0:
            if len(self._buffer) - self._at > MAX_LINE:
                raise ConnectionLost(f"the server sends a line of more than {MAX_LINE} bytes")
            self._buffer, self._at = self._buffer[self._at :] + self._more(), 0
        line = self._buffer[self._at : end]
        self._at = end + 1
        return line[:-1] if line.endswith(b"\r") else line

    def _literal(self, size: int) -> bytes:
        if size > MAX_DRAINED:
            raise ConnectionLost(f"the server announces {size} bytes at once")
        end = self._at + size
        if end <= len(self._buffer) and size <= self._max_literal:
            literal = self._buffer[self._at : end]
            self._at = end
            return literal
        keep = size <= self._max_literal
        piece = self._buffer[self._at : end]
        pieces = [piece] if keep else []
        self._at += len(piece)
        missing = size - len(piece)
        while missing:
            self._buffer, self._at = self._more(), 0
            piece = self._buffer[:missing]
            missing -= len(piece)
            self._at = len(piece)
            if keep:
                pieces.append(piece)
        return b"".join(pieces) if keep else Oversize(size)

    def _more(self) -> bytes:
        took = self._clock() - self._began
        if took > self._timeout + self._got / _SLOWEST:
            raise ConnectionLost(f"the server sent {self._got} bytes in {took:.0f} s")
        try:
            data = self._file.read1(_CHUNK)
        except TimeoutError:
            raise ConnectionLost(self._silence()) from None
        except (OSError, ValueError) as error:
            raise ConnectionLost(_why(error)) from None
        if not data:
            raise ConnectionLost("the server closed the connection")
        self._got += len(data)
        return data

    def _silence(self) -> str:
        return f"the server is silent for {self._timeout:g} s"


def quoted(text: bytes) -> bytes:
    """A string of a command. Raises ``ValueError`` for what a quoted string cannot hold."""
    if re.search(rb"[\r\n\x00]", text):
        raise ValueError("line break in a quoted string")
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def _line(text: bytes, limit: int = 160) -> str:
    return printable_line(text.decode("utf-8", "replace"), limit)


def _why(error: Exception) -> str:
    return f"the connection broke: {printable_line(getattr(error, 'strerror', None) or str(error), 120)}"
