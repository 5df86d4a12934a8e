"""The store of many days that measurements read: every day is done, and tables and archive agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.many_days import write_many_days
from orders_pipeline.defs.launch import prepare_instance
from orders_pipeline.defs.tick import shown_days
from orders_pipeline.stages.gaps import read_facts
from orders_pipeline.stages.reconcile import reconcile


def test_copied_days_are_done_shown_and_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tick over a store with gaps, or over ten times the same mail, would measure something else."""
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))  # preparing an instance sets it: it is put back
    made = write_many_days(tmp_path, days=8, real=2)
    with made.work() as work:
        found = reconcile(work)
        assert (found.adopted, found.reopened, found.missing) == (0, [], [])
        facts = read_facts(work, None)
        assert [day.day for day in facts.days if day.done] == list(facts.expected)
        assert len(facts.expected) == 8
        assert {day.fetched for day in facts.days[:2]} == {day.fetched for day in facts.days[-2:]}
        with work.store.state.reading() as con:
            ids = con.execute("SELECT count(*), count(DISTINCT message_id) FROM messages").fetchall()
        assert ids[0][0] == ids[0][1]
        with prepare_instance(work.store.folder) as instance:
            assert shown_days(instance) == set(facts.expected)
