"""What the one end says of the other."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from orders_pipeline.stages import worker_process
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage
from orders_pipeline.stages.worker_process import WAIT_SECONDS, WorkerProcess, wait_for
from orders_pipeline_tests.stages.hostile import PLAIN
from orders_pipeline_tests.stages.misbehaving import misbehaves


def test_only_silence_that_is_listened_to_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-Z or a paused container stops both ends: minutes later the mail in work would count as one that hung."""
    later = 0.0
    monkeypatch.setattr(worker_process, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + later))
    worker: WorkerProcess[ParsedMessage] = WorkerProcess(misbehaves)
    try:
        worker.send(RawMessage(f"waits {tmp_path / 'done'}", PLAIN), ParseContext())
        while not worker.ready:
            wait_for([worker])
            assert not worker.receive()
        later = 10 * WAIT_SECONDS
        assert not worker.receive()
        assert not worker.ended
        (tmp_path / "done").touch()
        answers: list[ParsedMessage] = []
        while not answers:
            wait_for([worker])
            answers = worker.receive()
        assert answers[0].outcome_row["outcome"] != "failed"
        worker.send(RawMessage(f"waits {tmp_path / 'never'}", PLAIN), ParseContext())
        for _ in range(1000):
            later += 1.0
            worker.receive()
            if worker.ended:
                break
        assert worker.by_limit
    finally:
        worker.close()
