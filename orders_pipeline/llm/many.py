"""Asking about many items, several at a time, and knowing whose fault it is when no answer comes.

Belongs here: keeping within the concurrency, handing on results as they come, and giving up on a server that fails.
Not here: what is asked of an item, and what becomes of an answer.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from orders_pipeline.encoding import printable_line
from orders_pipeline.llm.client import ChatClient
from orders_pipeline.llm.faults import Kind, LlmFault

IN_A_ROW = 3  # calls that the server failed, one after the other, before the rest is not asked
_LONGEST = 86_400.0

Item = TypeVar("Item")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Got(Generic[Item, Value]):
    """An item's answer."""

    item: Item
    value: Value


@dataclass(frozen=True, slots=True)
class Missed(Generic[Item]):
    """Why an item has no answer, in one line. ``own``: the fault is the item's, and counts as a try of it.

    ``not_before`` is when asking again makes sense at the earliest, when that is known.
    """

    item: Item
    error: str
    own: bool
    not_before: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class _Failed(Generic[Item]):
    item: Item
    fault: LlmFault


def ask_all(
    client: ChatClient, items: Sequence[Item], ready: Callable[[Item], Callable[[], Value]]
) -> Iterator[Got[Item, Value] | Missed[Item]]:
    """One result an item, as they come. ``ready`` prepares an item in the caller's thread; what it returns makes the
    call in another, and raises ``LlmFault`` where there is no answer.

    A fault of the login, the line or a limit is no item's own, and ends the asking: what was not asked says why. So do
    ``IN_A_ROW`` calls in a row that the server failed; where it answers others, such a call is the item's own fault.
    """
    most = client.settings.concurrency
    waiting = list(reversed(items))
    row: list[_Failed[Item]] = []
    why: LlmFault | None = None  # why the rest is not asked
    pool = ThreadPoolExecutor(most, thread_name_prefix="model")
    flying: set[Future[Got[Item, Value] | _Failed[Item]]] = set()
    try:
        while waiting or flying:
            while waiting and why is None and len(flying) < most:
                item = waiting.pop()
                try:
                    call = ready(item)
                except Exception as error:  # what is in the mail is not ours
                    yield Missed(item, _line(f"it could not be shown: {type(error).__name__}: {error}"), True)
                    continue
                flying.add(pool.submit(_result, item, call))
            if not flying:
                break
            done, flying = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                result = future.result()
                if isinstance(result, Got):  # the server works: who failed before, failed alone
                    yield from (_own(failed) for failed in row)
                    if any(failed.fault is why for failed in row):
                        why = None
                    row = []
                    yield result
                elif result.fault.kind is Kind.ANSWER:
                    yield _own(result)
                elif result.fault.kind in (Kind.LOGIN, Kind.LIMIT):
                    why = why or result.fault
                    yield _innocent(result.item, result.fault)
                else:
                    row.append(result)
                    if len(row) >= IN_A_ROW:
                        why = why or result.fault
        # With the server failing every call there is nobody to blame but the server.
        guilty = why is None
        for failed in row:
            yield _own(failed) if guilty else _innocent(failed.item, failed.fault)
        for item in reversed(waiting):
            yield _innocent(item, why or LlmFault(Kind.LINE, "the asking ended"), asked=False)
    finally:
        if flying:
            client.stop()
        pool.shutdown(wait=not flying, cancel_futures=True)


def _result(item: Item, call: Callable[[], Value]) -> Got[Item, Value] | _Failed[Item]:
    try:
        return Got(item, call())
    except LlmFault as fault:
        return _Failed(item, fault)
    except Exception as error:
        return _Failed(item, LlmFault(Kind.ANSWER, f"{type(error).__name__}: {error}"))


def _own(failed: _Failed[Item]) -> Missed[Item]:
    """The item's own fault, but for those of the line, which are nobody's."""
    if failed.fault.kind is Kind.LINE:
        return _innocent(failed.item, failed.fault)
    return Missed(failed.item, _line(failed.fault.text), True)


def _innocent(item: Item, fault: LlmFault, *, asked: bool = True) -> Missed[Item]:
    text = fault.text if asked else f"not asked: {fault.text}"
    return Missed(item, _line(text), False, fault.not_before or _later(fault.retry_after))


def _line(text: str) -> str:
    return printable_line(text, 300)


def _later(seconds: float | None) -> dt.datetime | None:
    return None if seconds is None else dt.datetime.now(dt.UTC) + dt.timedelta(seconds=min(seconds, _LONGEST))
