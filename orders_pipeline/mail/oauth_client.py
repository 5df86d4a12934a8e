"""The OAuth client: what a program is registered as at Google, Microsoft or another provider.

Belongs here: reading the client file. Not here: asking for consent.

The file is JSON with mode 600, in the form that Google's console gives for a client of the type "Desktop app":

    {"installed": {"client_id": "...", "client_secret": "...",
                   "auth_uri": "https://accounts.google.com/o/oauth2/auth",
                   "token_uri": "https://oauth2.googleapis.com/token"}}

For Microsoft 365 and Outlook.com it is written by hand, with the application (client) id of a registration that allows
public client flows and has the redirect address http://localhost, and without a secret. The scopes are
https://outlook.office.com/IMAP.AccessAsUser.All and offline_access; ``common`` may be the tenant's id instead:

    {"installed": {"client_id": "...",
                   "auth_uri": "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
                   "token_uri": "https://login.microsoftonline.com/common/oauth2/v2.0/token"}}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from orders_pipeline.errors import ConfigError, MailboxError
from orders_pipeline.mail.oauth_file import is_safe_uri
from orders_pipeline.secret import Secret, private_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A registered program and the two addresses of its provider."""

    client_id: str
    client_secret: Secret | None
    auth_uri: str
    token_uri: str

    @property
    def is_google(self) -> bool:
        """Whether the provider is Google, which gives a lasting login only when asked in its own way."""
        host = urlsplit(self.auth_uri).hostname or ""
        return host == "google.com" or host.endswith(".google.com")


def read_client(path: Path, *, what: str) -> Client:
    """The client in a file. Raises ``MailboxError`` when it is missing, others can read it, or it is no such file."""
    try:
        text = private_text(path, what=what)
    except ConfigError as error:
        raise MailboxError(str(error)) from None
    try:
        data = json.loads(text)
        if "installed" not in data and "web" in data:
            remedy = "create an OAuth client of the type Desktop app and download its JSON"
            raise MailboxError(f"{what}: {path} is the client of a web application; {remedy}")
        fields = data["installed"]
        texts = [fields[name] for name in ("client_id", "auth_uri", "token_uri")]
        secret = fields.get("client_secret")
        client_id, auth_uri, token_uri = texts
        if all(isinstance(t, str) and t for t in texts) and auth_uri.startswith("https://") and is_safe_uri(token_uri):
            found = Secret(str(secret)) if secret else None
            return Client(client_id=client_id, client_secret=found, auth_uri=auth_uri, token_uri=token_uri)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    remedy = 'it is JSON with "installed" and in it client_id, auth_uri and token_uri (https)'
    raise MailboxError(f"{what}: {path} is no OAuth client file; {remedy}")
