"""The queue under a filter, its pages, and what comes next."""

from __future__ import annotations

import datetime as dt

import pytest

from orders_pipeline.page.queue import PAGE, Cases, Filter, Listed, next_case, queue_of

DAY = dt.date(2026, 5, 11)


def listed(number: int, *, sender: str = "fennmark.example", position: int | None = -1) -> Listed:
    return Listed(
        case_id=f"{number:04x}",
        day=DAY + dt.timedelta(days=number % 5),
        sender=sender,
        subject=f"Order {number}",
        reasons=("missing_total",) if number % 2 else ("parse_failed", "missing_key"),
        position=number if position == -1 else position,
        group_size=1,
    )


def cases(count: int, **states: str) -> Cases:
    """``count`` cases in the queue's order; states by id, as ``x0001="accepted"``."""
    return Cases([listed(n) for n in range(count)], {name[1:]: state for name, state in states.items()})


def test_what_the_queue_left_out_comes_after_it_the_latest_day_first() -> None:
    """The cap on near-duplicates must not make them look as telling as the others."""
    lines = [listed(1, position=None), listed(3, position=None), listed(2), listed(0)]
    assert [line.case_id for line in sorted(lines, key=lambda line: line.rank)] == ["0000", "0002", "0003", "0001"]


def test_neighbours_are_those_that_pass_the_filter() -> None:
    """The keys j and k must not lead out of the sender that one works on."""
    queue = queue_of(cases(9), Filter(reason="missing_total"), current="0003")
    assert (queue.previous, queue.number, queue.next, queue.total) == ("0001", 2, "0005", 4)
    off = queue_of(cases(9), Filter(reason="missing_total"), current="0004")
    assert (off.previous, off.number, off.next) == ("0003", None, "0005")
    assert queue_of(cases(9), Filter(), current="0000").previous is None
    assert queue_of(cases(9), Filter(), current="0008").next is None
    assert queue_of(Cases((), {}), Filter(), current="0008").lines == ()


@pytest.mark.parametrize(
    ("decided", "current", "expected"),
    [
        ({"x0002": "accepted"}, "0002", "0003"),
        ({"x0004": "accepted"}, "0004", "0000"),  # past the end: from the start again
        ({"x0002": "accepted", "x0003": "rejected"}, "0002", "0004"),
        ({f"x000{n}": "accepted" for n in range(5)}, "0002", None),
        ({}, "ffff", "0000"),
    ],
)
def test_after_a_decision_comes_the_next_case_that_is_left(
    decided: dict[str, str], current: str, expected: str | None
) -> None:
    """To be shown a case twice, or none although some are left, is how a queue loses its reader."""
    assert next_case(cases(5, **decided), Filter(), current) == expected


def test_every_case_is_on_exactly_one_page() -> None:
    """A pager that is off by one hides a case for good."""
    many = cases(2 * PAGE + 30)
    shown = [line.case_id for offset in range(0, 400, PAGE) for line in queue_of(many, Filter(), offset=offset).lines]
    assert shown == [line.case_id for line in many.lines]
    around = queue_of(many, Filter(), current=many.lines[150].case_id)
    assert many.lines[150] in around.lines
    assert len(around.lines) == PAGE
    assert around.first <= 151 < around.first + PAGE
    assert queue_of(many, Filter(), offset=10**7).lines == ()


def test_progress_counts_what_is_decided_and_what_is_left() -> None:
    """It is what tells a person whether to go on tonight."""
    queue = queue_of(cases(6, x0001="accepted", x0002="edited", x0003="rejected"), Filter())
    assert (queue.decided, queue.left) == (3, 3)
    assert queue.cases.reasons == (("missing_key", 2), ("parse_failed", 2), ("missing_total", 1))


def test_a_filter_survives_its_address() -> None:
    """What a link says must be what its page shows."""
    chosen = Filter(state="all", sender='a&b="x".example', reason="missing_total")
    from urllib.parse import parse_qsl

    assert Filter.of(dict(parse_qsl(chosen.query[1:]))) == chosen
    assert Filter.of({"state": "nonsense", "sender": "x" * 999}) == Filter(sender="x" * 253)
    assert Filter().query == ""
