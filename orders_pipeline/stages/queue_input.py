"""What the case queue is computed from: every day's cases, every outcome as a light row, what is decided.

Belongs here: reading those in one go. Not here: comparing them and queueing (review/).
"""

from __future__ import annotations

from dataclasses import dataclass

from orders_pipeline.encoding import reasons_from_json
from orders_pipeline.models import EvalCase, OrderStatus, Outcome
from orders_pipeline.orders.keys import order_key
from orders_pipeline.review.forms import forms_of
from orders_pipeline.review.outcome_row import OrderFacts, OutcomeRow
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.gaps import NEEDS_REVIEW

# The last verdict of each judge on the parse that stands: fine when there is one and none doubts.
_FINE = """
    SELECT message_id, parse_digest, NOT bool_or(suspect) AS fine FROM (
        SELECT message_id, parse_digest, suspect FROM verdicts QUALIFY row_number() OVER (
            PARTITION BY message_id, parse_digest, judge ORDER BY judged_at DESC, archive_file) = 1
    ) GROUP BY ALL
"""
_ORDERS = """
    SELECT message_id, merchant, order_number, tracking_numbers, carrier, status, total, currency, expected_delivery,
        items::VARCHAR <> '[]' AS items
    FROM parsed_orders ORDER BY message_id, position
"""


@dataclass(frozen=True, slots=True)
class QueueInput:
    """The cases of all days, all outcomes, and the ids of the cases that a person decided on."""

    cases: list[EvalCase]
    outcomes: list[OutcomeRow]
    decided: set[str]


def read_queue_input(con: Connection) -> QueueInput:
    """Everything that the queue is computed from, without the parses that the cases are about."""
    cases = [
        EvalCase(
            day=row["day"],
            case_id=row["case_id"],
            message_id=row["message_id"],
            canonical_digest=row["canonical_digest"],
            template_digest=row["template_digest"],
            sender_domain=row["sender_domain"],
            outcome=Outcome(row["outcome"]),
            reasons=reasons_from_json(row["reasons"]),
            produced="",
            judge=row["judge"],
        )
        for row in rows(con, "SELECT * EXCLUDE (produced, duplicates) FROM proposed_eval_cases")
    ]
    decided = {row["case_id"] for row in rows(con, "SELECT DISTINCT case_id FROM case_decisions")}
    return QueueInput(cases, outcome_rows(con, with_orders=True), decided)


def outcome_rows(con: Connection, *, with_orders: bool = False) -> list[OutcomeRow]:
    """Every outcome of every day, as light rows that can be compared across days."""
    facts_of = _facts_of(con) if with_orders else {}
    light = rows(
        con,
        f"""
        SELECT o.day, o.received_at, o.sent_at, o.message_id, o.canonical_digest, o.template_digest, o.sender_domain,
            o.outcome, {NEEDS_REVIEW} AS order_like, coalesce(v.fine, false) AS fine
        FROM parse_outcomes o LEFT JOIN ({_FINE}) v ON v.message_id = o.message_id AND v.parse_digest = o.parse_digest
        """,  # noqa: S608  (constants)
    )
    return [
        OutcomeRow(
            day=row["day"],
            received_at=row["received_at"],
            sent_at=row["sent_at"],
            message_id=row["message_id"],
            canonical_digest=row["canonical_digest"],
            template_digest=row["template_digest"],
            sender_domain=row["sender_domain"],
            outcome=Outcome(row["outcome"]),
            order_like=row["order_like"],
            fine=row["fine"],
            orders=tuple(facts_of.get(row["message_id"], ())),
        )
        for row in light
    ]


def yield_rows(con: Connection) -> list[OutcomeRow]:
    """Every outcome that looks like an order, with no more than ``review.yields`` compares."""
    found = con.execute(
        f"""
        SELECT day, received_at, message_id, template_digest, sender_domain, outcome FROM parse_outcomes
        WHERE {NEEDS_REVIEW} AND sender_domain <> ''
        """,  # noqa: S608  (a constant)
    ).fetchall()
    outcomes = {outcome.value: outcome for outcome in Outcome}
    return [
        OutcomeRow(
            day=day,
            received_at=received_at,
            message_id=message_id,
            canonical_digest="",
            template_digest=template,
            sender_domain=sender,
            outcome=outcomes[outcome],
            order_like=True,
        )
        for day, received_at, message_id, template, sender, outcome in found
    ]


def _facts_of(con: Connection) -> dict[str, list[OrderFacts]]:
    facts_of: dict[str, list[OrderFacts]] = {}
    for row in rows(con, _ORDERS):
        facts_of.setdefault(row["message_id"], []).append(
            OrderFacts(
                order_key=order_key(row["merchant"], row["order_number"]),
                merchant=row["merchant"],
                order_number=row["order_number"],
                status=OrderStatus(row["status"]) if row["status"] else None,
                total=row["total"],
                currency=row["currency"],
                expected_delivery=row["expected_delivery"],
                forms=forms_of(row),
            )
        )
    return facts_of
