"""Fixtures of the client's tests: a server, and a gate that writes down what passes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal

import pytest

from orders_pipeline.llm.client import ChatClient, Question
from orders_pipeline.llm.gate import Call
from orders_pipeline.model_settings import ModelSettings
from orders_pipeline_tests.llm.stub_server import StubServer, stub_server

QUESTION = Question(
    messages=[{"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": "Is it so?"}],
    name="verdict",
    schema={"type": "object"},
    purpose="test",
    subject="m1",
)


class OpenGate:
    """Lets everything pass."""

    def __init__(self) -> None:
        self.estimates: list[Decimal | None] = []
        self.calls: list[Call] = []

    def enter(self, cost: Decimal | None) -> tuple[str, dt.datetime]:
        self.estimates.append(cost)
        return f"c{len(self.estimates)}", dt.datetime.now(dt.UTC)

    def leave(self, call: Call) -> None:
        self.calls.append(call)


class Bench:
    """A client, its server, its gate, and the waits that it asked for."""

    def __init__(self, server: StubServer) -> None:
        self.server, self.gate = server, OpenGate()
        self.waits: list[float] = []
        self._client: ChatClient | None = None

    def client(self, **settings: object) -> ChatClient:
        """A client with these settings; waits between tries take no time."""
        given = {"base_url": self.server.url, "model": "judge-1", "timeout_seconds": 5.0, **settings}
        self._client = ChatClient(ModelSettings.model_validate(given), self.gate, sleep=self.waits.append)
        return self._client

    def close(self) -> None:
        if self._client:
            self._client.close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    with stub_server() as server:
        out = Bench(server)
        yield out
        out.close()
