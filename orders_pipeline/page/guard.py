"""What stands before every request and after every answer.

Belongs here: refusing requests that do not come from our own page in the browser that was given the link, and the
headers that bind a browser. Not here: forms and their token (forms.py), what a page shows.

A page elsewhere may make a browser send requests to 127.0.0.1, under a name that it lets point there: so the Host must
be ours. Cookies are sent to every port of a host: so the Origin must be ours as well.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from orders_pipeline.page.session import Session

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# With ``sandbox`` the mail has an origin of its own and runs nothing, be it opened in a tab of its own.
MAIL_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'self'; sandbox"
)
_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": PAGE_POLICY,
    # no-referrer would make a browser send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}
START = "/start"


class Guard:
    """Wraps the application. ``port`` is the one that it is served on."""

    def __init__(self, app: ASGIApp, *, session: Session, port: int) -> None:
        self._app, self._session = app, session
        self._hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        app = PlainTextResponse(f"{refusal}\n", status_code=403) if refusal else self._app
        await app(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> str | None:
        """Why a request is refused; None when it is not."""
        request = HTTPConnection(scope)
        headers = request.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "this page answers under 127.0.0.1 alone"
        if scope["method"] not in ("GET", "HEAD"):
            origins = headers.getlist("origin")
            if scope["method"] != "POST" or origins != [f"http://{hosts[0].lower()}"]:
                return "this request does not come from the review page"
            if headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return "this request does not come from the review page"
        if scope["path"] == START and scope["method"] == "GET":
            return None
        if not self._session.is_cookie(request.cookies.get(self._session.cookie_name)):
            return "open the link that `orders-pipeline review` printed: this browser was not given it"
        return None


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return wrapped
