"""What went wrong with a connection, told apart by the errors that the libraries wrap in one another.

Belongs here: the kinds of trouble, and the words that every caller has for most. Not here: what a caller does then.
"""

from __future__ import annotations

import socket
import ssl
from enum import StrEnum
from typing import Any


class Trouble(StrEnum):
    """Why an exchange gave no whole answer."""

    CERTIFICATE = "certificate"  # not trusted
    TLS = "tls"
    NAME = "name"  # cannot be resolved
    REFUSED = "refused"
    PROXY = "proxy"
    CONNECT = "connect"  # nobody took the connection in time
    TIMEOUT = "timeout"  # no answer, or none that was whole, in time
    BROKEN = "broken"


WORDS = {
    Trouble.CERTIFICATE: "the certificate of {host} is not trusted ({detail})",
    Trouble.TLS: "no TLS connection with {host}",
    Trouble.NAME: "the name {host} cannot be resolved",
    Trouble.REFUSED: "{host} refuses the connection",
    Trouble.PROXY: "the proxy on the way to {host} fails",
    Trouble.BROKEN: "the connection to {host} broke off",
}


class WireFault(Exception):
    """An exchange that gave no whole answer. ``detail`` is the library's word on a certificate, else empty."""

    def __init__(self, trouble: Trouble, detail: str = "") -> None:
        super().__init__(trouble.value)
        self.trouble, self.detail = trouble, detail


def wire_fault(error: BaseException) -> WireFault:
    """The fault that an error of requests, urllib3 or the sockets stands for."""
    causes = _causes(error)
    names = {type(cause).__name__ for cause in causes}
    certificate = next((c for c in causes if isinstance(c, ssl.SSLCertVerificationError)), None)
    if certificate is not None:
        return WireFault(Trouble.CERTIFICATE, certificate.verify_message)
    if names & {"SSLError", "SSLEOFError", "SSLZeroReturnError"}:
        return WireFault(Trouble.TLS)
    if any(isinstance(c, socket.gaierror) for c in causes) or "NameResolutionError" in names:
        return WireFault(Trouble.NAME)
    if any(isinstance(c, ConnectionRefusedError) for c in causes):
        return WireFault(Trouble.REFUSED)
    if "ProxyError" in names:
        return WireFault(Trouble.PROXY)
    if names & {"ConnectTimeout", "ConnectTimeoutError"}:
        return WireFault(Trouble.CONNECT)
    if any(isinstance(c, TimeoutError) for c in causes) or any("Timeout" in name for name in names):
        return WireFault(Trouble.TIMEOUT)
    return WireFault(Trouble.BROKEN)


def _causes(error: BaseException) -> list[BaseException]:
    """The error and what lies behind it; the libraries wrap errors as arguments, reasons, causes and contexts."""
    found: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting and len(found) < 20:
        one = waiting.pop()
        if isinstance(one, BaseException) and one not in found:
            found.append(one)
            waiting += [*one.args, getattr(one, "reason", None), one.__cause__, one.__context__]
    return found
