"""How senders write amounts and days.

Belongs here: formatting in the languages of the sample. Not here: locale data of a library, whose text may change
with its version, while the sample's bytes must not.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import ROUND_HALF_UP, Decimal

_PATTERN = re.compile(r"\{1(.)234(?:(.)50)?\}")

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
}
_WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
}
_LONG = {
    "en": "{weekday}, {day} {month} {year}",
    "de": "{weekday}, {day}. {month} {year}",
    "fr": "{weekday} {day} {month} {year}",
    "es": "{weekday}, {day} de {month} de {year}",
    "nl": "{weekday} {day} {month} {year}",
}


def cents(amount: Decimal, currency: str) -> Decimal:
    """Round half up to the currency's smallest unit: whole yen, hundredths otherwise."""
    return amount.quantize(Decimal(1) if currency == "JPY" else Decimal("0.01"), ROUND_HALF_UP)


def money_text(amount: Decimal, pattern: str) -> str:
    """Write an amount after a pattern such as ``{1.234,50} €``: the braces show the separators.

    A blank as thousands separator is written as a no-break space, as shops do.
    """
    found = _PATTERN.search(pattern)
    if found is None:
        raise ValueError(f"not a money pattern: {pattern!r}")
    thousands, point = found.groups()
    whole, _, fraction = f"{amount:,.2f}".partition(".")
    number = whole.replace(",", "\u00a0" if thousands == " " else thousands)
    if point:
        number += point + fraction
    return pattern[: found.start()] + number + pattern[found.end() :]


def long_day(day: dt.date, language: str) -> str:
    """A day in words: ``Friday, 13 November 2026``."""
    return _LONG[language].format(
        weekday=_WEEKDAYS[language].split()[day.weekday()],
        day=day.day,
        month=_MONTHS[language].split()[day.month - 1],
        year=day.year,
    )


def short_day(day: dt.date, language: str) -> str:
    """A day in the language's customary short form: ``13.11.2026``, ``13/11/2026``; ISO 8601 where it is unclear."""
    forms = {"de": "%d.%m.%Y", "fr": "%d/%m/%Y", "es": "%d/%m/%Y", "nl": "%d-%m-%Y"}
    return day.strftime(forms.get(language, "%Y-%m-%d"))
