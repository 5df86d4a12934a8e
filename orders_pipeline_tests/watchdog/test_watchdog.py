"""Both failures that shaped the pipeline happen to the ways that caused them, and not to it; small and quick."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from orders_pipeline_tests.crash.kills import fast_folder
from orders_pipeline_tests.watchdog import mark, nights, plot, tables

SMALL = nights.Timetable(nights=3, behind=3, mails_a_day=2, kill_after=2.0, fetch_seconds=0.1, judge_seconds=0.35)


@pytest.fixture(scope="module")
def stories() -> dict[str, nights.Story]:
    with fast_folder() as folder:
        return {s.name: s for s in nights.replay(folder, SMALL, mornings=1)}


def test_a_cursor_at_the_end_freezes(stories: dict[str, nights.Story]) -> None:
    """The replay must show the failure itself: every night killed, nothing kept, the same mails paid for again."""
    story = stories[nights.AT_THE_END]
    assert story.killed == SMALL.nights
    assert [left for night, left in story.backlog if night == int(night)] == [6, 8, 10]
    assert story.judged_twice > 0


def test_a_cursor_before_the_work_loses(stories: dict[str, nights.Story]) -> None:
    """What was in flight at the kill is behind the cursor: not even a night without a watchdog brings it back."""
    story = stories[nights.BEFORE]
    assert story.killed >= 1
    assert story.lost > 0
    assert story.says_open == 0


def test_saving_before_marking_neither_freezes_nor_loses(stories: dict[str, nights.Story]) -> None:
    """Forward progress and no silent loss, both at once, and nothing that was saved is paid for again."""
    story = stories[nights.OURS]
    assert (story.handled, story.lost, story.says_open) == (story.mails, 0, 0)
    assert story.paid_though_saved == 0
    assert story.judged_twice <= story.killed  # one verdict is in flight at a kill
    assert story.fetched - story.mails <= 3 * story.killed  # and one batch of mails


def test_the_plot_and_the_table_tell_of_every_way(stories: dict[str, nights.Story]) -> None:
    """A picture that is no XML, or that drops a line, shows nothing."""
    found = list(stories.values())
    lines = ET.fromstring(plot.svg(found, SMALL)).findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == len(nights.STRATEGIES)
    assert all(name in tables.first_story(found, SMALL) for name in nights.STRATEGIES)


def test_a_crash_in_the_count_and_an_error_of_the_judge_cost_nothing() -> None:
    """One mark loses every proposal and skips the row in error for good; the ledger keeps the ones and the other."""
    with fast_folder() as folder:
        found = mark.replay(folder, rows=24, proposals=5)
    first, second = found["one mark"]
    assert (first.judged, first.safe, first.still_open) == (23, 0, 0)
    assert (second.judged, second.safe, second.still_open) == (0, 0, 0)
    first, second = found["save, then mark done"]
    assert (first.judged, first.safe, first.still_open) == (23, 4, 1)
    assert (second.judged, second.safe, second.still_open) == (1, 5, 0)
