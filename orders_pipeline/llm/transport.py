"""One POST to the model's server, within one deadline.

Belongs here: the bounds of the exchange, and whose fault it is when there is no answer. Not here: the connection
(wire/), what is asked, what an answer means. No proxy stands between this process and a server on this machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from orders_pipeline.llm.faults import Kind, LlmFault
from orders_pipeline.wire.session import Answer, WiredSession, lower_headers
from orders_pipeline.wire.trouble import WORDS, Trouble, WireFault

MAX_BYTES = 4 * 1024 * 1024  # an answer is some kB
_CHUNK = 64 * 1024
_WORDS = {
    **WORDS,
    Trouble.CERTIFICATE: WORDS[Trouble.CERTIFICATE] + "; correct review.model.base_url, or the system's certificates",
    Trouble.REFUSED: WORDS[Trouble.REFUSED] + ": is the server running?",
    Trouble.CONNECT: "{host} does not take the connection",
    Trouble.TIMEOUT: "{host} gave no whole answer within {timeout:g} s",
}


class Transport:
    """One connection, kept open between requests; for one thread at a time. Times are in seconds."""

    def __init__(self, *, connect_timeout: float, timeout: float, local: bool) -> None:
        self._connect_timeout, self._timeout = min(connect_timeout, timeout), timeout
        self._session = WiredSession(trust_env=not local)

    def post(self, url: str, *, headers: Mapping[str, str], body: bytes) -> Answer:
        """The server's whole answer, whatever its status. Raises ``LlmFault``."""
        host = urlsplit(url).netloc.rpartition("@")[2]
        try:
            with self._session.request(
                "POST",
                url,
                headers=headers,
                body=body,
                timeout=(self._connect_timeout, self._timeout),
                seconds=self._timeout,
                to_the_end=True,
            ) as response:
                return Answer(response.status_code, lower_headers(response), _read(response.raw, host))
        except LlmFault:
            self.close()
            raise
        except WireFault as fault:
            raise _fault(fault, host, self._timeout) from None

    def close(self) -> None:
        """Let go of the connection; the next request opens another."""
        self._session.close()


def _read(raw: Any, host: str) -> bytes:
    content = bytearray()
    while piece := raw.read1(_CHUNK, decode_content=True):
        content += piece
        if len(content) > MAX_BYTES:
            raise LlmFault(Kind.ANSWER, f"{host} sent more than {MAX_BYTES} bytes", billed=True)
    return bytes(content)


def _fault(fault: WireFault, host: str, timeout: float) -> LlmFault:
    said = _WORDS[fault.trouble].format(host=host, detail=fault.detail, timeout=timeout)
    match fault.trouble:
        case Trouble.CERTIFICATE:
            return LlmFault(Kind.LOGIN, said)
        case Trouble.TIMEOUT:
            return LlmFault(Kind.SERVER, said, billed=True)
        case Trouble.BROKEN:
            return LlmFault(Kind.SERVER, said, retriable=True, billed=True)
        case _:  # before anything was asked
            return LlmFault(Kind.LINE, said, retriable=True)
