"""The data folder: where each thing lies, and that it is fit to hold a store.

Belongs here: paths, permissions, the refusal of network file systems. Not here: what the files hold.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.errors import StoreError

# Advisory locks do not hold there, or only between some of the clients.
_NETWORK_FILE_SYSTEMS = frozenset(
    {
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "glusterfs",
        "beegfs",
        "coda",
        "orangefs",
        "fuse.ceph-fuse",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "davfs",
        "lustre",
    }
)
_OCTAL = re.compile(r"\\([0-7]{3})")  # how mountinfo writes spaces, tabs and backslashes


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder at ``root``; ``open`` makes it ready."""

    root: Path

    @property
    def archive(self) -> Path:
        return self.root / "archive"

    @property
    def state(self) -> Path:
        return self.root / "state.duckdb"

    @property
    def published(self) -> Path:
        return self.root / "orders.duckdb"

    @property
    def locks(self) -> Path:
        return self.root / "locks"

    @property
    def in_flight(self) -> Path:
        return self.root / "in_flight"

    @property
    def cache(self) -> Path:
        """Indexes of mailboxes, which can be lost: they are made again."""
        return self.root / "cache"

    @property
    def dagster_home(self) -> Path:
        return self.root / "dagster"

    def open(self) -> DataFolder:
        """Create what is missing (folders 0700). Raises ``StoreError`` on a network file system or without access."""
        kind = file_system_of(self.root)
        if kind in _NETWORK_FILE_SYSTEMS:
            raise StoreError(
                f"the data folder {self.root} lies on a network file system ({kind}), where locks do not hold:"
                " set ORDERS_PIPELINE_HOME to a folder on a local disk"
            )
        try:
            for folder in (self.root, self.archive, self.locks, self.in_flight, self.cache, self.dagster_home):
                make_folder(folder)
            if self.root.stat().st_mode & 0o077:
                self.root.chmod(0o700)
        except FileExistsError:
            raise StoreError(f"the data folder {self.root} is not a folder: set ORDERS_PIPELINE_HOME to one") from None
        except OSError as error:
            raise StoreError(
                f"cannot use the data folder {self.root}: {error.strerror}; check its owner and permissions"
            ) from None
        if not os.access(self.root, os.W_OK | os.X_OK):
            raise StoreError(f"the data folder {self.root} is not writable; check its owner and permissions")
        return self


def file_system_of(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """The type of the file system below ``path`` (or its nearest parent that exists); "" when it cannot be told."""
    here = path.absolute()
    best, kind = "", ""
    try:
        while not here.exists() and here != here.parent:
            here = here.parent
        here = here.resolve()
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    for line in lines:
        left, _, right = line.partition(" - ")
        fields, types = left.split(" "), right.split(" ")
        if len(fields) < 5:
            continue
        mount = _OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4])
        if len(mount) >= len(best) and (here == Path(mount) or Path(mount) in here.parents):
            best, kind = mount, types[0]
    return kind


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, all 0700, so that they survive a loss of power."""
    missing = [folder] if not folder.is_dir() else []
    while missing and not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for path in reversed(missing):
        path.mkdir(mode=0o700, exist_ok=True)
        with contextlib.suppress(PermissionError):  # a parent that we may enter and not read
            sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
