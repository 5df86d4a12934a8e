"""What a press of a button does: one decision, one undo, or the form of another shape.

Belongs here: the three POST addresses. Each saves before it answers. Not here: who may send them (guard.py), what a
decision is (stages/decide.py).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import SavedNotShown, StoreError
from orders_pipeline.models import Decision
from orders_pipeline.page.desk import Desk
from orders_pipeline.page.forms import BadForm, form_orders, orders_in, read_form, reshaped, stated_in
from orders_pipeline.page.queue import Filter, next_case
from orders_pipeline.review.expected import BadExpected
from orders_pipeline.stages import decide as stage

_MAX_NOTE = 500

Action = Callable[[Request], Awaitable[Response]]
_Press = Callable[[Desk, str, Mapping[str, str]], Response]


def decide(desk: Desk) -> Action:
    """Accept or reject, then show the next case."""
    return _action(desk, _decide)


def edit(desk: Desk) -> Action:
    """Record another result, or change the form's shape."""
    return _action(desk, _edit)


def undo(desk: Desk) -> Action:
    """Take the last decision on a case back, and show it."""
    return _action(desk, _undo)


def _action(desk: Desk, press: _Press) -> Action:
    async def answer(request: Request) -> Response:
        fields = await read_form(request, desk.session)
        return await run_in_threadpool(press, desk, request.path_params["case_id"], fields)

    return answer


def _decide(desk: Desk, case_id: str, fields: Mapping[str, str]) -> Response:
    try:
        decision = Decision(fields.get("decision", ""))
    except ValueError:
        decision = Decision.EDITED
    if decision is Decision.EDITED:  # has a form of its own
        raise BadForm("say accepted or rejected", 400)
    try:
        full_id = stage.decide(desk.work, case_id, decision, note=_note(fields), shown=_shown(fields))
    except stage.DecidedMeanwhile as error:
        problem = f"{error}. Your decision ({decision.value}) was not recorded; this is how the case stands now."
        return desk.case_page(case_id, fields, problem=problem, status=409)
    return _to_next(desk, full_id, Filter.of(fields))


def _edit(desk: Desk, case_id: str, fields: Mapping[str, str]) -> Response:
    chosen = Filter.of(fields)
    if (orders := reshaped(fields)) is not None:
        return desk.edit_page(case_id, chosen, orders=orders, fields=fields)
    faults: Mapping[str, str] = {}
    try:
        stated, note = stated_in(fields), _note(fields)
        full_id = stage.decide(desk.work, case_id, Decision.EDITED, expected=stated, note=note, shown=_shown(fields))
        return _to_next(desk, full_id, chosen)
    except BadExpected as error:
        faults, status = error.faults, 422
        problem = "Nothing was saved yet: look at what is marked below."
    except stage.DecidedMeanwhile as error:
        problem, status = f"{error}. Nothing was saved yet; save again to replace what is there.", 409
    except SavedNotShown:
        raise  # told on a page of its own: the form would be sent once more
    except StoreError as error:
        problem, status = f"Nothing was saved yet: {error}", 503
    orders = form_orders(orders_in(fields))
    return desk.edit_page(case_id, chosen, orders=orders, fields=fields, faults=faults, problem=problem, status=status)


def _undo(desk: Desk, case_id: str, fields: Mapping[str, str]) -> Response:
    try:
        case_id, _ = stage.undo(desk.work, case_id, shown=_shown(fields))
    except (stage.DecidedMeanwhile, stage.NothingToUndo) as error:
        return desk.case_page(case_id, fields, problem=f"{error}. Nothing was undone.", status=409)
    return RedirectResponse(f"/case/{case_id}{Filter.of(fields).query}", status_code=303)


def _to_next(desk: Desk, case_id: str, chosen: Filter) -> Response:
    following = next_case(desk.cases(), chosen, case_id)
    address = f"/case/{following}" if following else "/queue"
    query = chosen.query
    return RedirectResponse(f"{address}{query}{'&' if query else '?'}done={case_id}", status_code=303)


def _shown(fields: Mapping[str, str]) -> stage.Shown:
    return stage.Shown(last_act=fields.get("last_act") or None, produced=fields.get("produced", ""))


def _note(fields: Mapping[str, str]) -> str:
    return printable_line(fields.get("note", ""), _MAX_NOTE)
