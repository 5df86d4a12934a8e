"""A pipeline with a log, and a server that judges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from orders_pipeline_tests.harness import Scene
from orders_pipeline_tests.llm.stub_server import StubServer, stub_server
from orders_pipeline_tests.usage.translator import configure, judging


@pytest.fixture
def server() -> Iterator[StubServer]:
    with stub_server() as out:
        judging(out)
        yield out


@pytest.fixture
def scene(tmp_path: Path, server: StubServer) -> Scene:
    out = Scene(tmp_path)
    configure(out, server.url)
    return out
