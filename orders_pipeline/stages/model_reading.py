"""Mails of a day that no rule reads, read with a model's help: asked once, the answer saved, and used ever after.

Belongs here: which parses are candidates, asking for what has no answer yet, and the rows that an answer makes. Not
here: the question and how an answer is read (extract/by_model*.py).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from orders_pipeline.extract import by_model
from orders_pipeline.extract.by_model_reading import NAME, read_orders
from orders_pipeline.llm.client import Question
from orders_pipeline.llm.faults import Kind, LlmFault
from orders_pipeline.llm.forms import BadAnswer
from orders_pipeline.llm.many import Got, Missed, ask_all
from orders_pipeline.mail.left_out import left_out_note
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Email, Outcome, ParseResult
from orders_pipeline.review.model_view import redacted_text
from orders_pipeline.review.redact import redactor_for
from orders_pipeline.review.steering import steering_phrase
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, failed_message, rows_of
from orders_pipeline.stages.parser_process import ParserProcess
from orders_pipeline.stages.work import Work
from orders_pipeline.store import model_answers
from orders_pipeline.store.salt import redaction_salt

PURPOSE = "extract"
_MOST_BYTES = 2 * 1024 * 1024  # of a mail; a model is shown far less


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A mail that a model may read."""

    email: Email
    readable: by_model.Readable


@dataclass(slots=True)
class Readings:
    """What came of it: the parses, some of them read anew; faults, each of a mail that is asked again; and the
    messages that were asked for in vain or not at all, whose units stay as they are."""

    parsed: list[ParsedMessage]
    faults: list[Missed[str]] = field(default_factory=list)
    untouched: set[str] = field(default_factory=set)


def read_with_model(
    work: Work,
    day: dt.date,
    parsed: Sequence[ParsedMessage],
    files: Mapping[str, str],
    *,
    aside: frozenset[str],
    pays: bool,
    anew: bool = False,
) -> Readings:
    """Read the mails among ``parsed`` that no rule reads; ``files`` says where each message lies in the archive.

    Saved answers are used and not asked for again, unless ``anew``. Without ``pays`` nothing is asked. Messages in
    ``aside`` ran out of tries, or are waived. Raises ``StoreError``.
    """
    out = Readings(list(parsed))
    with work.store.state.transaction() as con:
        model_answers.adopt(con, work.store.archive, day)
        answers = model_answers.of_day(con, day)
    mails = _candidates(work, parsed, files)
    todo = [i for i in mails if (anew or i not in answers) and i not in aside] if pays else []
    if todo:
        work.tell(
            f"{day}: {len(todo)} mails that no rule reads are shown to the model {work.config.review.model.model}"
        )
        answers |= _ask(work, day, todo, mails, out.faults)
    out.untouched = {i for i in mails if i not in answers} - {f.item for f in out.faults}
    for number, one in enumerate(out.parsed):
        message_id = one.outcome_row["message_id"]
        if message_id in mails and message_id in answers:
            out.parsed[number] = _read(mails[message_id], answers[message_id], one)
    return out


def _candidates(work: Work, parsed: Sequence[ParsedMessage], files: Mapping[str, str]) -> dict[str, _Candidate]:
    """The mails that a model may read, decoded within the parser's limits."""
    rows = {p.outcome_row["message_id"]: p.outcome_row for p in parsed if _unread(p.outcome_row)}
    context = ParseContext.of(work.config)
    out: dict[str, _Candidate] = {}
    if not rows:
        return out
    with ParserProcess(candidate_of) as process:
        for message_id, raw in work.store.archive.raw_messages({i: files[i] for i in rows}):
            row = rows[message_id]
            apart = row["outcome"] == Outcome.FAILED.value  # what the parser could not take stays out of this process
            message = RawMessage(message_id, raw[:_MOST_BYTES], row["received_at"])
            found = process.parse(message, context, apart=apart)
            if isinstance(found, _Candidate):
                out[message_id] = found
    return out


def _unread(row: Mapping[str, Any]) -> bool:
    """Whether the rules came to nothing on a mail that may be about an order."""
    if row["outcome"] == Outcome.FAILED.value:
        return True
    undecided = row["outcome"] == Outcome.NOT_ORDER.value and row["reason"] == by_model.UNDECIDED
    return undecided and len(json.loads(row["order_words"])) >= by_model.FEWEST_WORDS


def candidate_of(message: RawMessage, context: ParseContext) -> _Candidate | ParsedMessage:
    """A candidate, or a failed parse that says why the mail is none."""
    try:
        if left_out_note(message.raw):
            return failed_message(message, "its body was left out")
        email = parse_email(message.raw, message_id=message.message_id, received_at=message.received_at)
        found = by_model.readable(email, context.settings, zone=context.zone, owner=context.owner)
        if found is None or steering_phrase(found.text):
            return failed_message(message, "better left alone")
        return _Candidate(email, found)
    except Exception as error:  # what is in the mail is not ours
        return failed_message(message, f"{type(error).__name__}: {error}")


def _ask(
    work: Work, day: dt.date, todo: Sequence[str], mails: Mapping[str, _Candidate], faults: list[Missed[str]]
) -> dict[str, Any]:
    """Ask about some mails; each answer is saved as it comes."""
    client, salt = work.model().client, redaction_salt(work.store.folder)
    version = by_model.reading_version(client.settings)

    def ready(message_id: str) -> Callable[[], Mapping[str, Any]]:
        mail = mails[message_id]
        redactor = redactor_for(mail.email, None, salt=salt, owner=work.config.owner.addresses)
        text, restore = redacted_text(mail.readable.text, redactor, client.settings.max_input_chars)
        question = Question(
            messages=by_model.messages(text), name="orders", schema=by_model.SCHEMA, purpose=PURPOSE, subject=message_id
        )

        def call() -> Mapping[str, Any]:
            try:
                return _restored(by_model.checked(client.ask(question)).model_dump(), restore)
            except BadAnswer as error:
                raise LlmFault(Kind.ANSWER, str(error)) from None

        return call

    work.store.archive.sweep(work.now().astimezone(work.store.zone).date())
    answers: dict[str, Any] = {}
    for result in ask_all(client, todo, ready):
        if isinstance(result, Got):
            model_answers.save(work.store.archive, day, result.item, version, result.value, work.now())
            answers[result.item] = result.value
        else:
            faults.append(result)
    return answers


def _restored(value: Any, restore: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: _restored(one, restore) for name, one in value.items()}
    if isinstance(value, list):
        return [_restored(one, restore) for one in value]
    return restore(value) if isinstance(value, str) else value


def _read(mail: _Candidate, answer: Mapping[str, Any], before: ParsedMessage) -> ParsedMessage:
    """The rows of a mail by its answer; those of before when the answer names no order that the mail bears out."""
    try:
        orders = read_orders(by_model.checked(answer), mail.readable)
        result = ParseResult(
            message_id=mail.email.message_id,
            outcome=Outcome.PARSED,
            reason=NAME,
            orders=orders,
            language=mail.readable.language,
            order_words=mail.readable.words,
        )
        return rows_of(mail.email, result, before.outcome_row["received_at"]) if orders else before
    except Exception:  # an answer of another version, or a value that no table takes: as good as none
        return before
