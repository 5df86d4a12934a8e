"""What the model judge is about to cost: calls that are owed, calls that today has room for, money.

Belongs here: counting beforehand, in words for people. Not here: asking.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from orders_pipeline.days import day_of
from orders_pipeline.errors import StoreError
from orders_pipeline.extract.by_model import FEWEST_WORDS, UNDECIDED
from orders_pipeline.review.panel import owed
from orders_pipeline.review.scope import needs_review
from orders_pipeline.stages.model_access import call_budget
from orders_pipeline.stages.review_records import reviewables, verdicts_of
from orders_pipeline.stages.work import Work
from orders_pipeline.store import model_calls, parse_rows, review_rows
from orders_pipeline.store.frames import rows

_RECENT = dt.timedelta(days=30)
_ENOUGH = 20  # calls on record that make an average
_PROMPT_CHARS = 3_500
JUDGES = ("rules", "model")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStatus:
    """The model judge as ``status`` shows it. Money is in ``currency``; None without configured prices."""

    model: str
    calls_today: int
    calls_per_day: int
    cost_today: Decimal | None
    cost_per_day: Decimal | None
    currency: str
    owed: int
    owed_cost: Decimal | None

    def line(self) -> str:
        """One line for people."""
        spent = f", {_money(self.cost_today, self.currency)}" if self.cost_today is not None else ""
        most = f" (limit {self.calls_per_day}" + (
            f", {self.cost_per_day} {self.currency})" if self.cost_per_day else ")"
        )
        due = f"; {self.owed} calls owed" + (
            f", about {_money(self.owed_cost, self.currency)}" if self.owed_cost else ""
        )
        return f"{self.model}: {self.calls_today} calls today{spent}{most}{due}"

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready data; money as decimal text."""
        return {
            "model": self.model,
            "calls_today": self.calls_today,
            "calls_per_day": self.calls_per_day,
            "cost_today": _text(self.cost_today),
            "cost_per_day": _text(self.cost_per_day),
            "currency": self.currency,
            "owed": self.owed,
            "owed_cost": _text(self.owed_cost),
        }


def model_status(work: Work) -> ModelStatus | None:
    """How the model stands; None when it neither judges nor reads. Days that are not parsed yet owe nothing so far."""
    settings = work.config.review.model
    judges = work.config.review.judge == "model"
    if not judges and not work.config.extract.model:
        return None
    try:
        calls, cost = call_budget(work.store, settings).spent(work.now())
    except StoreError as error:
        work.warn(f"the calls of the model are unknown: {error}")
        return None
    due = (calls_owed(work) if judges else 0) + _to_be_read(work)
    return ModelStatus(
        model=settings.model,
        calls_today=calls,
        calls_per_day=settings.calls_per_day,
        cost_today=cost if settings.input_price is not None else None,
        cost_per_day=settings.cost_per_day,
        currency=settings.currency,
        owed=due,
        owed_cost=cost_of(work, due)[0],
    )


def calls_owed(work: Work) -> int:
    """The verdicts that the model owes on what is parsed so far, over all days that are not done."""
    with work.store.state.reading() as con:
        days = [
            r["day"]
            for r in rows(
                con,
                "SELECT day FROM stage_days WHERE stage = 'parse' AND day NOT IN (SELECT r.day FROM stage_days r"
                " JOIN stage_days p ON p.stage = 'parse' AND p.day = r.day AND p.output_digest = r.input_digest"
                " WHERE r.stage = 'review' AND r.day NOT IN (SELECT day FROM units WHERE stage = 'review'"
                " AND mailbox = 'model' AND state = 'pending')) ORDER BY day",
            )
        ]
    return sum(_owed_on(work, day) for day in days)


def _to_be_read(work: Work) -> int:
    """The mails that wait for a model to read them."""
    with work.store.state.reading() as con:
        sql = "SELECT count(*) FROM units WHERE stage = 'parse' AND mailbox = ? AND state = 'pending'"
        return con.execute(sql, [parse_rows.BY_MODEL]).fetchall()[0][0]


def _owed_on(work: Work, day: dt.date) -> int:
    with work.store.state.reading() as con:
        source = review_rows.read_input(con, day)
    if source is None:
        return 0
    items = [i for i in reviewables(source.outcomes) if needs_review(i.result)]
    due = owed(items, verdicts_of(source.verdicts), source.panels, JUDGES)["model"]
    return sum(("model", i.message_id) not in source.put_aside for i in due)


def to_ask_again(work: Work, days: Sequence[dt.date], mailbox: str | None = "model") -> int:
    """How many calls it takes to ask the model again about all of some days; ``mailbox`` is that of its units."""
    count = 0
    for day in days:
        with work.store.state.reading() as con:
            source = review_rows.read_input(con, day)
        if source is not None:
            items = [i for i in reviewables(source.outcomes) if needs_review(i.result)]
            count += sum((mailbox, i.message_id) not in source.waived for i in items)
    return count


def to_read(work: Work, days: Sequence[dt.date]) -> int:
    """How many mails of some days no rule reads, at most: what it takes to show them all to a model."""
    with work.store.state.reading() as con:
        found = con.execute(
            "SELECT count(*) FROM parse_outcomes WHERE day IN (SELECT unnest(?::DATE[])) AND (outcome = 'failed'"
            " OR (outcome = 'parsed' AND reason = 'model') OR (outcome = 'not_order' AND reason = ?"
            " AND json_array_length(order_words) >= ?))",
            [list(days), UNDECIDED, FEWEST_WORDS],
        )
        return found.fetchall()[0][0]


def cost_of(work: Work, calls: int) -> tuple[Decimal | None, bool]:
    """What so many calls cost, None without prices; and whether that is an average of calls on record, or a bound."""
    settings = work.config.review.model
    if settings.input_price is None:
        return None, False
    since = day_of(work.now() - _RECENT, work.store.zone)
    with work.store.state.reading() as con:
        days = [d for d in model_calls.by_day(con, since) if d["cost"] is not None]
    seen = sum(d["calls"] for d in days)
    if seen >= _ENOUGH:
        return sum((d["cost"] for d in days), Decimal(0)) / seen * calls, True
    most = settings.cost((2 * settings.max_input_chars + _PROMPT_CHARS) // 3, settings.max_output_tokens)
    return (most or Decimal(0)) * calls, False


def forecast(work: Work, calls: int) -> str:
    """One line: how many calls, and what they cost."""
    settings = work.config.review.model
    cost, known = cost_of(work, calls)
    told = "" if cost is None else f", {'about' if known else 'at most'} {_money(cost, settings.currency)}"
    return f"{calls} calls of the model {settings.model}{told} (limit {settings.calls_per_day} a day)"


def _money(amount: Decimal | None, currency: str) -> str:
    return "" if amount is None else f"{amount:.4f} {currency}" if amount < 1 else f"{amount:.2f} {currency}"


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else format(amount, "f")
