"""The settings of the mailboxes, one class a kind.

Belongs here: what a ``[[mailbox]]`` section may say, and its limits. Not here: reading secrets (secret.py), and how a
mailbox works (mail/). A setting never holds a secret: it names the environment variable or the file that does.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

MAILBOX_KINDS = "maildir, mbox, eml, imap, gmail"


class Section(BaseModel):
    """A section of the configuration: unknown keys are faults, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def _some_path(text: object) -> object:
    if isinstance(text, str) and (not text.strip() or "\0" in text):
        raise ValueError("names no file or folder; write where it lies")
    return text


def _no_number(value: object) -> object:
    if isinstance(value, int | float) or (isinstance(value, str) and value.strip().isdigit()):
        raise ValueError("is a number, not a day; write it as 2026-05-11")  # else read as seconds since 1970
    return value


SomePath = Annotated[Path, BeforeValidator(_some_path)]
Day = Annotated[dt.date, BeforeValidator(_no_number)]
_Line = Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^[^\x00-\x1f\x7f]+$")]
_EnvName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]
_Timeout = Annotated[float, Field(gt=0, le=3600)]


class _MailboxBase(Section):
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
    since: Day | None = None  # owes no day before this one


class MaildirMailbox(_MailboxBase):
    """A Maildir, with its subfolders."""

    kind: Literal["maildir"]
    path: SomePath


class MboxMailbox(_MailboxBase):
    """One mbox file, or a folder of them."""

    kind: Literal["mbox"]
    path: SomePath


class EmlMailbox(_MailboxBase):
    """A folder of .eml files, subfolders included."""

    kind: Literal["eml"]
    path: SomePath


class ImapMailbox(_MailboxBase):
    """A mailbox on an IMAP server.

    ``security``: TLS from the first byte (port 993), STARTTLS (port 143), or none, which only this machine's own
    addresses may use. ``ca_file`` trusts a certificate authority, or one self-signed certificate, beside the system's.
    The password is in an environment variable or in a file; ``token_file`` logs in with OAuth2 (XOAUTH2) instead, and
    ``client_file`` and ``scopes`` are what ``mailbox login`` needs to get it. No ``folders`` means all of them but
    those that hold spam and trash.
    """

    kind: Literal["imap"]
    host: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,255}$")]
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    security: Literal["tls", "starttls", "none"] = "tls"
    ca_file: SomePath | None = None
    username: _Line
    password_env: _EnvName | None = None
    password_file: SomePath | None = None
    token_file: SomePath | None = None
    client_file: SomePath | None = None
    scopes: tuple[_Line, ...] = ()
    folders: tuple[_Line, ...] = ()
    timeout_seconds: _Timeout = 60.0

    @model_validator(mode="after")
    def _one_login(self) -> ImapMailbox:
        ways = [w for w in ("password_env", "password_file", "token_file") if getattr(self, w) is not None]
        if len(ways) != 1:
            told = " and ".join(ways) or "none of them"
            raise ValueError(f"has {told}; give exactly one of password_env, password_file, token_file")
        if self.security == "none" and not is_loopback(self.host):
            raise ValueError(
                f"would send the login to {self.host} in the clear; use security = 'tls' or 'starttls'"
                " ('none' is for servers on this machine)"
            )
        return self

    @property
    def server_port(self) -> int:
        """The port, or the usual one."""
        return self.port or (993 if self.security == "tls" else 143)


class GmailMailbox(_MailboxBase):
    """A Gmail account through its API, read-only.

    ``client_file`` is the OAuth client of a desktop app as Google's console gives it, ``token_file`` is what
    ``mailbox login`` writes. ``query`` narrows what is fetched, in the words of Gmail's search box. ``endpoint`` is
    another address of the API: a proxy on this machine.
    """

    kind: Literal["gmail"]
    client_file: SomePath
    token_file: SomePath
    query: Annotated[str, Field(max_length=1000, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    endpoint: Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=1000)] | None = None
    timeout_seconds: _Timeout = 60.0

    @model_validator(mode="after")
    def _endpoint_is_safe(self) -> GmailMailbox:
        if self.endpoint:
            url = urlsplit(self.endpoint)
            if url.scheme != "https" and not is_loopback(url.hostname or ""):
                raise ValueError("endpoint would send the token in the clear; use https://")
        return self


MailboxSettings = Annotated[
    MaildirMailbox | MboxMailbox | EmlMailbox | ImapMailbox | GmailMailbox, Field(discriminator="kind")
]
_PATHS = ("path", "ca_file", "password_file", "token_file", "client_file")


def path_fields(settings: Section) -> dict[str, Path]:
    """The settings of a mailbox that name files or folders, those that are set."""
    return {name: value for name in _PATHS if isinstance(value := getattr(settings, name, None), Path)}


def is_loopback(host: str) -> bool:
    """Whether a host is this machine: ``localhost`` or a loopback address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
