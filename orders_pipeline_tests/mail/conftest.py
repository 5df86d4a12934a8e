"""Fixtures shared by the tests of reading mail."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "dev"


@pytest.fixture(scope="session")
def corpus() -> list[tuple[str, bytes]]:
    """Name and bytes of every message of the labelled corpus, which lies beside the repository if at all."""
    labels = CORPUS / "labels.jsonl"
    if not labels.exists():
        pytest.skip("the labelled corpus is not there (../shared/corpus)")
    names = [json.loads(line)["file"] for line in labels.read_text(encoding="utf-8").splitlines()]
    return [(name, (CORPUS / name).read_bytes()) for name in names]


@pytest.fixture
def corpus_folder() -> Path:
    """The folder of the labelled corpus."""
    if not CORPUS.exists():
        pytest.skip("the labelled corpus is not there (../shared/corpus)")
    return CORPUS


@pytest.fixture
def as_ordinary_user(tmp_path: Path) -> Callable[[], object]:
    """A context in which permissions hold: root reads everything, so root becomes nobody for a moment."""

    @contextmanager
    def context() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        for folder in (tmp_path, *tmp_path.parents):
            if folder.stat().st_uid == 0 and str(folder).startswith("/tmp/pytest"):
                folder.chmod(0o755)
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)

    return context
