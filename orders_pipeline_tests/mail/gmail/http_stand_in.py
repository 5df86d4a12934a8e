"""An HTTP server on loopback that misbehaves as a test says.

Belongs here: answers, the faults of a connection, and their script. Not here: what Gmail or a token server answers.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Request:
    """What was asked: ``kind`` is the stand-in's name for it (list, get, batch, token, ...)."""

    kind: str
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class Reply:
    """What is answered. The last three are faults of the connection: see ``Server``."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json; charset=UTF-8"
    cut_after: int | None = None  # send so many bytes of the body, then close
    stall: bool = False  # send nothing until the client gives up
    drip: float | None = None  # seconds between single bytes
    drip_head: bool = False  # the bytes of a header instead, without end


def as_json(data: object, status: int = 200, **headers: str) -> Reply:
    """A reply with JSON."""
    return Reply(status, json.dumps(data).encode(), {k.replace("_", "-"): v for k, v in headers.items()})


DROP = Reply(cut_after=-1)  # closed before the status line

Match = Callable[[Request], bool]


@dataclass
class Rule:
    """Answer the next ``times`` requests that match with a reply."""

    match: Match
    reply: Reply
    times: int


class Server:
    """Answers on a free port of loopback until it is closed. ``requests`` holds what was asked, in order."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.lock = threading.RLock()
        self._rules: list[Rule] = []
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def answer(self, request: Request) -> Reply:
        """What is answered when no rule matches."""
        raise NotImplementedError

    def kind_of(self, path: str) -> str:
        """The name of what a path asks for."""
        raise NotImplementedError

    def fail(self, what: str | Match, reply: Reply, times: int = 1) -> None:
        """Answer the next ``times`` requests of a kind (or that match) with ``reply``."""
        match = what if callable(what) else lambda request: request.kind == what
        self._rules.append(Rule(match, reply, times))

    def heal(self) -> None:
        """Fail no more."""
        self._rules.clear()

    def asked(self, kind: str) -> list[Request]:
        """The requests of a kind, in order."""
        return [r for r in self.requests if r.kind == kind]

    def reply_to(self, request: Request) -> Reply:
        """Record a request and answer it, by rule or rightly."""
        with self.lock:
            self.requests.append(request)
            for rule in self._rules:
                if rule.times > 0 and rule.match(request):
                    rule.times -= 1
                    return rule.reply
            return self.answer(request)

    def close(self) -> None:
        """Stop, and let go of clients that stall."""
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
                server._serve(self, b"")

            def do_POST(self) -> None:
                server._serve(self, self.rfile.read(int(self.headers.get("Content-Length") or 0)))

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: what was asked is in ``requests``."""

        return Handler

    def _serve(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        parts = urlsplit(handler.path)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        given = dict(parse_qsl(parts.query) + (parse_qsl(body.decode()) if form else []))
        reply = self.reply_to(Request(self.kind_of(parts.path), parts.path, given, headers, body))
        if reply.stall:
            self._ended.wait(30)
        if reply.stall or reply.cut_after == -1:
            _reset(handler.connection)
            handler.close_connection = True
            return
        self._send(handler, reply)

    def _drip_head(self, handler: BaseHTTPRequestHandler) -> None:
        with contextlib.suppress(OSError):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not self._ended.wait(0.02):
                handler.wfile.write(b"x")
        handler.close_connection = True

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        if reply.drip_head:
            self._drip_head(handler)
            return
        handler.send_response(reply.status)
        for name, value in {"Content-Type": reply.content_type, **reply.headers}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(reply.body)))
        handler.end_headers()
        try:
            if reply.drip is not None:
                for byte in reply.body:
                    if self._ended.is_set():
                        break
                    handler.wfile.write(bytes([byte]))
                    time.sleep(reply.drip)
            else:
                handler.wfile.write(reply.body[: reply.cut_after])
        except OSError:
            handler.close_connection = True
        if reply.cut_after is not None:
            handler.close_connection = True


def _reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
