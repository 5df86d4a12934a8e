"""Files of a sample into a Maildir.

Belongs here: writing, leaving alone what is there, refusing folders that are not the sample's. Not here: what is in
the files.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.errors import MailboxError

HOST = "sample.example"  # the last part of every file name of a sample


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFile:
    """One mail: ``name`` ends in ``HOST``; ``flags`` are Maildir flags, None for mail that nobody has seen yet."""

    name: str
    flags: str | None
    raw: bytes
    when: dt.datetime

    @property
    def path(self) -> str:
        return f"new/{self.name}" if self.flags is None else f"cur/{self.name}:2,{self.flags}"


def write_files(folder: Path, files: Sequence[SampleFile]) -> tuple[list[str], int]:
    """Write each file, unless it is there with its bytes, under any flags; the paths in the folder, and how many.

    Raises ``MailboxError`` for a folder that holds other mail only, or another sample, or that cannot be written.
    """
    try:
        _refuse_other_files(folder)
        present = _present(folder)
        _refuse_other_mail(folder, present, {file.name for file in files})
        paths = [present.get(file.name, file.path) for file in files]
        return paths, sum(_write(folder, path, file) for path, file in zip(paths, files, strict=True))
    except OSError as error:
        raise MailboxError(
            f"cannot write the sample mailbox {folder}: {error.strerror}; choose another folder"
        ) from None


def _refuse_other_files(folder: Path) -> None:
    """A slip of the pen must not spread hundreds of files over a folder that is something else."""
    with contextlib.suppress(FileNotFoundError):
        names = {entry.name for entry in os.scandir(folder)}
        if names and "cur" not in names:
            raise MailboxError(f"{folder} holds other files: choose an empty or new folder for the sample mailbox")


def _present(folder: Path) -> dict[str, str]:
    """File name without flags -> path in the folder; a reader may have moved or flagged a file."""
    found = {}
    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)
        if part != "tmp":
            found |= {entry.name.partition(":")[0]: f"{part}/{entry.name}" for entry in os.scandir(folder / part)}
    return found


def _refuse_other_mail(folder: Path, present: dict[str, str], names: set[str]) -> None:
    ours = {name for name in present if name.endswith(f".{HOST}")}
    if present and not ours:
        raise MailboxError(f"{folder} holds mail that is not a sample's: choose an empty folder for the sample mailbox")
    # Two plans would tell of one order number on two days.
    if ours - names:
        raise MailboxError(
            f"{folder} holds a sample of other days or settings: choose an empty folder, or delete that sample"
        )


def _write(folder: Path, path: str, file: SampleFile) -> bool:
    """Write under tmp/, set the file time, rename; True when the file was not there with these bytes."""
    target = folder / path
    seconds = int(file.when.timestamp())
    if target.exists() and target.read_bytes() == file.raw:
        if int(target.stat().st_mtime) != seconds:
            os.utime(target, (seconds, seconds))
        return False
    temporary = folder / "tmp" / file.name
    temporary.write_bytes(file.raw)
    os.utime(temporary, (seconds, seconds))
    temporary.replace(target)
    return True
