"""``mailbox login``: a person's consent to reading a mailbox, once."""

from __future__ import annotations

import typer

from orders_pipeline.cli.mailbox_check import named
from orders_pipeline.cli.output import say
from orders_pipeline.config import load_config
from orders_pipeline.errors import ConfigError
from orders_pipeline.mailbox_settings import GmailMailbox, ImapMailbox


def login(
    name: str = typer.Argument(help="The mailbox, by its name in the configuration."),
    browser: bool = typer.Option(True, help="Open the consent page here; else print its address."),
    port: int = typer.Option(0, min=0, max=65535, help="The port of this machine to come back to; 0 takes a free one."),
    timeout: int = typer.Option(600, min=1, max=86_400, help="How many seconds to wait for the consent."),
) -> None:
    """Ask for consent to read a Gmail account, or an IMAP mailbox with OAuth2, and save the login (mode 600).

    On a machine without a browser, use --no-browser: it says how to forward the port.

    Example: orders-pipeline mailbox login gmail
    """
    (settings,) = named(load_config(), [name])
    if isinstance(settings, GmailMailbox):
        from orders_pipeline.mail.gmail.api import SCOPES

        scopes = SCOPES
    elif isinstance(settings, ImapMailbox) and settings.token_file:
        scopes = settings.scopes
    else:
        raise ConfigError(
            f"mailbox {name} needs no login of this kind: `mailbox login` is for Gmail and for token_file"
        )
    if settings.client_file is None or settings.token_file is None:
        raise ConfigError(f"mailbox {name} has no client_file; name the OAuth client's file in the configuration")
    from orders_pipeline.mail import oauth_login

    oauth_login.login(
        settings.client_file,
        settings.token_file,
        scopes,
        say=say,
        what=f"mailbox {name}",
        browser=browser,
        port=port,
        timeout=timeout,
    )
    say(f"now try it: orders-pipeline mailbox check {name}")
