"""Missed days are backfilled in the real UI: by real clicks, real runs, a real daemon."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from orders_pipeline.quality.checks import CHECKS
from orders_pipeline_tests.browser.chromium import Album
from orders_pipeline_tests.browser.pages import BackfillRow, DagsterPages
from orders_pipeline_tests.browser.server import dagster_ui
from orders_pipeline_tests.browser.store import make_store

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(300, func_only=True),  # without the wait for the other test
]

DAILY = ("fetched_emails", "parsed_orders", "proposed_eval_cases")
LAST = DAILY[-1]


def test_three_missing_days_are_backfilled_and_the_cursor_follows(
    browser: Chrome, album: Album, tmp_path: Path
) -> None:
    """What to do after a machine was off: a backfill that leaves a gap, or that the cursor does not see, is no help."""
    store = make_store(tmp_path / "store", days=6, done=3)
    yesterday = str(store.days[-1])
    assert [gap["day"] for gap in store.status()["not_done"]] == [str(day) for day in store.days[3:]]
    with dagster_ui(store.env, tmp_path) as address:
        ui = DagsterPages(browser, address)
        assert ui.partitions(LAST) == {"failed": 0, "materialized": 3, "materializing": 0, "missing": 3}
        album.take("missing-days")
        assert ui.checks("fetched_emails")["missing_days"] == "Failed"
        assert f"examples\n{store.days[3]}" in ui.check_says("fetched_emails", "missing_days").replace("\t", "")
        album.take("missing-days-check")

        ui.open_lineage(LAST)
        album.take("lineage")
        ui.choose_partitions("Missing", 3)
        album.take("materialize")
        backfill = ui.launch_backfill()
        assert ui.backfill_ended(backfill) == "Succeeded"
        for asset in DAILY:
            assert ui.backfill_row(asset) == BackfillRow(targeted=3, in_progress=0, succeeded=3, failed=0)
        album.take("backfill-ended")
        for asset in DAILY:
            assert ui.partitions(asset) == {"failed": 0, "materialized": 6, "materializing": 0, "missing": 0}
        album.take("all-days")

        ui.open_sensor()
        assert not ui.sensor_is_on()
        ui.turn_sensor_on()
        ui.sensor_cursor(yesterday)
        album.take("cursor")
        for asset in DAILY:
            seen = ui.checks(asset)
            assert set(seen) == {check.name for check in CHECKS if check.asset == asset}
            # The sample mailbox holds one mail without a usable date, which is kept and told of.
            assert [name for name, word in seen.items() if word != "Succeeded"] == (
                ["unplaced_mail"] if asset == "fetched_emails" else []
            )
            album.take(f"checks-{asset}")
        assert ui.execute_checks(LAST) == dict.fromkeys(ui.checks(LAST), "Succeeded")
        album.take("checks-executed")
        status = store.status()
    assert status["exit"] == 0
    assert (status["days_done"], status["not_done"]) == (6, [])
    assert (status["cursor"], status["sensor_cursor"]) == (yesterday, yesterday)
    assert sum(status["messages"].values()) == sum(store.mails.values())
    assert [finding["check"] for finding in status["findings"]] == ["unplaced_mail"]


def test_a_day_whose_mailbox_cannot_be_read_is_red_with_its_reason_and_heals(
    browser: Chrome, album: Album, tmp_path: Path
) -> None:
    """A failed reading that passes for an empty day loses its mail for good; one that ends the run loses other days."""
    store = make_store(tmp_path / "store", days=6, done=3, broken="shop")
    bad, before = str(store.days[-1]), str(store.days[-2])
    with dagster_ui(store.env, tmp_path) as address:
        ui = DagsterPages(browser, address)
        ui.open_lineage(LAST)
        ui.choose_partitions("Missing", 3)
        album.take("materialize")
        backfill = ui.launch_backfill()
        assert ui.backfill_ended(backfill) == "Failed"
        for asset in DAILY:
            assert ui.backfill_row(asset) == BackfillRow(targeted=3, in_progress=0, succeeded=2, failed=1)
        album.take("backfill-ended")
        for asset in DAILY:
            assert ui.partitions(asset) == {"failed": 1, "materialized": 5, "materializing": 0, "missing": 0}
        album.take("one-day-red")
        reason = " ".join(ui.why_failed("fetched_emails", bad).split())
        assert f"1 of 3 days are not done: {bad}: mailbox shop: {store.home / 'shop'} does not exist" in reason
        assert "correct its path in the configuration" in reason
        album.take("why")
        assert bad in ui.check_says("fetched_emails", "missing_days")
        album.take("missing-days-check")

        ui.open_sensor()
        ui.turn_sensor_on()
        ui.sensor_cursor(before)
        album.take("cursor-holds")
        status = store.status()
        assert (status["days_done"], status["cursor"], status["sensor_cursor"]) == (5, before, before)
        assert [gap["day"] for gap in status["not_done"]] == [bad]
        assert "mailbox shop" in status["not_done"][0]["why"]

        for part in ("cur", "new", "tmp"):
            (store.home / "shop" / part).mkdir(parents=True)
        ui.open_lineage(LAST)
        ui.choose_partitions("Failed", 1)
        album.take("materialize-failed")
        ui.launch_run()
        ui.open_sensor()
        ui.sensor_cursor(bad, seconds=120)
        album.take("cursor-follows")
        assert ui.partitions(LAST) == {"failed": 0, "materialized": 6, "materializing": 0, "missing": 0}
        album.take("all-days")
        status = store.status()
    assert (status["exit"], status["days_done"], status["sensor_cursor"]) == (0, 6, bad)
    assert sum(status["messages"].values()) == sum(store.mails.values())
