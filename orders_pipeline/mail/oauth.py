"""Access tokens for mailboxes: of Gmail's API, and of IMAP servers with XOAUTH2.

Belongs here: an access token that is valid now, renewed when it is not. Not here: a person's consent (oauth_login.py),
the file (oauth_file.py). google-auth's own credentials refuse to renew a login without a client secret, which is what
Microsoft gives to desktop programs; the request is the same four fields (RFC 6749, section 6).
"""

from __future__ import annotations

import datetime as dt
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.http_client import HttpClient, HttpFault
from orders_pipeline.mail.oauth_file import Login, login_command, read_login, renewing, write_login
from orders_pipeline.secret import Secret
from orders_pipeline.wire.session import Answer

_MARGIN = dt.timedelta(seconds=60)
_UNKNOWN_LIFE = 300
_TRIES = 3
_MAX_ANSWER = 1024 * 1024
# What says that a person must consent again: revoked, expired, or a rule of the account changed.
_LOGIN_AGAIN = frozenset(
    {"invalid_grant", "interaction_required", "consent_required", "login_required", "access_denied"}
)
_WRONG_CLIENT = frozenset({"invalid_client", "unauthorized_client", "deleted_client"})


def access_token(
    token_file: Path,
    *,
    what: str,
    rejected: Secret | None = None,
    timeout: float = 30.0,
    sleep: Callable[[float], object] = time.sleep,
) -> Secret:
    """A valid access token of the login in ``token_file``, renewed and saved there when needed.

    ``what`` begins each error: ``mailbox NAME``. ``rejected`` is a token that the server did not take although it has
    not expired: another is asked for. Raises ``MailboxError``.
    """
    login = read_login(token_file, what=what)
    if found := _valid(login, rejected):
        return found
    with renewing(token_file):
        login = read_login(token_file, what=what)  # the one before us may have renewed it
        if found := _valid(login, rejected):
            return found
        return _renewed(token_file, login, what=what, timeout=timeout, sleep=sleep)


def expiry_of(answer: Mapping[str, Any]) -> dt.datetime:
    """When the access token in a token server's answer ends."""
    life = answer.get("expires_in")
    try:
        seconds = min(max(0, int(life if life is not None else _UNKNOWN_LIFE)), 366 * 86_400)
    except (TypeError, ValueError, OverflowError):
        seconds = _UNKNOWN_LIFE
    return dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)


def ask_token_server(client: HttpClient, uri: str, fields: Mapping[str, str]) -> tuple[Answer, dict[str, Any]]:
    """POST a form to a token server; the answer, and its JSON object (empty when it is none). Raises ``HttpFault``."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    answer = client.send("POST", uri, headers=headers, body=urlencode(fields), max_bytes=_MAX_ANSWER)
    try:
        data = json.loads(answer.body)
    except (ValueError, RecursionError):
        data = None
    return answer, data if isinstance(data, dict) else {}


def refusal(what: str, answer: Answer, data: Mapping[str, Any], host: str, *, secrets: tuple[str, ...]) -> MailboxError:
    """The error for an answer of a token server that holds no token: one line, without ``secrets``."""
    code = str(data.get("error") or "")
    told = str(data.get("error_description") or "").split("\n")[0]
    for secret in filter(None, secrets):
        told = told.replace(secret, "***")
    why = printable_line(f"{code}: {told}" if told else code or f"HTTP {answer.status}", 160)
    if code in _LOGIN_AGAIN:
        return MailboxError(f"{what}: the login is no longer valid ({why}); run: {login_command(what)}")
    if code in _WRONG_CLIENT:
        remedy = f"check client_file, then run: {login_command(what)}"
        return MailboxError(f"{what}: {host} does not know the OAuth client ({why}); {remedy}")
    return MailboxError(f"{what}: {host} gave no token ({why}); it is asked again later, or run: {login_command(what)}")


def _valid(login: Login, rejected: Secret | None) -> Secret | None:
    if login.access is None or login.expires_at is None or login.expires_at - _MARGIN <= dt.datetime.now(dt.UTC):
        return None
    return None if rejected and rejected.reveal() == login.access.reveal() else login.access


def _renewed(path: Path, login: Login, *, what: str, timeout: float, sleep: Callable[[float], object]) -> Secret:
    data = _grant(login, what=what, timeout=timeout, sleep=sleep)
    rotated = data.get("refresh_token")
    refresh = Secret(rotated) if isinstance(rotated, str) and rotated else login.refresh
    access = Secret(data["access_token"])
    try:
        write_login(path, replace(login, access=access, refresh=refresh, expires_at=expiry_of(data)))
    except OSError as error:
        # A file that cannot be written (mounted read-only) still serves, as long as the refresh token stays the same.
        if refresh.reveal() != login.refresh.reveal():
            raise MailboxError(
                f"{what}: cannot save the renewed login in {path}: {error.strerror}; make its folder writable"
            ) from None
    return access


def _grant(login: Login, *, what: str, timeout: float, sleep: Callable[[float], object]) -> dict[str, Any]:
    fields = {"grant_type": "refresh_token", "client_id": login.client_id, "refresh_token": login.refresh.reveal()}
    if login.client_secret:
        fields["client_secret"] = login.client_secret.reveal()
    host = login.token_uri.split("/")[2]
    client = HttpClient(timeout)
    trouble = ""
    try:
        for attempt in range(_TRIES):
            if attempt:
                sleep(2.0**attempt * random.uniform(0.5, 1.0))  # noqa: S311 (spreads requests, no secret)
            try:
                answer, data = ask_token_server(client, login.token_uri, fields)
            except HttpFault as fault:
                trouble = str(fault)
                continue
            if answer.status == 200 and isinstance(data.get("access_token"), str) and data["access_token"]:
                return data
            if answer.status not in (408, 429) and answer.status < 500 and not (answer.status < 300 and not data):
                told = (fields["refresh_token"], fields.get("client_secret", ""))
                raise refusal(what, answer, data, host, secrets=told)
            trouble = f"{host} answered HTTP {answer.status}" + (
                "" if data or answer.status >= 300 else " without JSON"
            )
    finally:
        client.close()
    raise MailboxError(f"{what}: cannot renew the login: {trouble}; it is tried again later, check the connection")
