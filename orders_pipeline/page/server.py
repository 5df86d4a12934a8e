"""Serving the page in this process, on this machine alone.

Belongs here: the socket, the link, the end on Ctrl-C. Not here: what is served (app.py).
"""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable

import uvicorn

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.page.app import make_app
from orders_pipeline.page.guard import START
from orders_pipeline.page.session import Session
from orders_pipeline.stages.work import Work

HOST = "127.0.0.1"
# Tried first when no port is asked for: a browser keeps drafts by address, so the address should stay.
USUAL_PORT = 7391


def serve(
    work: Work,
    *,
    port: int | None = None,
    on_link: Callable[[str], None],
    on_new_link: Callable[[str], None],
) -> None:
    """Serve the page until Ctrl-C, SIGTERM or the end of the terminal; call it in the main thread.

    ``on_link`` is told the address once it answers there, ``on_new_link`` the next one when a link was used. Raises
    ``OrdersPipelineError`` when the port is taken.
    """
    sock = _listen(port)
    bound: int = sock.getsockname()[1]
    base = f"http://{HOST}:{bound}{START}?token="
    session = Session(bound, lambda token: on_new_link(base + token))
    config = uvicorn.Config(
        make_app(work, session, port=bound),
        lifespan="off",
        ws="none",
        loop="asyncio",
        http="h11",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)

    def stop(number: int, frame: object) -> None:
        server.should_exit = True

    # uvicorn hands the signal on once it has stopped: it must not end the process before what was decided is published.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # This one it does not know. An exception raised wherever the signal falls is eaten by an answer under way.
    signal.signal(signal.SIGHUP, stop)
    on_link(base + session.link_token)
    with sock, contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[sock])


def _listen(port: int | None) -> socket.socket:
    """A listening socket on the port that is asked for, or on the usual one, or on any that is free."""
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        # Without the protocol's number asyncio leaves Nagle's algorithm on: 40 ms more an answer.
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((HOST, wanted))
            sock.listen(128)
        except OSError as error:
            sock.close()
            if port is not None or not wanted:
                reason = error.strerror or error
                raise OrdersPipelineError(f"cannot listen on {HOST}:{wanted}: {reason}; try --port 0") from None
        else:
            return sock
    raise AssertionError("unreachable")
