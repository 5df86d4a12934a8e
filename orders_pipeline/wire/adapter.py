"""Connections of requests that hand out their socket as soon as it is open.

Belongs here: the three classes between requests and the socket. In a module of its own, because requests costs 0.1 s to
import and only who calls a model needs it.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

Hold = Callable[[socket.socket], None]


def wired_adapter(hold: Hold) -> HTTPAdapter:
    """An adapter that calls ``hold`` with each socket, before TLS begins on it."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            opened = super()._new_conn()
            hold(opened)
            return opened

    class Tls(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            opened = super()._new_conn()
            hold(opened)
            return opened

    class PlainPool(HTTPConnectionPool):
        ConnectionCls: Any = Plain

    class TlsPool(HTTPSConnectionPool):
        ConnectionCls: Any = Tls

    pools = {"http": PlainPool, "https": TlsPool}

    class Wired(HTTPAdapter):
        def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
            super().init_poolmanager(*args, **kwargs)
            self.poolmanager.pool_classes_by_scheme = pools

        def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
            manager = super().proxy_manager_for(*args, **kwargs)
            manager.pool_classes_by_scheme = pools
            return manager

    return Wired(pool_connections=1, pool_maxsize=1, max_retries=0)
