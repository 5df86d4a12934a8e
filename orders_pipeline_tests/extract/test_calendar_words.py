"""Names of months and days against the data that they come from."""

from __future__ import annotations

import pytest
from babel import Locale

from orders_pipeline.extract.calendar_words import LANGUAGES, months, weekdays
from orders_pipeline.extract.text import fold


def names(language: str, kind: str) -> dict[str, int]:
    table = getattr(Locale(language), kind)
    forms = (table[form][width] for form in ("format", "stand-alone") for width in ("wide", "abbreviated"))
    return {fold(name).rstrip("."): int(number) for form in forms for number, name in form.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_language_is_known(language: str) -> None:
    """A month left out of the list is a delivery day that is never read."""
    for known, kind in ((months(), "months"), (weekdays(), "days")):
        assert {
            name: number for name, number in names(language, kind).items() if len(name) >= 3
        }.items() <= known.items()


def test_names_are_folded() -> None:
    """Text is folded before it is searched: a name that is not would never be found."""
    assert all(name == fold(name) for name in (*months(), *weekdays()))
