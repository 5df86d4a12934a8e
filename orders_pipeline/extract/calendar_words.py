"""Names of months and days in the languages that mails are read in.

Belongs here: tables made from CLDR data, and words for today and tomorrow. Not here: reading dates.
"""

from __future__ import annotations

from functools import cache

from babel import Locale

from orders_pipeline.extract.text import fold

LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "nl", "pt", "sv", "da")

RELATIVE = {
    "today": 0, "tonight": 0, "tomorrow": 1, "heute": 0, "morgen": 1, "uebermorgen": 2, "ubermorgen": 2,
    "overmorgen": 2, "apres-demain": 2, "dopodomani": 2, "pojutrze": 2,
    "aujourd'hui": 0, "aujourd’hui": 0, "demain": 1, "hoy": 0, "manana": 1, "oggi": 0, "domani": 1, "dzis": 0,
    "dzisiaj": 0, "jutro": 1, "vandaag": 0, "vanavond": 0, "hoje": 0, "amanha": 1, "idag": 0, "i dag": 0, "imorgon": 1,
    "i morgon": 1, "i morgen": 1, "本日": 0, "明日": 1, "今日": 0,
}  # fmt: skip


@cache
def months() -> dict[str, int]:
    """Folded month names and abbreviations of all languages, without final dots, to 1..12."""
    return _names("months")


@cache
def weekdays() -> dict[str, int]:
    """Folded day names and abbreviations of three letters or more to 0 (Monday) .. 6."""
    return _names("days")


def _names(kind: str) -> dict[str, int]:
    names: dict[str, int] = {}
    for language in LANGUAGES:
        locale = Locale(language)
        table = locale.months if kind == "months" else locale.days
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in table[form][width].items():
                    key = fold(name).rstrip(".")
                    if len(key) >= 3:
                        names.setdefault(key, int(number))
    if kind == "months":
        names.setdefault("sept", 9)
        names.setdefault("mrz", 3)
    else:
        names.update({"tues": 1, "thur": 3, "thurs": 3})
    return names
