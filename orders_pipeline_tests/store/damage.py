"""A process that commits to a store until it is killed, or until the disk refuses. Prints one line a commit.

Belongs here: what the tests of damage start with ``python -m``. ``main`` never closes the state cleanly when it is told
to die: its last commit is in the write-ahead log alone.
"""

from __future__ import annotations

import datetime as dt
import os
import resource
import signal
import sys
import time
from pathlib import Path

from orders_pipeline.config import home, load_config
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.store.state import connect
from orders_pipeline.store.store import open_store


def main(how: str, count: int) -> None:
    """``die``: leave ``count`` commits in the log and die. ``limit``: commit with files limited to ``count`` bytes."""
    store = open_store(home(), load_config())
    if how == "die":
        with store.state.exclusive():
            con = connect(Path(store.folder.state), time.monotonic() + 10)
            con.execute("SET checkpoint_threshold = '1GB'")
            for number in range(count):
                con.execute("BEGIN")
                for table in ("refreshes", "day_tries"):
                    con.execute(f"DELETE FROM {table}")
                con.execute("INSERT INTO refreshes SELECT repeat('x', 200), ?, 1, now() FROM range(50)", [str(number)])
                con.execute("INSERT INTO day_tries VALUES (?, 1, now(), NULL, NULL, NULL)", [dt.date(2020, 1, 1)])
                con.execute("COMMIT")
            os.kill(os.getpid(), signal.SIGKILL)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (count, count))
    fill(store, 400)


def fill(store, commits: int) -> None:
    """Commit rows that do not compress until ``commits`` are in, or the store says why not; then exit with 2."""
    for number in range(commits):
        try:
            with store.state.transaction() as con:
                con.execute(
                    "INSERT INTO acts SELECT md5((range + ?)::VARCHAR), 'note', md5((range * 7 + ?)::VARCHAR), '{}',"
                    " md5((range * 3 + ?)::VARCHAR), now() FROM range(4000)",
                    [number * 9999, number * 7777, number * 5555],
                )
        except OrdersPipelineError as error:
            print(f"refused: {error}", flush=True)
            sys.exit(2)
        print(f"committed {number}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
