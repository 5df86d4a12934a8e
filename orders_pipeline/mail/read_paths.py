"""Messages from paths given by hand: files, mboxes, Maildirs, folders of any of them.

Belongs here: finding messages without a configured mailbox. Not here: mailboxes, printing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.file_names import may_be_file
from orders_pipeline.mail.mbox_format import message_bytes, read_from_line, spans, strip_from_line

_NO_MESSAGES = (".jsonl", ".json", ".msf")

OnError = Callable[[str, str], None]


def iter_messages(path: Path, *, on_error: OnError | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield (display name, raw bytes) for every message under ``path``, in the order of their names.

    A file that begins with a From_ line is an mbox: its messages are named ``FILE#1``, ``FILE#2``; one with a single
    message, and every ``.eml`` file, goes by its plain name without the From_ line. In a folder all regular files
    count but hidden ones and ``.json``, ``.jsonl``, ``.msf``. Names are the path as given, joined with slashes, with
    undecodable bytes and control characters escaped.

    Raises ``MailboxError`` when ``path`` itself cannot be read. A single file below it that cannot be read is told
    to ``on_error(name, reason)``; without it, it raises ``MailboxError`` too.
    """
    try:
        is_folder = path.is_dir()
        if not is_folder:
            path.stat()
    except OSError as error:
        raise _error(path, error) from None
    if not is_folder:
        yield from _file_or_error(path, None)
        return
    for file in _files_below(path):
        yield from _file_or_error(file, on_error)


def _file_or_error(path: Path, on_error: OnError | None) -> Iterator[tuple[str, bytes]]:
    try:
        yield from _messages_of(path)
    except OSError as error:
        if on_error is None:
            raise _error(path, error) from None
        on_error(_shown(path), error.strerror or str(error))


def _files_below(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise _error(folder, error) from None
    is_maildir = {"cur", "new"} <= {entry.name for entry in found}
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            hidden = entry.name.startswith(".") and not is_maildir  # a Maildir's subfolders begin with a dot
            if not hidden and not (is_maildir and entry.name == "tmp"):
                yield from _files_below(folder / entry.name)
        elif not entry.name.startswith(".") and not entry.name.lower().endswith(_NO_MESSAGES) and may_be_file(entry):
            yield folder / entry.name


def _messages_of(path: Path) -> Iterator[tuple[str, bytes]]:
    name = _shown(path)
    with open(path, "rb") as file:
        is_mbox = read_from_line(file.read(4096).lstrip(b"\r\n")[:1000]) is not None
        file.seek(0)
        if not is_mbox or path.suffix.lower() == ".eml":
            yield name, strip_from_line(file.read())[1]
            return
        found = list(spans(file))
        for number, span in enumerate(found, start=1):
            file.seek(span.start)
            stored = file.read(span.end - span.start)
            yield (name, stored) if len(found) == 1 else (f"{name}#{number}", message_bytes(stored))


def _shown(path: Path) -> str:
    text = os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _error(path: Path, error: OSError) -> MailboxError:
    return MailboxError(f"cannot read {_shown(path)}: {error.strerror or error}; check the path and its permissions")
