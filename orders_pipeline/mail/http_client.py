"""One HTTP exchange with a mail provider's server, with its bounds and a line for what went wrong.

Belongs here: how much is read, how slowly it may come, and the words. Not here: the connection (wire/), what is asked,
what an answer means, trying again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from orders_pipeline.wire.session import Answer, WiredSession, lower_headers
from orders_pipeline.wire.trouble import WORDS, Trouble, WireFault

_CHUNK = 64 * 1024
# Slower than this on average, beyond the timeout that every answer is granted, is a server that hangs.
_SLOWEST_BYTES_PER_SECOND = 1024
_WORDS = {
    **WORDS,
    Trouble.CONNECT: "{host} did not answer within {timeout:g} s",
    Trouble.TIMEOUT: "{host} did not answer within {timeout:g} s",
}


class HttpFault(Exception):
    """An exchange that gave no whole answer. The text is for people: no address parameter, header or body is in it."""

    def __init__(self, text: str, *, too_large: bool = False) -> None:
        super().__init__(text)
        self.too_large = too_large


class HttpClient:
    """A connection to servers that is kept open between requests. ``timeout`` is in seconds."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._session = WiredSession()

    def send(
        self, method: str, url: str, *, headers: Mapping[str, str], body: str | bytes | None, max_bytes: int
    ) -> Answer:
        """The server's whole answer, whatever its status. Raises ``HttpFault``."""
        began = time.monotonic()
        host = urlsplit(url).netloc.rpartition("@")[2]
        try:
            with self._session.request(
                method,
                url,
                headers=headers,
                body=body,
                timeout=self._timeout,
                seconds=self._timeout,
                to_the_end=False,
            ) as response:
                content = self._read(response.raw, began, max_bytes, host)
                return Answer(response.status_code, lower_headers(response), content)
        except WireFault as fault:
            words = _WORDS[fault.trouble]
            raise HttpFault(words.format(host=host, detail=fault.detail, timeout=self._timeout)) from None

    def close(self) -> None:
        """Let go of the connection; the next request opens another."""
        self._session.close()

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
