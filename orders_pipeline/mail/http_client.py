"""One HTTP exchange with a server that may do anything: stall, drip, tear an answer off, send without end.

Belongs here: the connection, its deadlines and bounds, and a short name for what went wrong. Not here: what is asked,
what an answer means, trying again. No redirect is followed and no .netrc is read: a token goes to the address that was
configured, and nothing but the token goes there.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlsplit

from orders_pipeline.wire.socket_handle import Wire, causes_of

_CHUNK = 64 * 1024
# Slower than this on average, beyond the timeout that every answer is granted, is a server that hangs.
_SLOWEST_BYTES_PER_SECOND = 1024


class HttpFault(Exception):
    """An exchange that gave no whole answer. The text is for people: no address parameter, header or body is in it."""

    def __init__(self, text: str, *, too_large: bool = False) -> None:
        super().__init__(text)
        self.too_large = too_large


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers by lower-case name, and the whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"Answer({self.status}, {len(self.body)} bytes)"


class HttpClient:
    """A connection to servers that is kept open between requests. ``timeout`` is in seconds."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._session: Any = None
        self._wire = Wire()

    def send(
        self, method: str, url: str, *, headers: Mapping[str, str], body: str | bytes | None, max_bytes: int
    ) -> Answer:
        """The server's whole answer, whatever its status. Raises ``HttpFault``."""
        import requests
        import urllib3.exceptions

        began = time.monotonic()
        host = urlsplit(url).netloc.rpartition("@")[2]
        try:
            with self._answering(method, url, headers, body) as response:
                content = self._read(response.raw, began, max_bytes, host)
                names = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status_code, names, content)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            cut = self._wire.cut
            self.close()
            _give_up(error, host, self._timeout, cut=cut)

    def _answering(self, method: str, url: str, headers: Mapping[str, str], body: str | bytes | None) -> Any:
        """The answer up to its headers, within the timeout however slowly they drip."""
        with self._wire.deadline(self._timeout):
            response = self._opened().request(
                method, url, headers=dict(headers), data=body, timeout=self._timeout, allow_redirects=False, stream=True
            )
        if self._wire.cut:  # headers that we cut off look like headers that ended
            raise TimeoutError
        return response

    def close(self) -> None:
        """Let go of the connection; the next request opens another."""
        session, self._session = self._session, None
        if session is not None:
            with contextlib.suppress(Exception):
                session.close()
        self._wire.release()

    def _opened(self) -> Any:
        if self._session is None:
            import requests

            from orders_pipeline.wire.adapter import wired_adapter

            self._session = requests.Session()
            for scheme in ("https://", "http://"):
                self._session.mount(scheme, wired_adapter(self._wire.hold))
            # With an authentication of our own, which adds nothing, the session does not look one up in .netrc.
            self._session.auth = lambda request: request
        return self._session

    def _read(self, raw: Any, began: float, max_bytes: int, host: str) -> bytes:
        content = bytearray()
        while piece := raw.read1(_CHUNK, decode_content=True):
            content += piece
            if len(content) > max_bytes:
                self.close()
                raise HttpFault(f"{host} sent more than {max_bytes} bytes", too_large=True)
            if time.monotonic() - began > self._timeout + len(content) / _SLOWEST_BYTES_PER_SECOND:
                self.close()
                raise HttpFault(f"{host} answers too slowly ({len(content)} bytes in {self._timeout:g} s)")
        return bytes(content)


def _give_up(error: BaseException, host: str, timeout: float, *, cut: bool) -> NoReturn:
    causes = list(causes_of(error))
    names = {type(cause).__name__ for cause in causes}
    certificate = next((c for c in causes if isinstance(c, ssl.SSLCertVerificationError)), None)
    if cut:
        text = f"{host} did not answer within {timeout:g} s"
    elif certificate is not None:
        text = f"the certificate of {host} is not trusted ({certificate.verify_message})"
    elif names & {"SSLError", "SSLEOFError", "SSLZeroReturnError"}:
        text = f"no TLS connection with {host}"
    elif any(isinstance(c, socket.gaierror) for c in causes) or "NameResolutionError" in names:
        text = f"the name {host} cannot be resolved"
    elif any(isinstance(c, ConnectionRefusedError) for c in causes):
        text = f"{host} refuses the connection"
    elif names & {"ProxyError"}:
        text = f"the proxy on the way to {host} fails"
    elif any(isinstance(c, TimeoutError) for c in causes) or any("Timeout" in name for name in names):
        text = f"{host} did not answer within {timeout:g} s"
    else:
        text = f"the connection to {host} broke off"
    raise HttpFault(text) from None
