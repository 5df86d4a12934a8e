"""Ten thousand cases, as after years: the page still shows a part of them, and what is left.

Measured on two cores: 45 ms a case's page, 35 ms the queue, 115 ms a decision.
"""

from __future__ import annotations

import pytest

from orders_pipeline_tests.harness import Scene
from orders_pipeline_tests.page.serving import served


@pytest.mark.slow
def test_pages_and_decisions_work_with_ten_thousand_cases(cases: Scene) -> None:
    """A page that lists all of them takes seconds, and a second a decision is three hours for ten thousand."""
    work = cases.work()
    with work.store.state.transaction() as con:
        con.execute(
            "INSERT INTO proposed_eval_cases BY NAME SELECT p.* REPLACE (substr(md5(p.case_id || i), 1, 16) AS case_id)"
            " FROM proposed_eval_cases p, range(2500) t(i)"
        )
        con.execute("DELETE FROM case_queue")
        con.execute(
            "INSERT INTO case_queue BY NAME SELECT row_number() OVER (ORDER BY strength DESC, case_id) AS position,"
            " day, case_id, message_id, sender_domain, template_digest, 1 AS group_size, strength AS score, reasons"
            " FROM proposed_eval_cases LIMIT 500"
        )
    with served(cases) as page:
        page.enter()
        ids = page.cases()
        assert len(ids) == 100
        assert "10004</b> left" in page.get("/").text
        for path in (
            "/queue",
            "/queue?reason=total_does_not_add_up&from=901",
            f"/case/{ids[50]}",
            f"/case/{ids[50]}/mail",
        ):
            assert page.get(path).status_code == 200, path
        for case_id in ids[:5]:
            page.press(case_id, "accepted")
        assert [page.acts(case_id) for case_id in ids[:5]] == [["accepted"]] * 5
