"""A backup: a folder with a copy of the archive and of the state, made while the pipeline runs.

Belongs here: what is copied, and in which order. The state is copied first, under the lock, and the archive after it:
every file that the state names was saved before the state named it, so the copy of the archive holds all of them, and
what it holds beyond is adopted after a restore. The other way round the state could name files that the copy lacks.
In the backup the state takes its place last, so that a backup cut short is still the one of before.

Not in it: the configuration, DAGSTER_HOME (runs and events; the ledger says what is done without them), the published
copy, locks.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orders_pipeline.errors import StoreError
from orders_pipeline.store import reconcile, removal, tombstones
from orders_pipeline.store.archive import Archive
from orders_pipeline.store.folder import make_folder, sync_folder
from orders_pipeline.store.publish import publish
from orders_pipeline.store.state import connect
from orders_pipeline.store.store import Store

MANIFEST = "backup.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """What a backup did: files copied now, files it holds, files taken out (forgotten), files that it lacks."""

    copied: int
    files: int
    removed: int
    missing: tuple[str, ...]


def back_up(store: Store, target: Path, *, now: dt.datetime) -> Backup:
    """Back the store up into ``target``: a new or empty folder, or a backup of this store, which gets what is new.

    Raises ``StoreError`` when the folder is something else, or the disk refuses.
    """
    target = target.expanduser().absolute()
    _check_target(store, target)
    with store.maintenance_lock():
        # What is published is the state, copied under its lock; from there on nobody waits for the other disk.
        publish(store)
        state = target / f".state.{secrets.token_hex(4)}.tmp"
        try:
            make_folder(target)
            target.chmod(0o700)
            for leftover in target.glob(".state.*.tmp"):
                leftover.unlink(missing_ok=True)
            _copy(store.folder.published, state)
            copied = copy_archive(store.folder.archive, target / "archive")
            removed = _take_out_forgotten(store.archive, Archive(target / "archive"))
            missing = _missing(state, Archive(target / "archive"))
            os.sync()  # one for all files; a file that a loss of power cut short has another size and is copied again
            state.rename(target / "state.duckdb")
            files = sum(len(Archive(target / "archive").all_files(kind)) for kind in reconcile.KINDS)
            _write_manifest(target, {"zone": store.zone.key, "made_at": now.isoformat(), "files": files})
        except OSError as error:
            raise StoreError(f"cannot back up to {target}: {error.strerror or error}") from None
        finally:
            with contextlib.suppress(OSError):
                state.unlink(missing_ok=True)
    return Backup(copied=copied, files=files, removed=removed, missing=tuple(missing))


def read_manifest(source: Path) -> dict[str, Any]:
    """What a backup says of itself: format, zone, made_at. Raises ``StoreError`` when the folder is no backup."""
    try:
        found = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
        if not isinstance(found, dict) or not isinstance(found.get("zone"), str):
            raise ValueError("it says nothing of a zone")
        if found.get("format") != _FORMAT:
            raise StoreError(f"the backup {source} has the format {found.get('format')}: upgrade orders-pipeline")
        return found
    except FileNotFoundError:
        raise StoreError(f"{source} is no backup: it has no {MANIFEST}; name the folder given to `backup`") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"the backup {source} cannot be read: {MANIFEST}: {error}") from None


def copy_archive(source: Path, target: Path) -> int:
    """Copy the archive files that ``target`` lacks (or has with another size); returns how many. Files never change."""
    copied = 0
    for folder, _, names in os.walk(source):
        here = target / Path(folder).relative_to(source)
        make_folder(here)
        for name in sorted(names):
            if name.startswith("."):
                continue  # a file in the making
            wanted = (Path(folder) / name).stat().st_size
            if not (here / name).exists() or (here / name).stat().st_size != wanted:
                temporary = here / f".{name}.{secrets.token_hex(4)}.tmp"
                _copy(Path(folder) / name, temporary)
                temporary.rename(here / name)
                copied += 1
    return copied


def _check_target(store: Store, target: Path) -> None:
    home = store.folder.root.resolve()
    here = target.resolve()
    if here == home or home in here.parents or here in home.parents:
        raise StoreError(f"{target} lies in the data folder or around it: back up to another place")
    try:
        entries = list(target.iterdir()) if target.exists() else []
    except OSError as error:
        raise StoreError(f"cannot back up to {target}: {error.strerror}") from None
    # What a first backup that was cut short leaves behind is taken over.
    if not {e.name for e in entries if not e.name.startswith(".state.")} - {"archive"}:
        return
    manifest = read_manifest(target)
    theirs, ours = _names(Archive(target / "archive")), _names(store.archive)
    if manifest["zone"] != store.zone.key or (theirs and ours and not theirs & ours):
        raise StoreError(f"{target} is the backup of another store: give it a folder of its own")


def _names(archive: Archive) -> set[str]:
    return {path for kind in reconcile.KINDS for path in archive.all_files(kind)}


def _take_out_forgotten(source: Archive, target: Archive) -> int:
    """Delete files of the backup that hold what was forgotten. Others that the source lacks stay: it may be damaged."""
    acts = [target.read_act(path) for path in target.all_files("acts")]
    ids = {act["subject"] for act in acts if act["kind"] == tombstones.FORGET}
    if not ids:
        return 0
    stale = [path for path in removal.files_with(target, ids) if not (source.root / path).exists()]
    removal.delete(target, stale)
    return len(stale)


def _missing(state: Path, archive: Archive) -> list[str]:
    """Files that the copied state names and the copied archive lacks."""
    con = connect(state, time.monotonic() + 10.0)
    try:
        return reconcile.missing_files(con, archive)
    finally:
        con.close()


def _copy(source: Path, target: Path) -> None:
    with source.open("rb") as reading, target.open("xb") as writing:
        os.fchmod(writing.fileno(), 0o600)
        shutil.copyfileobj(reading, writing, 4 * 1024 * 1024)


def _write_manifest(target: Path, said: dict[str, Any]) -> None:
    temporary = target / f".{MANIFEST}.tmp"
    temporary.write_text(json.dumps({"format": _FORMAT, **said}, indent=1) + "\n", encoding="utf-8")
    temporary.chmod(0o600)
    with temporary.open("rb") as handle:
        os.fsync(handle.fileno())
    temporary.rename(target / MANIFEST)
    sync_folder(target)
