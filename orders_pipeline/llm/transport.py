"""One POST to a server that may do anything: stall, drip, tear an answer off, send without end.

Belongs here: the connection, its deadlines and bounds, and the line for what went wrong. Not here: what is asked, what
an answer means. The deadline holds for the whole exchange, TLS and headers included: a timer shuts the socket down. No
redirect is followed, no .netrc is read, and no proxy stands between this process and a server on this machine.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from orders_pipeline.llm.faults import Kind, LlmFault
from orders_pipeline.wire.socket_handle import Wire, causes_of

MAX_BYTES = 4 * 1024 * 1024  # an answer is some kB
_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class HttpReply:
    """Status, headers by lower-case name, and the whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """One connection, kept open between requests; for one thread at a time. Times are in seconds."""

    def __init__(self, *, connect_timeout: float, timeout: float, local: bool) -> None:
        self._connect_timeout, self._timeout, self._local = min(connect_timeout, timeout), timeout, local
        self._session: Any = None
        self._wire = Wire()

    def post(self, url: str, *, headers: Mapping[str, str], body: bytes) -> HttpReply:
        """The server's whole answer, whatever its status. Raises ``LlmFault``."""
        import requests
        import urllib3.exceptions

        host = urlsplit(url).netloc.rpartition("@")[2]
        try:
            with (
                self._wire.deadline(self._timeout),
                self._opened().post(
                    url,
                    headers=dict(headers),
                    data=body,
                    timeout=(self._connect_timeout, self._timeout),
                    allow_redirects=False,
                    stream=True,
                ) as response,
            ):
                content = _read(response.raw, host)
                names = {name.lower(): value for name, value in response.headers.items()}
                reply = HttpReply(response.status_code, names, content)
            if self._wire.cut:  # at the very end: the answer is whole, the connection is not
                self.close()
            return reply
        except LlmFault:
            self.close()
            raise
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            cut = self._wire.cut
            self.close()
            raise _fault(error, host, self._timeout, cut=cut) from None

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
            self._session.trust_env = not self._local
            # With an authentication of our own, which adds nothing, the session does not look one up in .netrc.
            self._session.auth = lambda request: request
            for scheme in ("https://", "http://"):
                self._session.mount(scheme, wired_adapter(self._wire.hold))
        return self._session


def _read(raw: Any, host: str) -> bytes:
    content = bytearray()
    while piece := raw.read1(_CHUNK, decode_content=True):
        content += piece
        if len(content) > MAX_BYTES:
            raise LlmFault(Kind.ANSWER, f"{host} sent more than {MAX_BYTES} bytes", billed=True)
    return bytes(content)


def _fault(error: BaseException, host: str, timeout: float, *, cut: bool) -> LlmFault:
    causes = list(causes_of(error))
    names = {type(cause).__name__ for cause in causes}
    if cut:
        return LlmFault(Kind.SERVER, f"{host} gave no whole answer within {timeout:g} s", billed=True)
    certificate = next((c for c in causes if isinstance(c, ssl.SSLCertVerificationError)), None)
    if certificate is not None:
        text = f"the certificate of {host} is not trusted ({certificate.verify_message})"
        return LlmFault(Kind.LOGIN, f"{text}; correct review.model.base_url, or the system's certificates")
    if names & {"SSLError", "SSLEOFError", "SSLZeroReturnError"}:
        return LlmFault(Kind.LINE, f"no TLS connection with {host}", retriable=True)
    if any(isinstance(c, socket.gaierror) for c in causes) or "NameResolutionError" in names:
        return LlmFault(Kind.LINE, f"the name {host} cannot be resolved", retriable=True)
    if any(isinstance(c, ConnectionRefusedError) for c in causes):
        return LlmFault(Kind.LINE, f"{host} refuses the connection: is the server running?", retriable=True)
    if "ProxyError" in names:
        return LlmFault(Kind.LINE, f"the proxy on the way to {host} fails", retriable=True)
    if names & {"ConnectTimeout", "ConnectTimeoutError"}:
        return LlmFault(Kind.LINE, f"{host} does not take the connection", retriable=True)
    if any(isinstance(c, TimeoutError) for c in causes) or any("Timeout" in name for name in names):
        return LlmFault(Kind.SERVER, f"{host} gave no whole answer within {timeout:g} s", billed=True)
    return LlmFault(Kind.SERVER, f"the connection to {host} broke off", retriable=True, billed=True)
