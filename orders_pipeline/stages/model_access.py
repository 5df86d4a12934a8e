"""The model of one run: its client, its limits, and the record of its calls.

Belongs here: putting settings, client, budget and archive together. Not here: what the model is asked.
"""

from __future__ import annotations

import datetime as dt
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from decimal import Decimal

from orders_pipeline.days import day_of
from orders_pipeline.errors import StoreError
from orders_pipeline.llm.client import ChatClient
from orders_pipeline.llm.faults import Kind, LlmFault
from orders_pipeline.llm.gate import Call
from orders_pipeline.model_settings import ModelSettings
from orders_pipeline.store import model_calls
from orders_pipeline.store.call_budget import CallBudget, Full, Limits
from orders_pipeline.store.store import Store


class CallGate:
    """Lets calls through within the configured limits, counted over all processes, and saves what became of each."""

    def __init__(
        self,
        store: Store,
        settings: ModelSettings,
        *,
        now: Callable[[], dt.datetime],
        warn: Callable[[str], None],
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._store, self._now, self._warn, self._sleep = store, now, warn, sleep
        self._lock = threading.Lock()
        self.days: set[dt.date] = set()  # local days of calls that this run made
        self.budget = call_budget(store, settings)

    def enter(self, cost: Decimal | None) -> tuple[str, dt.datetime]:
        """See ``Gate``."""
        call_id = secrets.token_hex(12)
        while True:
            now = self._now()
            try:
                answer = self.budget.enter(call_id, cost, now)
            except StoreError as error:  # uncounted calls are not made
                raise LlmFault(Kind.LIMIT, str(error)) from None
            if isinstance(answer, Full):
                raise LlmFault(Kind.LIMIT, f"{answer.why}; it goes on tomorrow", not_before=answer.until)
            if not answer:
                return call_id, now
            self._sleep(answer)

    def leave(self, call: Call) -> None:
        """See ``Gate``. A record that cannot be saved costs no answer: the journal still counts the call."""
        day = day_of(call.started_at, self._store.zone)
        row = {**asdict(call), "cost": None if call.cost is None else format(call.cost, "f")}
        try:
            model_calls.save(self._store.archive, day, row)
            with self._lock:
                self.days.add(day)
            self.budget.settle(call.call_id, call.cost, call.started_at)
        except StoreError as error:
            self._warn(f"a call of the model was not recorded: {error}")


def call_budget(store: Store, settings: ModelSettings) -> CallBudget:
    """The budget of a store under some settings."""
    limits = Limits(
        calls_per_minute=settings.calls_per_minute,
        calls_per_day=settings.calls_per_day,
        cost_per_day=settings.cost_per_day,
    )
    return CallBudget(
        store.folder.cache / "model_calls",
        limits,
        store.zone,
        recorded=lambda day: model_calls.recorded(store.archive, day),
    )


class ModelAccess:
    """A client of the configured model for one run. What it found out about the server holds for the run."""

    def __init__(
        self,
        store: Store,
        settings: ModelSettings,
        *,
        now: Callable[[], dt.datetime],
        warn: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self.gate = CallGate(store, settings, now=now, warn=warn)
        self.client = ChatClient(settings, self.gate)

    def close(self) -> None:
        """Let go of the connections."""
        self.client.close()
