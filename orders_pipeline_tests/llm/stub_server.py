"""A server that speaks OpenAI's chat completions on loopback, and misbehaves as a test says.

Belongs here: answers, the faults of a server, and what was asked. Not here: the connection (loopback.py).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from orders_pipeline_tests.loopback import LoopbackServer, Reply, as_json


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
    return as_json(data)


def error(status: int, message: str = "no", **headers: str) -> Reply:
    """An error as OpenAI's servers send it."""
    return as_json({"error": {"message": message, "type": "error"}}, status, **headers)


FINE = saying({"reasons": [], "confidence": 0.9})


class StubServer(LoopbackServer):
    """Answers ``FINE`` until told otherwise. ``asked`` holds the requests in order."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self.script: Script = lambda asked: FINE
        self._now = 0
        self._lock = threading.Lock()
        super().__init__()
        self.url += "/v1"

    def say(self, *replies: Reply) -> None:
        """Answer with these in turn, then with the last one for ever."""
        waiting = list(replies)

        def script(asked: Asked) -> Reply:
            with self._lock:
                return waiting.pop(0) if len(waiting) > 1 else waiting[0]

        self.script = script

    def respond(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        asked = Asked(headers, body)
        with self._lock:
            self.asked.append(asked)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            return self.script(asked) if path == "/v1/chat/completions" else error(404, "no such page")
        finally:
            with self._lock:
                self._now -= 1


@contextmanager
def stub_server() -> Iterator[StubServer]:
    """A server that ends with the test."""
    server = StubServer()
    try:
        yield server
    finally:
        server.close()
