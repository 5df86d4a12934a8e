"""A folder's index between runs: one file a folder, which can be lost.

Belongs here: the file. What is damaged, of another version or of another folder is as good as none, and a disk that
refuses costs only time. Not here: whether what it says still holds (index.refresh asks the server).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from array import array
from pathlib import Path

from orders_pipeline.encoding import digest_of
from orders_pipeline.mail.imap.index import FolderIndex

_HEAD = b"orders-pipeline imap index 1\n"
_DIGEST_BYTES = 32


class IndexFiles:
    """The kept indexes of one account; ``account`` is what tells it from others (host, port, user)."""

    def __init__(self, folder: Path | None, mailbox: str, account: tuple[str, ...]) -> None:
        self._folder, self._mailbox, self._account = folder, mailbox, account

    def load(self, raw: bytes) -> FolderIndex | None:
        """The index kept for a folder; None when there is nothing to be trusted."""
        if self._folder is None:
            return None
        try:
            data = self._path(self._folder, raw).read_bytes()
            return _index(data)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def save(self, raw: bytes, index: FolderIndex) -> None:
        """Put an index in place of the one that was kept."""
        if self._folder is None:
            return
        path = self._path(self._folder, raw)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(_data(index))
            os.replace(part, path)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()

    def _path(self, folder: Path, raw: bytes) -> Path:
        return folder / f"{self._mailbox}.{digest_of([*self._account, raw.hex()])[:16]}.imap"


def _data(index: FolderIndex) -> bytes:
    told = {
        "validity": index.validity,
        "next_uid": index.next_uid,
        "modseq": index.modseq,
        "messages": len(index.uids),
        "sizes": list(index.sizes.items()),
        "marks": list(index.marks.items()),
    }
    body = b"".join([_HEAD, json.dumps(told).encode(), b"\n", index.uids.tobytes(), index.arrived.tobytes()])
    return body + hashlib.sha256(body).digest()


def _index(data: bytes) -> FolderIndex | None:
    body, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    if not body.startswith(_HEAD) or hashlib.sha256(body).digest() != digest:
        return None
    line, _, rest = body[len(_HEAD) :].partition(b"\n")
    told = json.loads(line)
    uids, arrived = array("q"), array("q")
    half = told["messages"] * uids.itemsize
    if len(rest) != 2 * half:
        return None
    uids.frombytes(rest[:half])
    arrived.frombytes(rest[half:])
    return FolderIndex(
        told["validity"], told["next_uid"], told["modseq"], uids, arrived, dict(told["sizes"]), dict(told["marks"])
    )
