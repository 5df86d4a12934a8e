"""Environments for what is measured beside the pipeline and for the profiler: ``.venv-bench/<name>``, made once.

Belongs here: making them. Not here: which packages an area wants. They are no dependency of the project, and some of
them want other versions than it does.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from bench.measuring import PROJECT

ENVIRONMENTS = PROJECT / ".venv-bench"


def python_of(name: str, packages: Sequence[str], *, constraints: Path | None = None) -> Path:
    """The interpreter of ``.venv-bench/<name>`` with these packages (``"py-spy==0.4.3"``), made again when they change.

    It is of this process's Python version; ``constraints`` is a file of pins for what the packages pull in. Raises
    ``RuntimeError`` with pip's last lines when they cannot be installed.
    """
    pins = constraints.read_text(encoding="utf-8") if constraints else ""
    wanted = "\n".join((str(PROJECT), sys.version, *packages, pins))
    folder = ENVIRONMENTS / name
    python, ready = folder / "bin" / "python", folder / ".ready"
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a second measurement waits here; the lock dies with its process
        if not (python.exists() and ready.is_file() and ready.read_text(encoding="utf-8") == wanted):
            print(f"making {folder.relative_to(PROJECT)}: {', '.join(packages)}", file=sys.stderr, flush=True)
            ready.unlink(missing_ok=True)
            venv.EnvBuilder(clear=True, with_pip=True, symlinks=True).create(folder)
            _install(python, [*packages, *(["--constraint", str(constraints)] if constraints else [])])
            ready.write_text(wanted, encoding="utf-8")
    finally:
        os.close(lock)
    return python


def _install(python: Path, arguments: Sequence[str]) -> None:
    """With uv when it is at hand, which takes seconds; else with pip, whose configuration may know another registry."""
    own = Path(sys.executable).with_name("uv")
    uv = own if own.exists() else shutil.which("uv")
    # Without .pyc files the first start would be measured with the compiling in it.
    by_uv = [uv, "pip", "install", "--quiet", "--python", python, "--compile-bytecode", *arguments]
    if uv and _run(by_uv).returncode == 0:
        return
    by_pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--compile", *arguments]
    done = _run(by_pip)
    if done.returncode:
        raise RuntimeError(
            f"the packages of {python.parent.parent.name} could not be installed:\n{done.stdout[-2000:]}"
        )


def _run(command: Sequence[object]) -> subprocess.CompletedProcess[str]:
    # A proxy's certificate is in the system's store, not in uv's own.
    environ = {"UV_SYSTEM_CERTS": "1", **os.environ}
    return subprocess.run(
        [str(part) for part in command],
        cwd=PROJECT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
