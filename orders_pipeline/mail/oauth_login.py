"""A person's consent: the browser shows the provider's page, and the login that it gives is saved.

Belongs here: the installed-app flow (authorization code with PKCE, redirect to this machine). Not here: the client file
(oauth_client.py), the redirect (oauth_redirect.py), renewing (oauth.py).
"""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.http_client import HttpClient, HttpFault
from orders_pipeline.mail.oauth import ask_token_server, expiry_of, refusal
from orders_pipeline.mail.oauth_client import Client, read_client
from orders_pipeline.mail.oauth_file import Login, login_command, scope_words, write_login
from orders_pipeline.mail.oauth_redirect import Redirect
from orders_pipeline.secret import Secret

# Google gives a refresh token at the first consent only, unless it is asked for consent anew.
_OF_GOOGLE = {"access_type": "offline", "prompt": "consent"}
# Asked for, and not named among the granted ones by every provider.
_UNNAMED = frozenset({"offline_access", "openid", "email", "profile"})


def login(
    client_file: Path,
    token_file: Path,
    scopes: Sequence[str],
    *,
    say: Callable[[str], object],
    what: str,
    browser: bool = True,
    port: int = 0,
    timeout: float = 600.0,
    open_browser: Callable[[str], bool] | None = None,
) -> None:
    """Ask for consent and save the login in ``token_file`` (mode 600).

    ``say`` gets lines for the person, the address to open among them. Without ``browser`` none is opened here: the
    person opens the address elsewhere, through the tunnel that is told. ``what`` begins errors: ``mailbox NAME``.
    Raises ``MailboxError`` when consent is refused, incomplete, or not given within ``timeout`` seconds.
    """
    client = read_client(client_file, what=what)
    if not scopes:
        raise MailboxError(f"{what}: no scopes to ask for; set scopes in the configuration")
    try:
        redirect = Redirect(port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MailboxError(f"{what}: cannot listen on port {port} of this machine: {reason}; choose another") from None
    try:
        url, state, verifier = _authorization(client, scopes, redirect.uri)
        _invite(url, redirect.port, say, (open_browser or _open_browser) if browser else None)
        given = redirect.wait(state, timeout)
    finally:
        redirect.close()
    if given is None:
        raise MailboxError(f"{what}: no consent came within {timeout:.0f} s; run again: {login_command(what)}")
    if "code" not in given:
        told = printable_line(" ".join(filter(None, [given["error"], given.get("error_description")])), 160)
        raise MailboxError(f"{what}: consent was not given ({told}); run again: {login_command(what)}")
    data = _exchange(client, given["code"], verifier, redirect.uri, what)
    _save(token_file, client, scopes, data, what)
    say(f"logged in: {token_file}")


def _authorization(client: Client, scopes: Sequence[str], redirect_uri: str) -> tuple[str, str, str]:
    """The address of the provider's page, its state, and PKCE's verifier."""
    from google_auth_oauthlib.flow import InstalledAppFlow  # 0.3 s: only for a login

    config = {"installed": {"client_id": client.client_id, "auth_uri": client.auth_uri, "token_uri": client.token_uri}}
    flow = InstalledAppFlow.from_client_config(
        config, list(scopes), redirect_uri=redirect_uri, autogenerate_code_verifier=True
    )
    # The library asks for offline access by a parameter that is Google's own.
    url, state = flow.authorization_url(**(_OF_GOOGLE if client.is_google else {"access_type": None}))
    return url, state, str(flow.code_verifier)


def _open_browser(url: str) -> bool:
    # Without a display there may be a browser for terminals, which such a page is not made for.
    if sys.platform.startswith("linux") and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))):
        return False
    return webbrowser.open(url)


def _invite(url: str, port: int, say: Callable[[str], object], open_browser: Callable[[str], bool] | None) -> None:
    opened = False
    if open_browser is not None:
        try:
            opened = open_browser(url)
        except Exception:
            opened = False
    if opened:
        say("Your browser shows the consent page. If it does not, open this address in it:")
        say(url)
        return
    say("Open this address in a browser on this machine, and consent:")
    say(url)
    say("If the browser is on another machine, first connect that one to this machine:")
    say(f"  ssh -N -L {port}:localhost:{port} {socket.gethostname()}")


def _exchange(client: Client, code: str, verifier: str, redirect_uri: str, what: str) -> dict[str, Any]:
    # By our own request: the library's raises when a provider names the scopes otherwise (Microsoft does), and has no
    # way without a client secret.
    fields = {
        "grant_type": "authorization_code",
        "client_id": client.client_id,
        "code": code,
        "code_verifier": verifier,
        "redirect_uri": redirect_uri,
    }
    if client.client_secret:
        fields["client_secret"] = client.client_secret.reveal()
    http = HttpClient(timeout=30.0)
    try:
        answer, data = ask_token_server(http, client.token_uri, fields)
    except HttpFault as fault:
        raise MailboxError(f"{what}: {fault}; check the connection, then run: {login_command(what)}") from None
    finally:
        http.close()
    if answer.status != 200 or not isinstance(data.get("access_token"), str):
        host = urlsplit(client.token_uri).netloc
        told = (code, verifier, fields.get("client_secret", ""))
        raise refusal(what, answer, data, host, secrets=told)
    return data


def _save(path: Path, client: Client, scopes: Sequence[str], data: Mapping[str, Any], what: str) -> None:
    refresh = data.get("refresh_token")
    if not isinstance(refresh, str) or not refresh:
        remedy = (
            "remove the app at https://myaccount.google.com/permissions"
            if client.is_google
            else "add offline_access to scopes"
        )
        raise MailboxError(f"{what}: the provider gave no refresh token; {remedy}, then run: {login_command(what)}")
    granted = scope_words(data.get("scope")) or tuple(scopes)
    have = {scope.lower() for scope in granted}
    if missing := [s for s in scopes if s.lower() not in have and s.lower() not in _UNNAMED]:
        raise MailboxError(f"{what}: consent left out {missing[0]}; tick every box at: {login_command(what)}")
    saved = Login(
        client_id=client.client_id,
        client_secret=client.client_secret,
        token_uri=client.token_uri,
        refresh=Secret(refresh),
        access=Secret(data["access_token"]),
        expires_at=expiry_of(data),
        scopes=granted,
    )
    try:
        write_login(path, saved)
    except OSError as error:
        raise MailboxError(f"{what}: cannot write {path}: {error.strerror}; check its folder's permissions") from None
