"""Days of delivery as mails tell them."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders_pipeline.extract.dates import find_date

TODAY = dt.date(2026, 5, 1)  # a Friday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("May 4 - May 7", "2026-05-07"),
        ("Wednesday, May 6 -\nThursday, May 7", "2026-05-07"),
        ("Mon, May 4 – 7", "2026-05-07"),
        ("4. bis 6. Mai", "2026-05-06"),
        ("4-6 May", "2026-05-06"),
        ("4 May to 6 May 2026", "2026-05-06"),
        ("14.05. - 16.05.", "2026-05-16"),
        ("Freitag, 8. Mai - Samstag, 9. Mai", "2026-05-09"),
        ("Monday - Wednesday", "2026-05-06"),
    ],
)
def test_of_a_range_the_last_day_counts(text: str, day: str) -> None:
    """An order is called overdue while its window is still open."""
    found = find_date(text, TODAY)
    assert found is not None
    assert found.day.isoformat() == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("tomorrow", "2026-05-02"),
        ("today between 11:30am and 3pm", "2026-05-01"),
        ("Tuesday", "2026-05-05"),
        ("Friday", "2026-05-08"),
        ("heute", "2026-05-01"),
        ("morgen", "2026-05-02"),
        ("demain", "2026-05-02"),
        ("mañana", "2026-05-02"),
        ("明日", "2026-05-02"),
        ("jeudi", "2026-05-07"),
    ],
)
def test_words_are_resolved_against_the_mails_day(text: str, day: str) -> None:
    """'Tomorrow' counted from the day of parsing moves with every reparse."""
    found = find_date(text, TODAY)
    assert found is not None
    assert found.day.isoformat() == day
    assert found.relative


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("martedì 01 dicembre", "2026-12-01"),
        ("jeudi 7 mai", "2026-05-07"),
        ("8 de mayo", "2026-05-08"),
        ("2026年5月3日", "2026-05-03"),
        ("5月3日", "2026-05-03"),
        ("12.05.2026", "2026-05-12"),
        ("2026-05-12", "2026-05-12"),
        ("Tue, 11 Aug", "2026-08-11"),
        ("Apr 28", "2026-04-28"),
    ],
)
def test_a_day_is_read_in_its_language_with_the_year_nearest_to_the_mail(text: str, day: str) -> None:
    """A mail of December promises January, and gets last January."""
    found = find_date(text, TODAY)
    assert found is not None
    assert found.day.isoformat() == day


def test_a_january_promised_in_december_lies_in_the_next_year() -> None:
    """The promise of 3 January is filed a year ago and alarms at once."""
    found = find_date("January 3", dt.date(2026, 12, 28))
    assert found is not None
    assert found.day == dt.date(2027, 1, 3)


@pytest.mark.parametrize(("day_first", "expected"), [(True, dt.date(2026, 4, 5)), (False, dt.date(2026, 5, 4))])
def test_the_senders_country_decides_which_number_is_the_month(day_first: bool, expected: dt.date) -> None:
    """05/04 is read the American way in a British mail."""
    found = find_date("05/04/2026", TODAY, day_first=day_first)
    assert found is not None
    assert found.day == expected


@pytest.mark.parametrize(
    "text", ["in 2-3 days", "version 10.99", "99/99/2026", "32 May", "call 24/7", "", "no date at all"]
)
def test_what_is_no_day_is_not_read_as_one(text: str) -> None:
    """'2-3 days' becomes the third of February."""
    found = find_date(text, TODAY)
    assert found is None


def test_without_the_mails_day_only_full_dates_are_read() -> None:
    """A mail with a broken Date header gets a day out of nothing."""
    assert find_date("tomorrow", None) is None
    assert find_date("May 4", None) is None
    assert find_date("May 4, 2026", None) is not None


@given(st.text(max_size=300), st.dates())
def test_any_text_and_any_day_are_read_without_error(text: str, today: dt.date) -> None:
    """A mail dated in the year 9999 overflows."""
    find_date(text, today)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("entre le mercredi 6 et le vendredi 8 mai", "2026-05-08"),
        ("entre el 6 y el 8 de mayo", "2026-05-08"),
        ("tra il 6 e il 8 maggio", "2026-05-08"),
        ("entre quarta-feira 6 e sexta-feira 8 de maio", "2026-05-08"),
        ("2026年5月6日(水)〜5月8日(金)", "2026-05-08"),
    ],
)
def test_articles_and_weekdays_do_not_end_a_range(text: str, day: str) -> None:
    """The first day of the span is taken for the promise, and the parcel is overdue before its time."""
    found = find_date(text, TODAY)
    assert found is not None
    assert found.day == dt.date.fromisoformat(day)
