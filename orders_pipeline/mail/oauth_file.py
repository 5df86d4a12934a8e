"""The file that holds an OAuth login: JSON with mode 600, in the form that Google's own tools call authorized_user.

Belongs here: reading and writing it, and the lock of those who renew it. Not here: talking to an authorization server.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import json
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from orders_pipeline.errors import ConfigError, MailboxError
from orders_pipeline.mailbox_settings import is_loopback
from orders_pipeline.secret import Secret, private_text

_LOCK_SECONDS = 60.0
_LOCK_STEP = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """What a person's consent gave. ``access`` may be used until ``expires_at``; ``refresh`` buys another."""

    client_id: str
    client_secret: Secret | None
    token_uri: str
    refresh: Secret
    access: Secret | None = None
    expires_at: dt.datetime | None = None
    scopes: tuple[str, ...] = ()


def login_command(what: str) -> str:
    """The remedy; ``what`` is ``mailbox NAME``, as errors begin."""
    return f"orders-pipeline mailbox login {what.removeprefix('mailbox ')}"


def read_login(path: Path, *, what: str) -> Login:
    """The login in a file. Raises ``MailboxError`` when it is missing, others can read it, or it holds no login."""
    if not path.exists():
        raise MailboxError(f"{what}: nobody has logged in yet ({path} does not exist); run: {login_command(what)}")
    try:
        text = private_text(path, what=what)
    except ConfigError as error:
        raise MailboxError(str(error)) from None
    try:
        return _login(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise MailboxError(f"{what}: {path} holds no login; run: {login_command(what)}") from None


def write_login(path: Path, login: Login) -> None:
    """Put a login in place of the one before, all of it or nothing, never readable by others. Raises OSError."""
    target = Path(os.path.realpath(path))  # a link to the file stays one
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
            json.dump(_plain(login), file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    folder = os.open(target.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextlib.contextmanager
def renewing(path: Path) -> Iterator[None]:
    """Hold the lock of those who renew this login: the others find it renewed.

    Without a lock to be had (a folder that cannot be written, a holder that hangs) it goes on: two renewals at once
    cost one request more, and the file is whole either way.
    """
    target = Path(os.path.realpath(path))
    try:
        handle = os.open(target.with_name(f".{target.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        until = time.monotonic() + _LOCK_SECONDS
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > until:
                    break
                time.sleep(_LOCK_STEP)
        yield
    finally:
        os.close(handle)


def scope_words(scopes: Any) -> tuple[str, ...]:
    """Scopes as a tuple: files and answers give a list, or one text with spaces."""
    return tuple(scopes.split() if isinstance(scopes, str) else map(str, scopes or ()))


def is_safe_uri(uri: str) -> bool:
    """Whether secrets may be sent to an address: https, or this machine."""
    parts = urlsplit(uri)
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))


def _login(data: Any) -> Login:
    texts = {name: data[name] for name in ("client_id", "token_uri", "refresh_token")}
    if not all(isinstance(text, str) and text for text in texts.values()) or not is_safe_uri(texts["token_uri"]):
        raise ValueError("no login")
    secret, access, expiry = (data.get(name) or None for name in ("client_secret", "token", "expiry"))
    return Login(
        client_id=texts["client_id"],
        client_secret=Secret(str(secret)) if secret else None,
        token_uri=texts["token_uri"],
        refresh=Secret(texts["refresh_token"]),
        access=Secret(str(access)) if access else None,
        expires_at=_instant(expiry) if expiry else None,
        scopes=scope_words(data.get("scopes")),
    )


def _instant(text: str) -> dt.datetime:
    instant = dt.datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=dt.UTC)  # Google's tools write UTC without a zone


def _plain(login: Login) -> dict[str, Any]:
    return {
        "type": "authorized_user",
        "client_id": login.client_id,
        **({"client_secret": login.client_secret.reveal()} if login.client_secret else {}),
        "token_uri": login.token_uri,
        "refresh_token": login.refresh.reveal(),
        **({"token": login.access.reveal()} if login.access else {}),
        **({"expiry": login.expires_at.astimezone(dt.UTC).isoformat()} if login.expires_at else {}),
        "scopes": list(login.scopes),
    }
