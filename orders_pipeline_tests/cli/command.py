"""Calling a command in this process, as its console script does.

Belongs here: the call and what came of it. Not here: commands in processes of their own (harness.Scene.run).
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from orders_pipeline.cli import main


@dataclass(frozen=True)
class Answer:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


class Command:
    """Calls ``orders-pipeline`` with arguments."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.setenv("COLUMNS", "200")

    def __call__(self, *arguments: str) -> Answer:
        self._monkeypatch.setattr(sys, "argv", ["orders-pipeline", *arguments])
        self._capsys.readouterr()
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1 if end.code else 0
        out, err = self._capsys.readouterr()
        return Answer(status, out, err)
