"""A scripted HTTP server on loopback: requests by their kind, and rules for which of them fail.

Belongs here: what was asked, and the script. Not here: the connection (loopback.py), what Gmail answers.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from orders_pipeline_tests.loopback import LoopbackServer, Reply


@dataclass(frozen=True)
class Request:
    """What was asked: ``kind`` is the stand-in's name for it (list, get, batch, token, ...)."""

    kind: str
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


Match = Callable[[Request], bool]


@dataclass
class Rule:
    """Answer the next ``times`` requests that match with a reply."""

    match: Match
    reply: Reply
    times: int


class Server(LoopbackServer):
    """Answers until it is closed. ``requests`` holds what was asked, in order."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.lock = threading.RLock()
        self._rules: list[Rule] = []
        super().__init__()

    @abstractmethod
    def answer(self, request: Request) -> Reply:
        """What is answered when no rule matches."""

    @abstractmethod
    def kind_of(self, path: str) -> str:
        """The name of what a path asks for."""

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

    def respond(self, path: str, headers: Mapping[str, str], body: bytes) -> Reply:
        parts = urlsplit(path)
        form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        given = dict(parse_qsl(parts.query) + (parse_qsl(body.decode()) if form else []))
        return self.reply_to(Request(self.kind_of(parts.path), parts.path, given, headers, body))
