"""Archive files that no table knows yet: what a killed run saved, and others' work. Not here: taking them in."""

from __future__ import annotations

import datetime as dt

from orders_pipeline.store.archive import Archive
from orders_pipeline.store.frames import Connection


def fresh_files(con: Connection, archive: Archive, kind: str, day: dt.date | None) -> list[str]:
    """The files of a kind and day (None: unplaced) that are in the archive and in no table, in order of their names."""
    there = archive.files(kind, day)
    if not there:
        return []
    found = con.execute(
        "SELECT path FROM archive_files WHERE kind = ? AND day IS NOT DISTINCT FROM ?::DATE", [kind, day]
    )
    known = {row[0] for row in found.fetchall()}
    return [path for path in there if path not in known]
