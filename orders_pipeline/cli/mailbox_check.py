"""``mailbox check``: connect to the configured mailboxes and count, without storing anything."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import typer

from orders_pipeline.cli.opening import JSON_OPTION
from orders_pipeline.cli.output import print_json, print_table, say
from orders_pipeline.config import Config, load_config
from orders_pipeline.days import day_of, day_window, days_between
from orders_pipeline.errors import ConfigError, MailboxError
from orders_pipeline.mail.sources import open_mailbox
from orders_pipeline.mailbox_settings import GmailMailbox, ImapMailbox, MailboxSettings
from orders_pipeline.models import Window
from orders_pipeline.stages.fetch import failure_line, list_window


@dataclass(slots=True)
class _Checked:
    settings: MailboxSettings
    by_day: Counter[dt.date] = field(default_factory=Counter)
    unplaced: int = 0
    failure: str | None = None

    def row(self) -> dict[str, Any]:
        return {
            "mailbox": self.settings.name,
            "kind": self.settings.kind,
            "where": _where(self.settings),
            "messages": None if self.failure else self.by_day.total(),
            "days": {day.isoformat(): count for day, count in sorted(self.by_day.items())},
            "unplaced": self.unplaced,
            "error": self.failure,
        }


def check(
    names: list[str] = typer.Argument(None, help="Mailboxes by name; all of them by default."),
    days: int = typer.Option(7, min=1, max=3660, help="How many days to count, today included."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Connect to the mailboxes and count the messages of the last days; nothing is stored, nothing is marked as read.

    Exits with 1 when a mailbox cannot be read, and says of each why.

    Example: orders-pipeline mailbox check
    """
    config = load_config()
    last = day_of(dt.datetime.now(dt.UTC), config.tz)
    span = days_between(last - dt.timedelta(days=days - 1), last)
    checked = [_check(config, settings, span) for settings in named(config, names or [])]
    if as_json:
        print_json([c.row() for c in checked])
    else:
        _print(checked, span)
    if any(c.failure for c in checked):
        raise typer.Exit(1)


def named(config: Config, names: list[str]) -> list[MailboxSettings]:
    """The mailboxes of these names, each once; all of them without any. Raises ``ConfigError`` on another name."""
    known = {m.name: m for m in config.mailbox}
    for name in names:
        if name not in known:
            raise ConfigError(f"no mailbox {name!r} in the configuration; there are: {', '.join(known)}")
    return [known[n] for n in dict.fromkeys(names)] or list(config.mailbox)


def _check(config: Config, settings: MailboxSettings, span: list[dt.date]) -> _Checked:
    result = _Checked(settings, Counter(dict.fromkeys(span, 0)))
    box = open_mailbox(settings, config.fetch)
    try:
        start, end = day_window(span[0], config.tz).start, day_window(span[-1], config.tz).end
        listing = list_window(box, Window(start=start, end=end))
        result.unplaced = len(listing.unplaced)
        for ref in listing.refs:
            if ref.received_at is not None:
                result.by_day[day_of(ref.received_at, config.tz)] += 1
    except MailboxError as error:
        result.failure = failure_line(settings.name, str(error))
    finally:
        box.close()
    return result


def _print(checked: list[_Checked], span: list[dt.date]) -> None:
    good = [c for c in checked if not c.failure]
    if good:
        shown = span[-7:]
        print_table(
            ["mailbox", "kind", *(day.strftime("%d %b") for day in shown), "together", "where"],
            [
                [c.settings.name, c.settings.kind, *(c.by_day[d] for d in shown), c.by_day.total(), _where(c.settings)]
                for c in good
            ],
            right=[*(day.strftime("%d %b") for day in shown), "together"],
        )
    for c in good:
        if c.unplaced:
            say(
                f"mailbox {c.settings.name}: {c.unplaced} messages without a usable date (kept, and listed as unplaced)"
            )
    for c in checked:
        if c.failure:
            say(c.failure)


def _where(settings: MailboxSettings) -> str:
    if isinstance(settings, ImapMailbox):
        return f"{settings.username} at {settings.host}:{settings.server_port} ({settings.security})"
    if isinstance(settings, GmailMailbox):
        return "Gmail" + (f", {settings.query}" if settings.query else "")
    return str(settings.path)
