"""The HTTP of Google's client library, made of ours: deadlines, bounds, and the access token.

Belongs here: what the library calls ``http``, and what came of a request. Not here: what is asked. The library's usual
transport (httplib2) has no deadline for a server that drips, and no bound of an answer's size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from orders_pipeline.mail.http_client import HttpClient
from orders_pipeline.secret import Secret


class Transport:
    """What the library's requests call. ``token`` gives the access token; given a rejected one, it gives another."""

    def __init__(self, timeout: float, token: Callable[[Secret | None], Secret]) -> None:
        self._client = HttpClient(timeout)
        self._new_token = token
        self._token: Secret | None = None
        self.max_bytes = 0

    def request(
        self,
        uri: str,
        method: str = "GET",
        body: str | bytes | None = None,
        headers: Mapping[str, str] | None = None,
        redirections: int = 0,
        connection_type: Any = None,
    ) -> tuple[Any, bytes]:
        """The answer as the library wants it. Raises ``HttpFault``, and ``MailboxError`` when there is no token."""
        import httplib2

        sent = {k: v for k, v in (headers or {}).items() if k.lower() not in ("content-length", "accept-encoding")}
        if self._token is None:
            self._token = self._new_token(None)
        sent["authorization"] = f"Bearer {self._token.reveal()}"
        answer = self._client.send(method, uri, headers=sent, body=body or None, max_bytes=self.max_bytes)
        return httplib2.Response({**answer.headers, "status": str(answer.status)}), answer.body

    def renew(self) -> None:
        """The last token was not accepted (any more): get another. Raises ``MailboxError``."""
        self._token = self._new_token(self._token)

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()
