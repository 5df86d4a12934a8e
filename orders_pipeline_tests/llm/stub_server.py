"""A server that speaks OpenAI's chat completions on loopback, and misbehaves as a test says.

Belongs here: answers, the faults of a server and of a connection, and what was asked. Not here: what is asked of it.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One request: its headers by lower-case name, its bytes, and the JSON in them."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """Everything that the messages say."""
        return "\n".join(m["content"] for m in self.data["messages"])

    @property
    def form(self) -> str:
        """The form of structured output that was asked for."""
        return self.data.get("response_format", {}).get("type", "plain")


@dataclass(frozen=True)
class Reply:
    """What is sent. ``cut_after`` closes the connection after so many bytes of the body, -1 before the status line;
    ``stall`` sends nothing; ``drip`` is the seconds between single bytes, of the headers too."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    stall: bool = False
    drip: float | None = None


Script = Callable[[Asked], Reply]


def saying(content: Any, /, *, finish: str = "stop", usage: Mapping[str, int] | None = None, **message: Any) -> Reply:
    """A chat completion with this content: text as it is, else as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    data = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        ],
        "usage": {"prompt_tokens": 800, "completion_tokens": 40} if usage is None else usage,
    }
    return Reply(body=json.dumps(data).encode())


def error(status: int, message: str = "no", **headers: str) -> Reply:
    """An error as OpenAI's servers send it."""
    body = json.dumps({"error": {"message": message, "type": "error"}}).encode()
    return Reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


FINE = saying({"reasons": [], "confidence": 0.9})
DROP = Reply(cut_after=-1)


class StubServer:
    """Answers ``FINE`` until told otherwise. ``asked`` holds the requests in order."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self.script: Script = lambda asked: FINE
        self._now = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def say(self, *replies: Reply) -> None:
        """Answer with these in turn, then with the last one for ever."""
        waiting = list(replies)

        def script(asked: Asked) -> Reply:
            with self._lock:
                return waiting.pop(0) if len(waiting) > 1 else waiting[0]

        self.script = script

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

            def do_POST(self) -> None:
                server._serve(self)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: what was asked is in ``asked``."""

        return Handler

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        asked = Asked({k.lower(): v for k, v in handler.headers.items()}, body)
        with self._lock:
            self.asked.append(asked)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            reply = self.script(asked) if handler.path == "/v1/chat/completions" else error(404, "no such page")
            self._send(handler, reply)
        finally:
            with self._lock:
                self._now -= 1

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        if reply.stall:
            self._ended.wait(30)
        if reply.stall or reply.cut_after == -1:
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.connection.close()
            handler.close_connection = True
            return
        head = f"HTTP/1.1 {reply.status} x\r\nContent-Type: application/json\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        head += f"Content-Length: {len(reply.body)}\r\n\r\n"
        sent = head.encode() + reply.body[: reply.cut_after]
        try:
            for piece in _pieces(sent, reply.drip):
                if self._ended.is_set():
                    break
                handler.wfile.write(piece)
                if reply.drip:
                    time.sleep(reply.drip)
        except OSError:
            handler.close_connection = True
        if reply.cut_after is not None:
            handler.close_connection = True


def _pieces(sent: bytes, drip: float | None) -> Iterable[bytes]:
    return [sent] if drip is None else (bytes([byte]) for byte in sent)


@contextmanager
def stub_server() -> Iterator[StubServer]:
    """A server that ends with the test."""
    server = StubServer()
    try:
        yield server
    finally:
        server.close()
