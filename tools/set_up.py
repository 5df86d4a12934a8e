"""Makes ``.venv`` and installs the project there with its pinned packages. ``make`` runs it when something changed.

Belongs here: what must work before anything is installed, with the standard library alone. Not here: checks, tests.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
READY = VENV / ".ready"  # holds the folder it was made in: an environment does not survive a move
UNFINISHED = VENV / ".unfinished"  # lies there while we work: one that is found tells of a kill
INPUTS = ("pyproject.toml", "constraints.txt", "tools/set_up.py")


def main() -> int:
    """Bring ``.venv`` up to date. Returns the exit status."""
    VENV.mkdir(exist_ok=True)
    folder = os.open(VENV, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # a second make waits here; the lock dies with its process
    if is_ready():
        return 0
    started = time.time()
    usable = is_usable()
    UNFINISHED.touch()
    READY.unlink(missing_ok=True)
    if not usable:
        say(f"making .venv with Python {sys.version.split()[0]}")
        empty(VENV, keep=UNFINISHED)
        venv.EnvBuilder(with_pip=True, symlinks=True).create(VENV)
    if not (install_with_uv() or install_with_pip()):
        say("the packages could not be installed: see the lines above, then run make again")
        if usable:
            UNFINISHED.unlink()  # refused, not killed: what was there still stands
        return 1
    READY.write_text(f"{ROOT}\n", encoding="utf-8")
    os.utime(READY, (started, started))  # what changed while we worked is newer
    UNFINISHED.unlink()
    say(f"ready in {time.time() - started:.0f} s")
    return 0


def is_ready() -> bool:
    """Whether another make, for which we waited, has done the work."""
    try:
        made = READY.stat().st_mtime
        here = READY.read_text(encoding="utf-8").strip() == str(ROOT)
    except OSError:
        return False
    return here and PYTHON.exists() and all((ROOT / name).stat().st_mtime <= made for name in INPUTS)


def is_usable() -> bool:
    """Whether the environment can be installed into: whole, of a supported Python, not moved."""
    moved = READY.exists() and READY.read_text(encoding="utf-8").strip() != str(ROOT)
    if UNFINISHED.exists() or moved or not PYTHON.exists():
        return False
    code = "import sys, pip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))"
    return subprocess.run([PYTHON, "-c", code], capture_output=True, check=False).returncode == 0  # noqa: S603


def install_with_uv() -> bool:
    """uv takes seconds where pip takes two minutes; it knows nothing of pip's configuration, so it may fail."""
    say("installing the pinned packages")
    os.environ.setdefault("UV_SYSTEM_CERTS", "1")  # a proxy's certificate is in the system's store, not in uv's own
    if not run([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pinned(), "uv"]):
        return False
    # Without .pyc files Dagster's processes take three times as long to start.
    target = ["--python", PYTHON, "--compile-bytecode", "--build-constraints", "constraints.txt"]
    return run([VENV / "bin" / "uv", "pip", "install", "--quiet", *target, *pinned(), "--editable", ".[dev]"])


def install_with_pip() -> bool:
    """The slow way, for machines whose registry only pip's configuration knows."""
    say("uv could not install; trying pip, which takes some minutes")
    flags = ["--quiet", "--disable-pip-version-check", "--compile"]
    return run([PYTHON, "-m", "pip", "install", *flags, *pinned(), "--editable", ".[dev]"])


def pinned() -> list[str]:
    return ["--constraint", "constraints.txt"]


def run(command: list[str | Path]) -> bool:
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603


def empty(folder: Path, *, keep: Path) -> None:
    """Remove everything in a folder but one file."""
    for entry in folder.iterdir():
        if entry == keep:
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def say(text: str) -> None:
    print(f"set-up: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
