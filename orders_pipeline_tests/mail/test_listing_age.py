"""A listing serves again for a while when it took long, and never for longer than a minute."""

from __future__ import annotations

import pytest

from orders_pipeline.mail.listing_age import may_serve


@pytest.mark.parametrize(
    ("took", "age", "serves"),
    [(0.01, 0.0, False), (0.2, 19.0, True), (0.2, 21.0, False), (30.0, 59.0, True), (30.0, 61.0, False)],
)
def test_what_took_long_serves_again_in_proportion_and_up_to_a_minute(took: float, age: float, serves: bool) -> None:
    """Looking at all mail for each day of a year was a fifth of a run; mail that came an hour ago must be seen."""
    assert may_serve(took, age) is serves
