"""``cases edit``: a case whose right result is another than what the parser produced.

Belongs here: the two ways to state it, field by field or by a file. Not here: what may be stated (review/expected.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from orders_pipeline.cli.cases import CASE, NOTE
from orders_pipeline.cli.opening import work
from orders_pipeline.cli.output import say
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.models import Decision
from orders_pipeline.review.expected import FIELDS, OUTCOMES
from orders_pipeline.stages.decide import decide, find_case

_LARGEST_FILE = 1024 * 1024
SETTABLE = tuple(name for name in FIELDS if name != "items")


def edit(
    case: str = CASE,
    changes: list[str] = typer.Option([], "--set", metavar="FIELD=VALUE", help="One field; may be repeated."),
    expected: Path | None = typer.Option(None, help='A JSON file with the whole result: {"orders": [...]}.'),
    note: str = NOTE,
) -> None:
    """Accept a case with another result than the parser's: the right one.

    --set changes single fields of what was produced (or was stated before). With several orders the second one's are
    2.total=..., and outcome=not_order says that the mail is no order.

    Example: orders-pipeline cases edit 3f2a9c --set total=31.00 --set status=shipped
    """
    if bool(changes) == (expected is not None):
        raise typer.BadParameter("give either --set FIELD=VALUE or --expected FILE.json", param_hint="--set")
    with work() as job:
        if expected is not None:
            right = _read(expected)
        else:
            with job.store.state.reading() as con:
                found = find_case(con, case)
            right = changed(json.loads(found["expected"] or "null") or json.loads(found["produced"]), changes)
        say(f"edited {decide(job, case, Decision.EDITED, expected=right, note=note)}")


def changed(result: Mapping[str, Any], changes: Sequence[str]) -> dict[str, Any]:
    """The result with each ``[N.]FIELD=VALUE`` applied; an empty value takes a field out.

    Raises ``OrdersPipelineError`` on what is no change; the values are checked when the decision is recorded.
    """
    orders = [dict(order) for order in result["orders"]]
    outcome = result["outcome"] if result["outcome"] in OUTCOMES else None
    for change in changes:
        name, equals, value = change.partition("=")
        number, dot, field = name.strip().rpartition(".")
        if not equals or (field not in SETTABLE and name.strip() != "outcome"):
            raise OrdersPipelineError(f"{change!r} is no change: write FIELD=VALUE, FIELD one of {', '.join(SETTABLE)}")
        if field == "outcome":
            outcome, orders = value.strip(), [] if value.strip() == "not_order" else orders
            continue
        position = int(number) - 1 if number.isdecimal() and len(number) < 4 else -1 if dot else 0
        if not 0 <= position <= len(orders):
            raise OrdersPipelineError(f"{change!r}: there are {len(orders)} orders, so write 1. to {len(orders) + 1}.")
        if position == len(orders):
            orders.append({})
            outcome = "parsed"
        orders[position][field] = value.strip()
    return {"outcome": outcome, "orders": orders}


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise OrdersPipelineError(f"{path} is too large for the result of one mail")
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OrdersPipelineError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise OrdersPipelineError(f'{path} is no JSON: write {{"orders": [{{"total": "31.00"}}]}} there') from None
