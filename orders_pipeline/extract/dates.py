"""Days in text: when something is promised to arrive.

Belongs here: explicit days, ranges (the last day counts), days without a year, and words such as "tomorrow", resolved
against the mail's day. Not here: which date in a mail is the promise. A library that knows every form reads two
mails a second without a language; names from CLDR and four shapes read thousands.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from orders_pipeline.extract.calendar_words import RELATIVE, months, weekdays
from orders_pipeline.extract.text import fold


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A day and where it stands; ``relative`` when it was told by a word such as "tomorrow" or a weekday."""

    day: dt.date
    start: int
    end: int
    relative: bool = False


def _alternatives(names: dict[str, int]) -> str:
    return "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))


_MONTH = rf"(?P<{{0}}>{_alternatives(months())})\.?"
_SHAPES = re.compile(
    r"(?<!\d)(?P<iy>20\d\d)[-/.年] ?(?P<im>\d{1,2})[-/.月] ?(?P<id>\d{1,2})日?(?!\d)"
    r"|(?<!\d)(?P<jm>\d{1,2})月 ?(?P<jd>\d{1,2})日"
    r"|(?<![\d.])(?!24/7(?!\d))(?P<na>\d{1,2})(?P<sep>[/.-])(?P<nb>\d{1,2})(?:(?P=sep)(?P<ny>20\d\d|\d\d)(?!\d)"
    r"|(?<!-\d)(?<!-\d\d)(?P<short>\.?)(?![\d%]))"
    rf"|(?<![^\W_])(?P<dd>\d{{1,2}})(?:st|nd|rd|th|er|º|°|\.)?,?[ -]?(?:de |of )?{_MONTH.format('dm')}"
    r"(?![^\W\d_])(?:,?[ -]?(?:de |del )?(?P<dy>20\d\d))?"
    rf"|(?<![^\W_]){_MONTH.format('mm')}(?![^\W\d_]) ?(?P<md>\d{{1,2}})(?:st|nd|rd"
    rf"|th)?(?![\d:])(?:,? ?(?P<my>20\d\d)(?!\d))?"
    rf"|(?<![^\W_])(?P<word>{_alternatives(RELATIVE)})(?![^\W_])"
    rf"|(?<![^\W_])(?P<week>{_alternatives(weekdays())})(?![^\W_])"
)
_TO = re.compile(
    r"(?: \d{1,2}(?!\d)|(?: ?\([^\W\d_]{1,9}\.?\)))?"  # "mercredi 2 et le vendredi 4 décembre", "12月3日(木)"
    r"[ ,\n\t]{0,8}(?:-|–|—|~|〜|から|to|bis|until|and|und|et|au|al|a|y|till|tot|do|e|ate|or)[ \n]{0,4}"
    r"(?:(?:the|le|el|il|den|dem|o) )?"
    r"(?:(?:mo|di|mi|do|fr|sa|so|ma|wo|vr|za|zo|lu|me|je|ve|pn|wt|sr|pt|nd)(?:\.,?"
    r"|,)? ?(?=\d))?",  # a weekday in two letters
    re.IGNORECASE,
)
_END_DAY = re.compile(
    r" ?(?:-|–|—|to|bis|au|al) ?(\d{1,2})(?:st|nd|rd|th|\.)?(?![\d:/.]| ?(?:am|pm|uhr|h\b))", re.IGNORECASE
)


def find_date(text: str, today: dt.date | None, *, day_first: bool = True, limit: int = 80) -> FoundDate | None:
    """The day told by the first date or range within ``limit`` characters: of a range, its last day.

    ``today`` is the mail's local day; without it, days without a year and words are not resolved.
    ``day_first`` decides 05/04/2020 when both numbers could be the month.
    """
    folded = fold(text)
    first = _first(folded, 0, limit, today, day_first)
    if first is None:
        return None
    last = first
    for _ in range(2):  # "Wednesday, October 27 - Thursday, October 28"; a weekday stands before its date
        joined = _TO.match(folded, last.end)
        later = _first(folded, joined.end(), joined.end() + 24, today, day_first) if joined else None
        if later is None or later.start - (joined.end() if joined else 0) > 1 or later.day < last.day:
            break
        last = later
    if bare := _END_DAY.match(folded, last.end):
        end = _date(last.day.year, last.day.month, int(bare[1]))
        if end and end > last.day:
            last = FoundDate(end, first.start, bare.end())
    return FoundDate(last.day, first.start, last.end, last.relative)


def _first(folded: str, start: int, limit: int, today: dt.date | None, day_first: bool) -> FoundDate | None:
    for match in _SHAPES.finditer(folded, start, limit + 24):
        if match.start() > limit:
            return None
        if match["week"] and (named := _named_by_weekday(folded, match, today, day_first)):
            return named
        day, relative = _resolve(match, today, day_first)
        if day:
            return FoundDate(day, match.start(), match.end(), relative)
    return None


def _named_by_weekday(folded: str, match: re.Match[str], today: dt.date | None, day_first: bool) -> FoundDate | None:
    """'Tue, 11 May': the weekday belongs to the date that follows it."""
    gap = re.compile(r"\.?,?[ \n]{0,2}(?:den |the |le )?").match(folded, match.end())
    following = _SHAPES.match(folded, gap.end()) if gap else None
    if following is None or following["word"] or following["week"]:
        return None
    day, _ = _resolve(following, today, day_first)
    return FoundDate(day, match.start(), following.end()) if day else None


def _resolve(match: re.Match[str], today: dt.date | None, day_first: bool) -> tuple[dt.date | None, bool]:
    group = match.groupdict()
    if group["iy"]:
        return _date(int(group["iy"]), int(group["im"]), int(group["id"])), False
    if group["jm"]:
        return _near(int(group["jm"]), int(group["jd"]), today), False
    if group["na"]:
        return _numeric(group, today, day_first), False
    if group["dd"]:
        return _named(months()[group["dm"]], int(group["dd"]), group["dy"], today), False
    if group["md"]:
        return _named(months()[group["mm"]], int(group["md"]), group["my"], today), False
    if today is None:
        return None, True
    if group["word"]:
        return today + dt.timedelta(days=RELATIVE[group["word"]]), True
    ahead = (weekdays()[group["week"]] - today.weekday()) % 7
    return today + dt.timedelta(days=ahead or 7), True


def _numeric(group: dict[str, str | None], today: dt.date | None, day_first: bool) -> dt.date | None:
    a, b, year = int(group["na"] or 0), int(group["nb"] or 0), group["ny"]
    if year is None and group["sep"] == "." and not group["short"]:
        return None  # "10.99" is no date
    day_first = True if group["sep"] == "." else day_first
    day, month = (a, b) if (day_first and b <= 12) or a > 12 else (b, a)
    if year is None:
        return _near(month, day, today)
    return _date(int(year) if len(year) == 4 else 2000 + int(year), month, day)


def _named(month: int, day: int, year: str | None, today: dt.date | None) -> dt.date | None:
    return _date(int(year), month, day) if year else _near(month, day, today)


def _near(month: int, day: int, today: dt.date | None) -> dt.date | None:
    """The day of that name from a month before the mail to eleven months after it."""
    if today is None:
        return None
    for year in (today.year - 1, today.year, today.year + 1):
        candidate = _date(year, month, day)
        if candidate and -31 <= (candidate - today).days <= 334:
            return candidate
    return None


def _date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
