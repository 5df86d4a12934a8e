"""``mailbox``: its commands, and writing a sample mailbox."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import typer

from orders_pipeline.cli import mailbox_check, mailbox_login
from orders_pipeline.cli.output import say
from orders_pipeline.errors import ConfigError
from orders_pipeline.sample.config import sample_config_toml
from orders_pipeline.sample.generate import write_sample_mailbox

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Mailboxes to read from.")


@app.callback()
def _group() -> None:
    """Mailboxes to read from."""


app.command("check")(mailbox_check.check)
app.command("login")(mailbox_login.login)


@app.command()
def sample(
    folder: Path = typer.Argument(
        help="Where to write the Maildir; an empty or new folder, or one made by this command."
    ),
    days: int = typer.Option(14, min=1, max=3660, help="How many days, up to yesterday."),
    per_day: int = typer.Option(20, min=1, max=2000, help="About how many mails a day."),
    seed: int = typer.Option(7, help="The same seed gives the same mail."),
    zone: str = typer.Option("Europe/Berlin", help="The zone of the days."),
) -> None:
    """Write a sample mailbox: fictional shops and carriers, newsletters, phishing, and every known trap.

    Example: orders-pipeline mailbox sample /tmp/sample-mail --days 30
    """
    try:
        today = dt.datetime.now(ZoneInfo(zone)).date()
    except (ValueError, OSError, KeyError):
        raise ConfigError(f"unknown time zone {zone!r}; use an IANA name such as Europe/Berlin") from None
    last = today - dt.timedelta(days=1)
    summary = write_sample_mailbox(folder, last_day=last, days=days, seed=seed, zone=zone, per_day=per_day)
    say(f"{summary.messages} messages of {len(summary.days)} days in {folder} ({summary.written} files written)")
    say("an orders_pipeline.toml for it:")
    say()
    for line in sample_config_toml(folder.absolute(), zone, summary.days[0]).splitlines():
        say(line)
