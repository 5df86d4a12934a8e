"""The folder of an exported golden set: written so that nothing of somebody else's is lost, and read back.

Belongs here: which files are ours (golden.json lists them with their digests), replacing them, and the settings that a
mail has to be parsed with. Not here: what the files hold.

All that is new is written aside first and then renamed into place; golden.json comes last. A folder whose files are not
those that golden.json lists (a kill in between, an edit by hand) is told, and never read as if it were whole.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.review.export import neutral
from orders_pipeline.review.export.case import ExportCase, json_text

MARKER = "golden.json"
FORM = 1
OURS = ("mails", "expected", "formats")
_FREE = frozenset({".git"})
_NEXT = ".golden.next.json"
_MADE_BY = "orders-pipeline cases export"


class NotOurs(OrdersPipelineError):
    """The folder holds something that an export would overwrite and has not written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """How many files were written because they are new or other than before, and how many were removed."""

    changed: int
    removed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenFolder:
    """What an exported folder holds. ``settings``: zone, owner, accept_failed_authentication."""

    cases: tuple[ExportCase, ...]
    settings: Mapping[str, Any]


def write_folder(
    target: Path, files: Mapping[str, bytes], settings: Mapping[str, Any], *, overwrite: bool = False
) -> Written:
    """Make the folder hold these files, and no others of an earlier export. Whatever else is in it (a .git) stays.

    Raises ``NotOurs`` when the folder is not empty and was not made by an export, or when files of the export were
    changed since; with ``overwrite`` the latter are lost. Raises ``OrdersPipelineError`` when the disk refuses.
    """
    wanted = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    manifest = {"made_by": _MADE_BY, "form": FORM, "settings": dict(settings), "files": wanted}
    marker = f"{json_text(manifest, indent=1)}\n".encode("ascii")
    try:
        known = _known(target)
        found = _found(target)
        if not overwrite:
            _refuse_strangers(target, found, known)
        changed = {path: content for path, content in files.items() if found.get(path) != wanted[path]}
        stale = sorted(found.keys() - files.keys())
        if not changed and not stale and _bytes(target / MARKER) == marker:
            return Written(changed=0, removed=0)
        target.mkdir(parents=True, exist_ok=True)
        _sweep(target)
        _replace({target / _NEXT: marker})
        _replace({target / path: content for path, content in changed.items()})
        for path in stale:
            (target / path).unlink()
            _drop_empty(target, (target / path).parent)
        (target / _NEXT).rename(target / MARKER)
    except OSError as error:
        raise OrdersPipelineError(f"cannot write {target}: {error.strerror or error}") from None
    return Written(changed=len(changed), removed=len(stale))


def read_folder(source: Path) -> GoldenFolder:
    """The cases of an exported folder. Raises ``OrdersPipelineError`` when it is none, or not whole."""
    try:
        manifest = _manifest(source / MARKER)
        if manifest is None:
            raise OrdersPipelineError(f"{source} is no golden set: it has no {MARKER}; make one with `cases export`")
        listed = manifest["files"]
        found = _found(source)
        wrong = sorted(path for path in listed.keys() | found.keys() if found.get(path) != listed.get(path))
        if wrong:
            raise OrdersPipelineError(
                f"{source} is not as it was exported ({wrong[0]}, {len(wrong)} in all): export once more"
            )
        mails = {path: (source / path).read_bytes() for path in listed if path.startswith("mails/")}
        text = (source / neutral.CASES).read_text(encoding="ascii")
    except OSError as error:
        raise OrdersPipelineError(f"cannot read {source}: {error.strerror or error}") from None
    cases = neutral.read(text, mails, str(source / neutral.CASES))
    return GoldenFolder(cases=tuple(cases), settings=manifest["settings"])


def _known(target: Path) -> list[Mapping[str, str]]:
    """The files of the last export, and of one that was cut short."""
    if not target.exists() or all(entry.name in _FREE for entry in target.iterdir()):
        return []
    manifests = [m for name in (MARKER, _NEXT) if (m := _manifest(target / name)) is not None]
    if not manifests:
        raise NotOurs(f"{target} is not empty and no golden set: name a new folder")
    return [m["files"] for m in manifests]


def _manifest(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["made_by"] != _MADE_BY or data["form"] != FORM or not isinstance(data["settings"], dict):
            raise ValueError
        return {**data, "files": {str(k): str(v) for k, v in data["files"].items()}}
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise NotOurs(f"{path} is no {MARKER} of this version: name a new folder") from None


def _found(target: Path) -> dict[str, str]:
    """Path -> SHA-256 of every file where an export puts its own."""
    out = {}
    for name in OURS:
        if (target / name).is_symlink():
            raise NotOurs(f"{target / name} is a link: name a new folder")
    paths = [p for name in OURS for p in (target / name).rglob("*") if p.is_file() and not _temporary(p)]
    for path in [*paths, *(target / name for name in neutral.TOP_FILES)]:
        if path.is_file():
            out[path.relative_to(target).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    return out


def _refuse_strangers(target: Path, found: Mapping[str, str], known: list[Mapping[str, str]]) -> None:
    strange = sorted(path for path, digest in found.items() if all(digest != one.get(path) for one in known))
    if strange:
        raise NotOurs(
            f"{target / strange[0]} was changed or added since the last export ({len(strange)} such files): decide the"
            " case in the store instead, move the file away, or export with --overwrite"
        )


def _replace(files: Mapping[Path, bytes]) -> None:
    """Write all of them aside, then rename each: a full disk leaves everything as it was."""
    written: dict[Path, Path] = {}
    try:
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            written[path] = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
            written[path].write_bytes(content)
        for path in list(written):
            written[path].rename(path)
            del written[path]
    finally:
        for temporary in written.values():
            with contextlib.suppress(OSError):
                temporary.unlink()


def _sweep(target: Path) -> None:
    """Remove what a killed export left half written."""
    for name in OURS:
        for path in list((target / name).rglob("*")):
            if _temporary(path):
                path.unlink(missing_ok=True)


def _temporary(path: Path) -> bool:
    return path.name.startswith(".") and path.name.endswith(".tmp")


def _drop_empty(target: Path, folder: Path) -> None:
    while folder != target and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
