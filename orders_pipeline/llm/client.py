"""Asking a model one question and getting one JSON object, or a fault that says whose it is.

Belongs here: the order of limits, sending, trying again and recording. Not here: what is asked, what the answer means.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from orders_pipeline.errors import ConfigError
from orders_pipeline.llm.dialect import Dialects
from orders_pipeline.llm.faults import Kind, LlmFault, fault_of
from orders_pipeline.llm.gate import Call, Gate
from orders_pipeline.llm.reply import Usage, envelope, message_of, object_in, usage_of
from orders_pipeline.llm.transport import Transport
from orders_pipeline.model_settings import ModelSettings
from orders_pipeline.secret import Secret, secret_from_env, secret_from_file
from orders_pipeline.wire.session import Answer

_LONGEST_WAIT = 60.0  # a server that asks for more is asked again by another run
_SHORTEST_KEY = 12  # characters of a key that is a secret
_CHARS_PER_TOKEN = 3  # fewer than any tokenizer needs for Latin text: an estimate errs upwards


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked. ``schema`` is a JSON schema with a ``name``; ``purpose`` and ``subject`` are for the record."""

    messages: Sequence[Mapping[str, str]]
    name: str
    schema: Mapping[str, Any]
    purpose: str
    subject: str


class ChatClient:
    """A client of one model; several threads may ask at once. Close it."""

    def __init__(self, settings: ModelSettings, gate: Gate, *, sleep: Callable[[float], object] | None = None) -> None:
        self.settings = settings
        self._gate, self._sleep = gate, sleep
        self._dialects = Dialects()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._idle: list[Transport] = []
        self._host = urlsplit(settings.base_url).netloc
        self._key: Secret | None = None
        self._key_read = False

    def ask(self, question: Question) -> dict[str, Any]:
        """The model's answer as one JSON object, not yet looked at. Raises ``LlmFault``."""
        tries = 0
        while True:
            try:
                return self._once(question)
            except LlmFault as fault:
                if not fault.retriable or tries >= self.settings.retries or self._stopping.is_set():
                    raise
                if (fault.retry_after or 0.0) > _LONGEST_WAIT:
                    raise
                self._wait(fault.retry_after, tries)
                tries += 1

    def stop(self) -> None:
        """For good: calls in flight end, no other is made, not even one that waits for its turn."""
        self._stopping.set()

    def close(self) -> None:
        """Let go of the connections."""
        self.stop()
        with self._lock:
            idle, self._idle = self._idle, []
        for transport in idle:
            transport.close()

    def estimate(self, characters: int) -> tuple[int, int]:
        """How many tokens a question of so many characters may take, at most, in and out."""
        return characters // _CHARS_PER_TOKEN + 16, self.settings.max_output_tokens

    def _once(self, question: Question) -> dict[str, Any]:
        """Ask in every way that the server may understand, until it does."""
        while True:
            dialect = self._dialects.now
            body = dialect.body(self.settings, question.messages, question.name, question.schema)
            try:
                answer = self._call(question, json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
                self._dialects.understood(dialect)
                return answer
            except LlmFault as fault:
                if fault.kind is not Kind.PARAMETER:
                    raise
                if not self._dialects.refused(dialect, fault.text):
                    raise LlmFault(Kind.ANSWER, fault.text) from None

    def _call(self, question: Question, body: bytes) -> dict[str, Any]:
        headers = self._headers()
        most_in, most_out = self.estimate(sum(len(m["content"]) for m in question.messages))
        call_id, began = self._gate.enter(self.settings.cost(most_in, most_out))
        clock, usage, fault = time.monotonic(), Usage(), None
        try:
            if self._stopping.is_set():  # while it waited for its turn: nobody takes the answer
                raise LlmFault(Kind.LINE, "the asking ended before this call")
            reply = self._post(headers, body)
            said = self._without_key(reply)
            if reply.status != 200:
                raise fault_of(reply.status, reply.headers, said, host=self._host, model=self.settings.model)
            data = envelope(said, host=self._host)
            usage = usage_of(data)
            return object_in(message_of(data, host=self._host, model=self.settings.model))
        except LlmFault as error:
            fault = error
            raise
        except BaseException as error:
            fault = LlmFault(Kind.SERVER, f"the call broke off: {type(error).__name__}", billed=True)
            raise
        finally:
            self._gate.leave(self._record(question, call_id, began, time.monotonic() - clock, usage, fault))

    def _record(
        self, question: Question, call_id: str, began: dt.datetime, seconds: float, usage: Usage, fault: LlmFault | None
    ) -> Call:
        most_in, most_out = self.estimate(sum(len(m["content"]) for m in question.messages))
        free = fault is not None and not fault.billed and usage == Usage()
        estimated = not free and (usage.input_tokens is None or usage.output_tokens is None)
        tokens_in = 0 if free else most_in if usage.input_tokens is None else usage.input_tokens
        tokens_out = 0 if free else most_out if usage.output_tokens is None else usage.output_tokens
        return Call(
            call_id=call_id,
            purpose=question.purpose,
            subject=question.subject,
            model=self.settings.model,
            started_at=began,
            seconds=seconds,
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            estimated=estimated,
            cost=Decimal(0)
            if free and self.settings.input_price is not None
            else self.settings.cost(tokens_in, tokens_out),
            fault=fault.kind.value if fault else "",
            error=fault.told if fault else "",
        )

    def _post(self, headers: Mapping[str, str], body: bytes) -> Answer:
        with self._lock:
            transport = self._idle.pop() if self._idle else None
        if transport is None:
            transport = Transport(
                connect_timeout=self.settings.connect_timeout_seconds,
                timeout=self.settings.timeout_seconds,
                local=self.settings.is_local,
            )
        try:
            return transport.post(self.settings.endpoint, headers=headers, body=body)
        finally:
            with self._lock:
                self._idle.append(transport)

    def _headers(self) -> dict[str, str]:
        out = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "orders-pipeline"}
        if key := self._secret():
            out["Authorization"] = f"Bearer {key.reveal()}"
        return out

    def _secret(self) -> Secret | None:
        with self._lock:
            if not self._key_read:
                try:
                    self._key = _read_key(self.settings)
                except ConfigError as error:
                    raise LlmFault(Kind.LOGIN, str(error)) from None
                self._key_read = True
            return self._key

    def _without_key(self, reply: Answer) -> bytes:
        """An answer without the key, which some servers repeat in their errors."""
        key = self._key.reveal().encode() if self._key else b""
        # "1" or "none" for a server that asks for no key is no secret, and may be a part of what is answered.
        short = reply.status == 200 and len(key) < _SHORTEST_KEY
        return reply.body if short or not key else reply.body.replace(key, b"***")

    def _wait(self, asked: float | None, tries: int) -> None:
        # A Retry-After is kept to; the jitter comes on top, or all who were told the same come back at once.
        spread = min(30.0, 2.0**tries) * random.uniform(0.5, 1.0)  # noqa: S311 (no secret)
        seconds = spread if asked is None else asked + min(spread, 1.0)
        if self._sleep is not None:
            self._sleep(seconds)
        else:
            self._stopping.wait(seconds)


def _read_key(settings: ModelSettings) -> Secret | None:
    what = "review.model"
    if settings.api_key_env is not None:
        key = secret_from_env(settings.api_key_env, what=what)
    elif settings.api_key_file is not None:
        key = secret_from_file(settings.api_key_file, what=what)
    else:
        return None
    if not key.reveal().isascii() or not key.reveal().isprintable():
        raise ConfigError(f"{what}: the key holds characters that no key has; write the key alone")
    return key
