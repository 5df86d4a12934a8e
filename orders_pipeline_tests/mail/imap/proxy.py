"""A proxy between client and server that injects faults, in plain text on loopback.

Belongs here: passing lines and literals on, and doing to them what a test says. Not here: which faults there are.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

_LITERAL = re.compile(rb"\{(\d+)\}\r\n$")
_STALL_SECONDS = 30.0


class Drop(Exception):
    """Raised by a rule: the connection ends here."""


class Stall(Exception):
    """Raised by a rule: from here on the server is silent."""


@dataclass(slots=True)
class Link:
    """One connection through the proxy: what was asked, how many bodies and bytes the server sent."""

    number: int
    commands: list[bytes] = field(default_factory=list)
    bodies: int = 0
    sent: int = 0


# A rule for commands gives the line to pass on, or ``Reply`` in the server's stead; one for answers the line to send.
CommandRule = Callable[[Link, bytes], "bytes | Reply"]
AnswerRule = Callable[[Link, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer in the server's stead; ``%s`` stands for the command's tag."""

    text: bytes


@dataclass(slots=True)
class Proxy:
    """A listening proxy; ``command`` and ``answer`` may be set at any time."""

    port: int = 0
    command: CommandRule = field(default=lambda link, line: line)
    answer: AnswerRule = field(default=lambda link, line: line)
    links: list[Link] = field(default_factory=list)

    def commands(self) -> list[bytes]:
        """Every command so far, without its tag."""
        return [line.partition(b" ")[2].strip() for link in self.links for line in link.commands]


@contextlib.contextmanager
def proxy(server_port: int) -> Iterator[Proxy]:
    """A proxy in front of a server on loopback."""
    made = Proxy()
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made.port = listening.getsockname()[1]
        thread = threading.Thread(target=_accept, args=(made, listening, server_port, over), daemon=True)
        thread.start()
        try:
            yield made
        finally:
            over.set()
            with contextlib.suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def _accept(made: Proxy, listening: socket.socket, server_port: int, over: threading.Event) -> None:
    while not over.is_set():
        try:
            client, _ = listening.accept()
        except OSError:
            return
        link = Link(len(made.links) + 1)
        made.links.append(link)
        try:
            server = socket.create_connection(("127.0.0.1", server_port))
        except OSError:
            client.close()
            continue
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each answer of two lines takes 40 ms
        for work in (_commands, _answers):
            threading.Thread(target=_guarded, args=(work, made, link, client, server, over), daemon=True).start()


def _guarded(
    work: Callable[[Proxy, Link, socket.socket, socket.socket], None],
    made: Proxy,
    link: Link,
    client: socket.socket,
    server: socket.socket,
    over: threading.Event,
) -> None:
    try:
        work(made, link, client, server)
    except Stall:
        over.wait(_STALL_SECONDS)
    except (Drop, OSError):
        pass
    for end in (client, server):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()


def _commands(made: Proxy, link: Link, client: socket.socket, server: socket.socket) -> None:
    with client.makefile("rb") as file:
        for line in file:
            link.commands.append(line)
            passed = made.command(link, line)
            if isinstance(passed, Reply):
                client.sendall(passed.text.replace(b"%s", line.partition(b" ")[0]))
            else:
                server.sendall(passed)


def _answers(made: Proxy, link: Link, client: socket.socket, server: socket.socket) -> None:
    with server.makefile("rb") as file:
        for line in file:
            passed = made.answer(link, line)
            link.sent += len(passed)
            client.sendall(passed)
            if match := _LITERAL.search(line):
                literal = file.read(int(match[1]))
                link.bodies += b"BODY[]" in line
                link.sent += len(literal)
                if passed:
                    client.sendall(literal)
