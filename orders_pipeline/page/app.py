"""The application: its addresses, and what each answers.

Belongs here: routes and pages. Not here: who may ask (guard.py), what is shown of the store (index, queue, case_view),
what is done when a button is pressed (actions.py).
"""

from __future__ import annotations

from importlib import resources

from jinja2 import Environment, PackageLoader
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from orders_pipeline.errors import OrdersPipelineError, StoreError
from orders_pipeline.page import actions
from orders_pipeline.page.desk import Desk
from orders_pipeline.page.forms import BadForm
from orders_pipeline.page.guard import MAIL_POLICY, START, Guard
from orders_pipeline.page.mail_frame import frame_document
from orders_pipeline.page.queue import Filter
from orders_pipeline.page.session import Session
from orders_pipeline.stages.decide import UnknownCase
from orders_pipeline.stages.work import Work

_STATIC = {"page.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}


def make_app(work: Work, session: Session, *, port: int) -> ASGIApp:
    """The page over a store, for the browsers that ``session`` lets in, served on ``port``."""
    desk = Desk(work, session, _environment())
    pages = Pages(desk)
    app = Starlette(
        routes=[
            Route(START, pages.start),
            Route("/", pages.first),
            Route("/queue", pages.queue),
            Route("/static/{name}", pages.static),
            Route("/case/{case_id}", pages.case),
            Route("/case/{case_id}/mail", pages.mail),
            Route("/case/{case_id}/edit", pages.edit),
            Route("/case/{case_id}/edit", actions.edit(desk), methods=["POST"]),
            Route("/case/{case_id}/decide", actions.decide(desk), methods=["POST"]),
            Route("/case/{case_id}/undo", actions.undo(desk), methods=["POST"]),
        ],
        exception_handlers={
            UnknownCase: desk.told(404),
            StoreError: desk.told(503),
            OrdersPipelineError: desk.told(409),
            BadForm: desk.told(400),
            Exception: desk.told(500),
            404: desk.told(404),
            405: desk.told(405),
        },
    )
    return Guard(app, session=session, port=port)


class Pages:
    """What is asked for without changing anything. Each answers in a thread: the store is read with blocking calls."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def start(self, request: Request) -> Response:
        """Exchange a link's token for the cookie."""
        session = self._desk.session
        known = session.is_cookie(request.cookies.get(session.cookie_name))
        fetched_ahead = "prefetch" in request.headers.get("sec-purpose", "")
        if not known and (fetched_ahead or not session.exchange(request.query_params.get("token", ""))):
            text = "This link was used already. The terminal shows a new one."
            return self._desk.page("message.html", status=403, title="Not this link", text=text, bare=True)
        # No redirect: a browser that comes from another site would follow it without a strict cookie.
        answer = self._desk.page("start.html")
        answer.set_cookie(session.cookie_name, session.cookie, httponly=True, samesite="strict", path="/")
        return answer

    def first(self, request: Request) -> Response:
        """The best case of the queue."""
        chosen = Filter.of(request.query_params)
        queue = self._desk.queue(chosen)
        if queue.lines:
            return RedirectResponse(f"/case/{queue.lines[0].case_id}{chosen.query}", status_code=303)
        return self._desk.queue_page(chosen)

    def queue(self, request: Request) -> Response:
        """The queue as a list, a hundred at a time."""
        chosen = Filter.of(request.query_params)
        number = request.query_params.get("from", "1")
        offset = int(number) - 1 if number.isdecimal() and len(number) < 9 else 0
        return self._desk.queue_page(chosen, offset=offset, done=request.query_params.get("done", ""))

    def case(self, request: Request) -> Response:
        """One case: the mail, the parse, the reasons, the buttons."""
        return self._desk.case_page(request.path_params["case_id"], request.query_params)

    def mail(self, request: Request) -> Response:
        """The mail's HTML, for the sandboxed frame."""
        case = self._desk.case(request.path_params["case_id"])
        document = frame_document(self._desk.mails.open(case).html, self._desk.sought(case))
        if document is None:
            document = (
                "<!doctype html><p>This HTML is too large or too tangled to be shown. The text view has its words."
            )
        return HTMLResponse(
            document, headers={"Content-Security-Policy": MAIL_POLICY, "Referrer-Policy": "no-referrer"}
        )

    def edit(self, request: Request) -> Response:
        """The form that states another result."""
        return self._desk.edit_page(request.path_params["case_id"], Filter.of(request.query_params))

    def static(self, request: Request) -> Response:
        """The page's own style, script and icon."""
        name = request.path_params["name"]
        if name not in _STATIC:
            return self._desk.page("message.html", status=404, title="Not found", text="There is no such file.")
        data = (resources.files("orders_pipeline.page") / "static" / name).read_bytes()
        return Response(data, media_type=_STATIC[name], headers={"Cache-Control": "private, max-age=3600"})


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("orders_pipeline.page"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
