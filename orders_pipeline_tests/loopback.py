"""An HTTP server on loopback that misbehaves as a test says: the base of the stand-ins for Gmail and for models.

Belongs here: listening, ending, answers and the faults of a connection. Not here: what any one service answers.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What is answered, as JSON unless told otherwise. The last four are faults of the connection."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json; charset=UTF-8"
    cut_after: int | None = None  # send so many bytes of the body, then close; -1 closes before the status line
    stall: bool = False  # send nothing until the client gives up
    drip: float | None = None  # seconds between the single bytes of the body
    drip_head: float | None = None  # of everything, the headers too


def as_json(data: object, status: int = 200, **headers: str) -> Reply:
    """A reply with JSON; ``Retry_After`` names the header Retry-After."""
    return Reply(status, json.dumps(data).encode(), {k.replace("_", "-"): v for k, v in headers.items()})


DROP = Reply(cut_after=-1)


class LoopbackServer(ABC):
    """Answers on a free port of loopback until it is closed."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @abstractmethod
    def respond(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """What is answered: ``path`` with its query, headers by lower-case name."""

    def close(self) -> None:
        """Stop, and let go of clients that wait."""
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                server._serve(self)

            def do_POST(self) -> None:
                server._serve(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: the stand-ins keep what was asked."""

        return Handler

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        reply = self.respond(handler.path, {name.lower(): value for name, value in handler.headers.items()}, body)
        if reply.stall:
            self._ended.wait(30)
        if reply.stall or reply.cut_after == -1:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            handler.connection.close()
            handler.close_connection = True
            return
        with contextlib.suppress(OSError):
            self._send(handler, reply)
            handler.close_connection = handler.close_connection or reply.cut_after is not None
            return
        handler.close_connection = True

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        named = {"Content-Type": reply.content_type, **reply.headers, "Content-Length": len(reply.body)}
        lines = [f"HTTP/1.1 {reply.status} x", *(f"{name}: {value}" for name, value in named.items()), "", ""]
        head, body = "\r\n".join(lines).encode(), reply.body[: reply.cut_after]
        for piece, pause in (*_pieces(head, reply.drip_head), *_pieces(body, reply.drip_head or reply.drip)):
            if self._ended.is_set():
                return
            handler.wfile.write(piece)
            if pause:
                self._ended.wait(pause)


def _pieces(sent: bytes, pause: float | None) -> Iterable[tuple[bytes, float]]:
    return ((bytes([byte]), pause) for byte in sent) if pause else [(sent, 0.0)]
