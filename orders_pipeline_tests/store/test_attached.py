"""State files attached to one instance: none stays open behind its use."""

from __future__ import annotations

import duckdb
import pytest

from orders_pipeline.store import attached
from orders_pipeline.store.store import Store
from orders_pipeline_tests.store.builders import table


def test_an_interrupt_while_the_file_is_attached_lets_it_go(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a long log takes a moment: after Ctrl-C in it the file would stay open in this process, for all."""

    class Interrupted:
        def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
            self.con = con

        def __getattr__(self, name: str) -> object:
            return getattr(self.con, name)

        def cursor(self) -> Interrupted:
            return Interrupted(self.con.cursor())

        def execute(self, sql: str) -> None:
            self.con.execute(sql)
            if sql.startswith("ATTACH"):
                raise KeyboardInterrupt

    with store.state.transaction() as con:
        con.execute("INSERT INTO store_meta VALUES ('count', '1')")
    with monkeypatch.context() as patched:
        instance = attached._shared()
        patched.setattr(attached, "_shared", lambda: Interrupted(instance))
        with pytest.raises(KeyboardInterrupt), store.state.reading():
            pass
    duckdb.connect(store.folder.state).close()
    assert table(store, "SELECT value FROM store_meta WHERE key = 'count'") == [{"value": "1"}]
