"""``cases``: the proposed eval cases, and a person's decisions on them.

Belongs here: listing, showing, deciding. Not here: stating another result (cases_edit.py), export (cases_export.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from orders_pipeline.cli.opening import JSON_OPTION, work
from orders_pipeline.cli.output import plain_row, print_json, print_table, say
from orders_pipeline.config import home
from orders_pipeline.models import Decision
from orders_pipeline.stages import decide as stage
from orders_pipeline.store.frames import rows
from orders_pipeline.store.reader import published

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="List, show, accept, reject and edit proposed eval cases."
)

CASE = typer.Argument(help="A case id, or the start of one.")
NOTE = typer.Option("", help="Why, for later.")

_LIST = """
    SELECT c.case_id, c.state, c.day, c.sender_domain, c.outcome, c.reasons, q.position, q.group_size, c.decided_at
    FROM eval_cases c LEFT JOIN case_queue q ON q.case_id = c.case_id
    WHERE (? = 'all' OR c.state = ?) ORDER BY q.position NULLS LAST, c.day DESC, c.case_id LIMIT ?
"""


@app.command("list")
def list_cases(
    state: str = typer.Option("proposed", help="proposed, accepted, rejected, edited, or all."),
    limit: int = typer.Option(50, min=1, help="At most this many, in the queue's order."),
    as_json: bool = JSON_OPTION,
) -> None:
    """List cases, the most telling first.

    Example: orders-pipeline cases list --state accepted --json
    """
    if state not in ("proposed", "all", *Decision):
        raise typer.BadParameter(f"{state!r}: use proposed, accepted, rejected, edited or all", param_hint="--state")
    with published(home()) as con:
        found = rows(con, _LIST, [state, state, limit])
        total = con.execute("SELECT count(*) FROM eval_cases WHERE ? = 'all' OR state = ?", [state, state]).fetchall()
    for row in found:
        row["reasons"] = json.loads(row["reasons"])
    if as_json:
        print_json([plain_row(r) for r in found])
        return
    print_table(
        ["case", "state", "day", "sender", "why"],
        [[r["case_id"], r["state"], r["day"], r["sender_domain"][:28], _why(r["reasons"])] for r in found],
    )
    say(f"{len(found)} of {total[0][0]} cases; look at one with: orders-pipeline cases show CASE")


@app.command()
def show(case: str = CASE, as_json: bool = JSON_OPTION) -> None:
    """Show one case: why it was proposed, what the parser made of the mail, and what was decided.

    Example: orders-pipeline cases show 3f2a9c
    """
    with published(home()) as con:
        found = stage.find_case(con, case)
        decisions = stage.history(con, found["case_id"])
        mail = rows(
            con, "SELECT subject, sender, received_at FROM parse_outcomes WHERE message_id = ?", [found["message_id"]]
        )
    row = {**found, **(mail[0] if mail else {}), "history": [_plain_act(act) for act in decisions]}
    for name in ("reasons", "produced", "expected"):
        row[name] = json.loads(row[name]) if row[name] else None
    if as_json:
        print_json(plain_row(row))
        return
    say(f"case     {row['case_id']}  ({row['state']})")
    say(f"mail     {row.get('subject', '')}  from {row.get('sender', '')}, {row['day']}")
    say(f"message  {row['message_id']}")
    for reason in row["reasons"]:
        say(f"why      {reason['code']}: {reason['detail']}")
    say(f"outcome  {row['outcome']}: {row['produced']['reason']}")
    _say_orders(row["produced"]["orders"])
    if row["expected"] and row["expected"]["orders"] != row["produced"]["orders"]:
        say(f"expected {row['expected']['outcome']}: {row['expected']['reason']}")
        _say_orders(row["expected"]["orders"])
    for act in decisions:
        say(f"history  {_act_line(act)}")


@app.command()
def history(case: str = CASE, as_json: bool = JSON_OPTION) -> None:
    """Who decided what on a case, and when: nothing that was decided is ever deleted.

    Example: orders-pipeline cases history 3f2a9c
    """
    with published(home()) as con:
        found = stage.find_case(con, case)
        decisions = stage.history(con, found["case_id"])
    if as_json:
        print_json([_plain_act(act) for act in decisions])
        return
    say(f"case {found['case_id']}: {found['state']}")
    for act in decisions:
        say(_act_line(act))
    if not decisions:
        say("nobody decided on it yet")


@app.command()
def accept(case: str = CASE, note: str = NOTE) -> None:
    """Accept a case: what the parser produced is right, or the mail is worth keeping as a test.

    Example: orders-pipeline cases accept 3f2a9c
    """
    with work() as job:
        say(f"accepted {stage.decide(job, case, Decision.ACCEPTED, note=note)}")


@app.command()
def reject(case: str = CASE, note: str = NOTE) -> None:
    """Reject a case: nothing to learn from it. It does not come back.

    Example: orders-pipeline cases reject 3f2a9c --note "a newsletter"
    """
    with work() as job:
        say(f"rejected {stage.decide(job, case, Decision.REJECTED, note=note)}")


@app.command()
def undo(case: str = CASE, note: str = NOTE) -> None:
    """Take the last decision on a case back; the one before it, if there is one, stands again.

    Example: orders-pipeline cases undo 3f2a9c
    """
    with work() as job:
        case_id, undone = stage.undo(job, case, note=note)
        say(f"no longer {undone}: {case_id}")


def _why(reasons: list[dict[str, object]]) -> str:
    first = f"{reasons[0]['code']}: {reasons[0]['detail']}" if reasons else ""
    return (first if len(first) <= 90 else first[:89] + "…") + (f" (+{len(reasons) - 1})" if len(reasons) > 1 else "")


def _say_orders(orders: Sequence[Mapping[str, Any]]) -> None:
    for order in orders:
        for name, value in order.items():
            if name not in ("evidence", "items") and value:
                say(f"  {name:<18} {', '.join(value) if isinstance(value, list) else value}")
        for item in order["items"]:
            say(f"  item               {item['quantity'] or ''} {item['name']} {item['price'] or ''}")


def _act_line(act: Mapping[str, Any]) -> str:
    note = f"  ({act['note']})" if act["note"] else ""
    taken_back = "  (undone later)" if act["undone"] else ""
    return f"{act['decided_at']:%Y-%m-%d %H:%M:%S} UTC  {act['decision']:<8}  by {act['who']}{note}{taken_back}"


def _plain_act(act: Mapping[str, Any]) -> dict[str, Any]:
    return plain_row({**act, "expected": json.loads(act["expected"]) if act["expected"] else None})
