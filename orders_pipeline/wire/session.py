"""A connection that is kept open between requests, to a server that may do anything.

Belongs here: the session of requests, its deadline, and the fault for what went wrong. Not here: what is asked, what an
answer means, how much of it is read. No redirect is followed and no .netrc is read: a secret goes to the address that
was configured, and nothing but that secret goes there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from orders_pipeline.wire.socket_handle import Wire
from orders_pipeline.wire.trouble import Trouble, WireFault, wire_fault


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers by lower-case name, and the whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"Answer({self.status}, {len(self.body)} bytes)"


class WiredSession:
    """For one thread at a time. Without ``trust_env`` no proxy of the environment is used."""

    def __init__(self, *, trust_env: bool = True) -> None:
        self._trust_env = trust_env
        self._session: Any = None
        self._wire = Wire()

    @contextlib.contextmanager
    def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: str | bytes | None,
        timeout: float | tuple[float, float],
        seconds: float,
        to_the_end: bool,
    ) -> Iterator[Any]:
        """The answer of requests, as a stream, for the block.

        ``timeout`` is that of requests, between bytes. TLS and headers take no more than ``seconds`` however slowly
        they drip; ``to_the_end`` holds that for the block too. Raises ``WireFault``, also for errors of the connection
        in the block; the next request then opens another.
        """
        import requests
        import urllib3.exceptions

        try:
            with contextlib.ExitStack() as timed:
                timed.enter_context(self._wire.deadline(seconds))
                with self._opened().request(
                    method, url, headers=dict(headers), data=body, timeout=timeout, allow_redirects=False, stream=True
                ) as response:
                    if not to_the_end:
                        timed.close()
                        if self._wire.cut:  # headers that were cut off look like headers that ended
                            raise TimeoutError
                    yield response
                    # Cut at the very end the answer may be whole all the same, where its length was announced.
                    if self._wire.cut and response.raw.length_remaining != 0:
                        raise TimeoutError
            if self._wire.cut:
                self.close()
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            fault = WireFault(Trouble.TIMEOUT) if self._wire.cut else wire_fault(error)
            self.close()
            raise fault from None

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
            self._session.trust_env = self._trust_env
            # With an authentication of our own, which adds nothing, the session does not look one up in .netrc.
            self._session.auth = lambda request: request
            for scheme in ("https://", "http://"):
                self._session.mount(scheme, wired_adapter(self._wire.hold))
        return self._session


def lower_headers(response: Any) -> dict[str, str]:
    """The headers of an answer of requests, by lower-case name."""
    return {name.lower(): value for name, value in response.headers.items()}
