"""What every page needs: the store's cases at hand, and a template filled with them.

Belongs here: gathering what a page shows. Not here: which address shows what (app.py), and deciding (actions.py).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from orders_pipeline.page.case_view import CaseView, read_case
from orders_pipeline.page.forms import BadForm, form_orders
from orders_pipeline.page.highlight import Sought, marks_in, segments, sought_of
from orders_pipeline.page.index import Index
from orders_pipeline.page.mail import Mails
from orders_pipeline.page.parse_view import orders_shown
from orders_pipeline.page.queue import PAGE, Cases, Filter, Queue, queue_of
from orders_pipeline.page.session import Session
from orders_pipeline.review.expected import STATUSES
from orders_pipeline.stages.work import Work

_VIEWS = ("html", "text", "headers")
_TITLES = {403: "Not allowed", 404: "Not found", 503: "The store is busy"}


class Desk:
    """The work, the cases and the templates of one run of the page."""

    def __init__(self, work: Work, session: Session, templates: Environment) -> None:
        self.work, self.session = work, session
        self.mails = Mails(work.store.archive)
        self._templates = templates
        self._index = Index()
        templates.globals.update(form_token=session.form_token, zone=work.store.zone)
        templates.filters["words"] = lambda code: str(code).replace("_", " ")

    def cases(self) -> Cases:
        """All cases, as they are now."""
        with self.work.store.state.reading() as con:
            return self._index.read(con)

    def queue(self, chosen: Filter, *, offset: int = 0) -> Queue:
        """The queue from a line on."""
        return queue_of(self.cases(), chosen, offset=offset)

    def queue_page(self, chosen: Filter, *, offset: int = 0, done: str = "") -> Response:
        """The queue as a list; ``done`` is the case that was just decided on."""
        with self.work.store.state.reading() as con:
            cases = self._index.read(con)
            before = read_case(con, done) if done in cases.places else None
        queue = queue_of(cases, chosen, offset=offset)
        return self.page("queue.html", queue=queue, chosen=chosen, before=before, page=PAGE)

    def case(self, case_id: str) -> CaseView:
        """One case. Raises ``UnknownCase``."""
        with self.work.store.state.reading() as con:
            return read_case(con, case_id)

    def sought(self, case: CaseView) -> tuple[Sought, ...]:
        """The evidence that is marked in the mail."""
        return sought_of(case.produced)

    def page(self, name: str, *, status: int = 200, **values: Any) -> HTMLResponse:
        """A template, filled."""
        return HTMLResponse(self._templates.get_template(name).render(**values), status_code=status)

    def case_page(self, case_id: str, query: Mapping[str, str], *, problem: str = "", status: int = 200) -> Response:
        """The page of one case; ``query`` may hold a filter, the view, and the case that was just decided on."""
        chosen = Filter.of(query)
        with self.work.store.state.reading() as con:
            cases = self._index.read(con)
            case = read_case(con, case_id)
            before = read_case(con, query["done"]) if query.get("done") in cases.places else None
        return self.page(
            "case.html",
            status=status,
            **self._shown(case, cases, chosen, query.get("view", "")),
            before=before if before and before.case_id != case.case_id else None,
            problem=problem,
        )

    def edit_page(
        self,
        case_id: str,
        chosen: Filter,
        *,
        orders: list[dict[str, Any]] | None = None,
        fields: Mapping[str, str] | None = None,
        faults: Mapping[str, str] | None = None,
        problem: str = "",
        status: int = 200,
    ) -> Response:
        """The edit form of one case: with what was stated or produced, or with what a form already holds."""
        with self.work.store.state.reading() as con:
            cases = self._index.read(con)
            case = read_case(con, case_id)
        right = case.expected or case.produced
        given = fields or {}
        return self.page(
            "edit.html",
            status=status,
            **self._shown(case, cases, chosen, given.get("view", "")),
            orders=form_orders(right["orders"]) if orders is None else orders,
            # Who edits a mail that was taken for no order means to say that it is one.
            outcome=given.get("outcome") or (case.expected["outcome"] if case.expected else "parsed"),
            note=given.get("note", (case.row["note"] or "") if case.expected else ""),
            faults=faults or {},
            problem=problem,
            statuses=STATUSES,
        )

    def told(self, status: int) -> Callable[[Request, Exception], Awaitable[Response]]:
        """A handler that tells an error in a page of its own."""

        async def handle(request: Request, error: Exception) -> Response:
            if isinstance(error, HTTPException):
                text, code = "There is no such page.", error.status_code
            elif status == 500:  # a fault of ours: the terminal has the traceback
                text, code = f"This page failed ({type(error).__name__}). Decisions made before it are saved.", status
            else:
                text, code = str(error), error.status if isinstance(error, BadForm) else status
            title = _TITLES.get(code, "Not done")
            return await run_in_threadpool(self.page, "message.html", status=code, title=title, text=text)

        return handle

    def _shown(self, case: CaseView, cases: Cases, chosen: Filter, view: str) -> dict[str, Any]:
        mail, sought = self.mails.open(case), self.sought(case)
        view = view if view in _VIEWS and (view != "html" or mail.html) else "html" if mail.html else "text"
        texts = (
            [(title, segments(text, marks_in(text, sought))) for title, text in mail.texts] if view == "text" else []
        )
        right = case.expected or case.produced
        return {
            "case": case,
            "queue": queue_of(cases, chosen, current=case.case_id),
            "chosen": chosen,
            "mail": mail,
            "view": view,
            "texts": texts,
            "subject": segments(case.subject, marks_in(case.subject, sought)),
            "shown_orders": orders_shown(case.produced, sought),
            "stated_orders": orders_shown(right, ()) if case.state == "edited" else None,
        }
