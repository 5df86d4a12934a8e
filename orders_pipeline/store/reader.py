"""Reading the published copy: what the listing commands open.

Belongs here: one read-only connection that can block nobody. Not here: the state file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import duckdb

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import DataFolder
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.publish import publish
from orders_pipeline.store.state import migrations, schema_version
from orders_pipeline.store.store import Store

_RENEWAL_SECONDS = 30.0


@contextlib.contextmanager
def published(home: Path) -> Iterator[Connection]:
    """Open the published copy read-only. Raises ``StoreError`` when there is none yet, or it cannot be read.

    A copy that an older version published is renewed first: it lacks what this one asks for.
    """
    path = DataFolder(home).published
    if not path.exists():
        raise StoreError(
            f"no store at {home} yet: run `make demo` for a sample,"
            " or name your mailbox in orders_pipeline.toml and start `make ui`"
        )
    try:
        con = _open(path)
        if schema_version(con) < len(migrations()):
            con.close()
            publish(Store(DataFolder(home).open(), zone="UTC", lock_timeout=_RENEWAL_SECONDS))
            con = _open(path)
    except duckdb.Error as error:
        line = printable_line(str(error), 200)
        raise StoreError(
            f"cannot open {path}: {line}; close it elsewhere, or remove it: it is published again"
        ) from None
    try:
        yield con
    finally:
        con.close()


def _open(path: Path) -> Connection:
    con = duckdb.connect(path, read_only=True)
    con.execute("SET TimeZone = 'UTC'")
    return con
