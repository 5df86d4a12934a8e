"""Whether the archive says already what a new listing says.

Belongs here: comparing a listing with the last saved one. Not here: listings in the tables (mail_rows).
A day that is materialized again mostly finds what it found before: one more file each time would let the archive grow
by a tenth of the mail in ten such rounds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from orders_pipeline.errors import StoreError
from orders_pipeline.store.archive import Archive


def is_saved(archive: Archive, day: dt.date, row: Mapping[str, Any]) -> bool:
    """Whether the last saved listing of the row's mailbox names the same locations; only when it was made may differ.

    The last one, not any: of a mail that was gone and is back, a rebuild would otherwise believe the file between.
    Where one cannot be read, it is as if nothing were saved.
    """
    last: dict[str, Any] | None = None
    try:
        for path in archive.files("listings", day):
            for saved in archive.read(path).to_pylist():
                if saved["mailbox"] == row["mailbox"] and (last is None or last["listed_at"] <= saved["listed_at"]):
                    last = saved
    except StoreError:
        return False
    return last is not None and all(
        sorted(last[name]) == sorted(row[name]) if name == "locations" else last[name] == row[name]
        for name in ("messages", "listing_digest", "locations")
    )
