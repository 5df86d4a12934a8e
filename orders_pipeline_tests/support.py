"""What many tests need: the project's folder, tools that may be missing, the corpus.

Belongs here: helpers without a fixture's life cycle. Not here: fixtures (conftest.py), helpers of one subject.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
REQUIRE = "ORDERS_PIPELINE_TESTS_REQUIRE"
SCREENSHOTS = "ORDERS_PIPELINE_SCREENSHOTS"


# prctl(PR_SET_PDEATHSIG, SIGTERM), which the program that takes this one's place keeps. Only Linux has it.
_DYING = """
import ctypes, os, signal, sys
if sys.platform.startswith("linux"):
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("its tests are gone")
os.execvp(sys.argv[2], sys.argv[2:])
"""


def ending_with_us(command: Sequence[object]) -> list[str]:
    """The command of a server that is asked to end when this process dies, also by a kill that no ``finally`` sees."""
    return [sys.executable, "-c", _DYING, str(os.getpid()), *map(str, command)]


def require_tool(name: str, *executables: str) -> tuple[Path, ...]:
    """The paths of the executables, in the order given; ``"chromium|google-chrome"`` takes the first that is there.

    When one is missing the test is skipped, saying which; it fails instead when ``name`` is listed (comma-separated) in
    ``ORDERS_PIPELINE_TESTS_REQUIRE``, so that a machine meant to have the tool cannot pass without it.
    """
    found = [next(filter(None, map(shutil.which, wanted.split("|"))), None) for wanted in executables]
    missing = [wanted.replace("|", " or ") for wanted, path in zip(executables, found, strict=True) if not path]
    if missing:
        skip_or_fail(name, f"not on this machine: {', '.join(missing)}")
    return tuple(Path(path) for path in found if path)


def require_corpus() -> Path:
    """The folder of real mail beside the project, for measuring in place; the test is skipped where it is absent."""
    corpus = PROJECT.parent / "shared" / "corpus"
    if not corpus.is_dir():
        skip_or_fail("corpus", "no corpus of real mail at ../shared/corpus")
    return corpus


def skip_or_fail(name: str, reason: str) -> None:
    """End the test: a failure where ``name`` is required, a skip with the reason elsewhere."""
    required = {part.strip() for part in os.environ.get(REQUIRE, "").split(",")}
    if name in required:
        pytest.fail(f"{name} is required by {REQUIRE}, but {reason}", pytrace=False)
    pytest.skip(f"{name}: {reason}")
