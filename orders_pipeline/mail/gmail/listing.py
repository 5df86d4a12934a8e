"""Which messages Gmail holds for a span of time: every page, proven as far as the API allows.

Belongs here: queries, pages, starting anew, looking twice. Not here: the dates of the messages.

``after:`` and ``before:`` take seconds since 1970, but Gmail has read them as days of its own zone too, so a day more
is asked for on both sides; the exact border is drawn by internalDate (source.py).
"""

from __future__ import annotations

import datetime as dt

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.api import GmailApi, PageTokenExpired
from orders_pipeline.models import Window

SLACK = dt.timedelta(days=1)
_MAX_RESTARTS = 3
_MAX_PASSES = 4
_MAX_FRUITLESS_PAGES = 20


def ids_of(api: GmailApi, window: Window, query: str) -> tuple[str, ...]:
    """The ids of all messages that may lie in the window, each once.

    An empty answer is asked for once more in another way: a query that Gmail misreads gives an empty page, not an error
    (milliseconds for seconds do). Pages shift when mail is deleted meanwhile, so what takes more than one page is read
    until a pass brings nothing new.
    """
    found, pages = _one_pass(api, _by_seconds(window, query))
    if not found:
        return tuple(_one_pass(api, _by_days(window, query))[0])
    passes = 1
    while pages > 1:
        again, pages = _one_pass(api, _by_seconds(window, query))
        passes += 1
        before = len(found)
        found.update(again)
        if len(found) == before:
            break
        if passes == _MAX_PASSES:
            raise MailboxError(f"{api.what}: the mailbox changes each time it is listed; it is tried again later")
    return tuple(found)


def ids_after(api: GmailApi, instant: dt.datetime, query: str) -> tuple[str, ...]:
    """The ids of all messages that Gmail dates after an instant."""
    return tuple(_one_pass(api, _with(f"after:{_seconds(instant)}", query))[0])


def _one_pass(api: GmailApi, query: str) -> tuple[dict[str, None], int]:
    """Ids in the order of the pages, and the number of pages. A page token that expired starts the pass anew."""
    for _ in range(_MAX_RESTARTS):
        try:
            return _pages(api, query)
        except PageTokenExpired:
            continue
    raise MailboxError(f"{api.what}: Gmail's page tokens expire while the pages are read; it is tried again later")


def _pages(api: GmailApi, query: str) -> tuple[dict[str, None], int]:
    found: dict[str, None] = {}
    tokens: set[str] = set()
    token: str | None = None
    pages = fruitless = 0
    while True:
        page = api.page(query, token)
        pages += 1
        before = len(found)
        found.update((message["id"], None) for message in page.get("messages") or ())
        token = page.get("nextPageToken")
        if token is None:
            return found, pages
        fruitless = 0 if len(found) > before else fruitless + 1
        if token in tokens or fruitless > _MAX_FRUITLESS_PAGES:
            raise MailboxError(f"{api.what}: Gmail's pages go round in circles; it is tried again later")
        tokens.add(token)


def _by_seconds(window: Window, query: str) -> str:
    return _with(f"after:{_seconds(window.start - SLACK)} before:{_seconds(window.end + SLACK)}", query)


def _by_days(window: Window, query: str) -> str:
    start, end = ((w.astimezone(dt.UTC)).date() for w in (window.start - 2 * SLACK, window.end + 2 * SLACK))
    return _with(f"after:{start:%Y/%m/%d} before:{end:%Y/%m/%d}", query)


def _with(dates: str, query: str) -> str:
    # The user's own words come last: whatever their brackets do, the dates stand.
    return f"{dates} ({query})" if query.strip() else dates


def _seconds(instant: dt.datetime) -> int:
    return max(0, int(instant.timestamp()))
