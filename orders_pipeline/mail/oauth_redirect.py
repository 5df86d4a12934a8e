"""The address on this machine to which a provider sends the browser after consent (RFC 8252).

Belongs here: waiting for that one request. Not here: what is done with the code. Other requests (a browser's favicon, a
scanner, a redirect of another attempt) are answered and change nothing.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

_DONE = "<!doctype html><title>orders-pipeline</title><p>You may close this page and go back to the terminal.</p>"
_CONNECTION_SECONDS = 10.0


class Redirect:
    """Listens on loopback from the beginning; ``uri`` is what the provider is told."""

    def __init__(self, port: int = 0) -> None:
        """``port`` 0 takes a free one. Raises OSError when it is taken."""
        self._answers: list[Mapping[str, str]] = []
        self._state = ""
        self._server = HTTPServer(("127.0.0.1", port), self._handler())
        self.port: int = self._server.server_address[1]
        # Not 127.0.0.1: Microsoft lets a desktop program choose the port for this name alone.
        self.uri = f"http://localhost:{self.port}/"

    def wait(self, state: str, seconds: float) -> Mapping[str, str] | None:
        """The parameters of the redirect that carries ``state``; None when none came in time."""
        self._state = state
        until = time.monotonic() + seconds
        while not self._answers and (left := until - time.monotonic()) > 0:
            self._server.timeout = left
            self._server.handle_request()
        return self._answers[0] if self._answers else None

    def close(self) -> None:
        """Stop listening."""
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        redirect = self

        class Handler(BaseHTTPRequestHandler):
            timeout = _CONNECTION_SECONDS

            def do_GET(self) -> None:
                try:
                    query = parse_qs(urlsplit(self.path).query, max_num_fields=50)
                except ValueError:
                    query = {}
                given = {name: values[0] for name, values in query.items()}
                ours = hmac.compare_digest(given.get("state", "").encode(), redirect._state.encode())
                known = ours and bool(given.get("code") or given.get("error"))
                if known:
                    redirect._answers.append(given)
                body = (_DONE if known else "not the address of a login in progress").encode()
                self.send_response(200 if known else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8" if known else "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing: the request line holds the code."""

        return Handler
