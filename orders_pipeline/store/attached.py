"""State files attached to this process's one DuckDB instance, for as long as one use lasts.

Belongs here: the instance, attaching and letting go. Not here: locks, waiting, and what errors mean (state.py).
An instance costs 9 ms to make and to end, attaching a file to one that is there 1 ms; a day opens the state nine times.
The file's own lock is held while it is attached, as with a connection of its own.

A commit is durable in the file's log. Taking the log into the file (a checkpoint) writes the last part of every table
that changed anew, 10 to 40 ms, which a day with its four commits paid four times; reading the log costs 15 ms a MB at
each of its eight openings. So it is taken in when it is over 512 kB, every third day of 50 mails, and before the file
is copied (publish).
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb

STORAGE = "v1.5.0"  # a 2.0 file is otherwise unreadable to DuckDB 1.5 and to its command line

# Of 256 kB, as DuckDB has them, 25 small tables take 5 MB before there is any mail; of 16 kB taking in the log is slow.
BLOCK_BYTES = 64 * 1024
MAX_LOG_BYTES = 512 * 1024

_making = threading.Lock()
_numbers = itertools.count(1)
_instance: duckdb.DuckDBPyConnection | None = None


@contextlib.contextmanager
def attached(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose default database is the file; without open transaction and detached at the end.

    Raises ``duckdb.Error`` as connecting does.
    """
    name = f"state_{next(_numbers)}"
    con = _shared().cursor()
    try:
        try:
            con.execute(f"ATTACH {_text(path)} AS {name} (STORAGE_VERSION '{STORAGE}')")
            con.execute(f"USE {name}")
            yield con
        finally:  # also where it was attached and Ctrl-C came before the call returned
            _detach(con, name, path)
    except (duckdb.FatalException, duckdb.InternalException):
        _give_up()
        raise
    finally:
        con.close()


def set_up(con: duckdb.DuckDBPyConnection) -> None:
    """What every connection to a state file is told: times are UTC, and no name means a variable of the program."""
    con.execute("SET GLOBAL TimeZone = 'UTC'; SET GLOBAL python_enable_replacements = false")


def _shared() -> duckdb.DuckDBPyConnection:
    global _instance
    with _making:
        if _instance is None:
            made = duckdb.connect(":memory:")
            set_up(made)
            made.execute(f"SET default_block_size = {BLOCK_BYTES}")  # of new files
            made.execute("PRAGMA disable_checkpoint_on_shutdown")  # of files that are detached, too
            _instance = made
        return _instance


def _detach(con: duckdb.DuckDBPyConnection, name: str, path: Path) -> None:
    """Let the file go. As with closing a connection, what the file does not take now it keeps in its log."""
    with contextlib.suppress(duckdb.Error):  # where a transaction is open: its block raised
        con.execute("ROLLBACK")
    with contextlib.suppress(duckdb.Error, OSError):
        keep_private(log_of(path))
        if log_of(path).stat().st_size > MAX_LOG_BYTES:
            con.execute(f"CHECKPOINT {name}")
    try:
        con.execute("USE memory")
        con.execute(f"DETACH DATABASE IF EXISTS {name}")
    except duckdb.Error:
        _give_up()


def _give_up() -> None:
    """Use this instance no more: a fault inside DuckDB may have made it unusable, or it holds a file."""
    global _instance
    with _making:
        if _instance is not None:
            _instance.close()
        _instance = None


def log_of(path: Path) -> Path:
    """The log beside a state file; without a log there is none."""
    return path.with_name(path.name + ".wal")


def keep_private(path: Path) -> None:
    """Let nobody else read the file. Raises ``OSError``."""
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
