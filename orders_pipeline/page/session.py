"""Who may use the page: the browser that was given this process's link.

Belongs here: the link's token, the cookie that it is exchanged for, and the token in every form. All of them die with
the process. Not here: which requests need them (guard.py).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable


class Session:
    """The secrets of one run of the page. A link works once; then ``on_new_link`` is told the next one's token."""

    def __init__(self, port: int, on_new_link: Callable[[str], None] = lambda token: None) -> None:
        self.cookie_name = f"orders_review_{port}"  # cookies know no ports: two pages on one machine must not share one
        self._secret = secrets.token_urlsafe(32)
        self._link = secrets.token_urlsafe(24)
        self._on_new_link = on_new_link
        self._lock = threading.Lock()

    @property
    def link_token(self) -> str:
        """The token of the link that was not used yet."""
        return self._link

    @property
    def cookie(self) -> str:
        """The value of the cookie that every request needs."""
        return self._secret

    @property
    def form_token(self) -> str:
        """What every form carries: it can be read by pages of ours alone."""
        return hmac.digest(self._secret.encode(), b"form", hashlib.sha256).hex()

    def exchange(self, token: str) -> bool:
        """Whether this is the token of an unused link; it is used then."""
        with self._lock:
            good = _equal(token, self._link)
            if good:
                self._link = secrets.token_urlsafe(24)
        if good:
            self._on_new_link(self._link)
        return good

    def is_cookie(self, value: str | None) -> bool:
        """Whether a request's cookie is ours."""
        return value is not None and _equal(value, self._secret)

    def is_form_token(self, value: str | None) -> bool:
        """Whether a form is ours."""
        return value is not None and _equal(value, self.form_token)


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
