"""What of a mail and its parse is shown to a model: bounded text, without personal data.

Belongs here: choosing and cutting the text, and taking personal data out before it leaves. Not here: what is personal
(redact.py), the prompt around it (model_prompt.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from orders_pipeline.encoding import canonical_json, result_to_dict
from orders_pipeline.models import Email, ParseResult
from orders_pipeline.review.redact import Redactor
from orders_pipeline.review.steering import steering_phrase

_MOST_EVIDENCE = 60
_MOST_ITEMS = 60
_MOST_ORDERS = 20
_KEPT = frozenset({"outcome", "extractor", "source", "field", "status", "currency", "language"})  # our own words
_CUT = "\n[the rest of the mail is left out]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelView:
    """``mail`` and ``parse`` are fit to leave; ``steering`` is how the mail addresses the judge, None when it does not.

    ``restore`` puts the mail's own numbers back into what the model says, for people.
    """

    mail: str
    parse: str
    steering: str | None
    restore: Callable[[str], str]


class NotRedacted(Exception):
    """Something personal would have been left in the text; it was not sent."""


def model_view(email: Email, result: ParseResult, redactor: Redactor, limit: int) -> ModelView:
    """The view of a mail, at most ``limit`` characters of it and as many of the parse. Raises ``NotRedacted``."""
    whole = _text(email)
    mail, data = whole[: 2 * limit], _bounded(result)
    for text in (mail, *_strings(data)):  # first: what only the last text shows goes from the first one too
        redactor.learn(text)
    mail, parse = redactor.text(mail), canonical_json(_mapped(data, redactor.text))
    if len(mail) > limit:
        mail = mail[:limit] + _CUT
    parse = parse[:limit]
    if _left(redactor, f"{mail}\n{parse}"):
        raise NotRedacted("something personal could not be taken out; nothing was sent")
    return ModelView(mail=mail, parse=parse, steering=steering_phrase(whole), restore=_restorer(redactor))


def redacted_text(text: str, redactor: Redactor, limit: int) -> tuple[str, Callable[[str], str]]:
    """A text fit to leave, at most ``limit`` characters of it, and what puts its own numbers back into an answer.

    Raises ``NotRedacted``.
    """
    out = redactor.text(text[: 2 * limit])
    out = out if len(out) <= limit else out[:limit] + _CUT
    if _left(redactor, out):
        raise NotRedacted("something personal could not be taken out; nothing was sent")
    return out, _restorer(redactor)


def _text(email: Email) -> str:
    """Subject, sender and date, then the body, and those of mails inside."""
    parts = []
    for one in (email, *email.inner):
        body = max(one.text, one.html_text, key=lambda text: len(text.split()))
        sent = one.sent_at.date().isoformat() if one.sent_at else ""
        parts.append(f"Subject: {one.subject}\nFrom: {one.sender.name} <{one.sender.address}>\nDate: {sent}\n\n{body}")
    return "\n\n--- a mail inside this one ---\n".join(parts)


def _bounded(result: ParseResult) -> dict[str, Any]:
    orders = tuple(
        replace(o, evidence=o.evidence[:_MOST_EVIDENCE], items=o.items[:_MOST_ITEMS])
        for o in result.orders[:_MOST_ORDERS]
    )
    data = result_to_dict(replace(result, orders=orders))
    data.pop("order_words")
    return data


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            if name not in _KEPT:
                yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, str):
        yield value


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: one if name in _KEPT else _mapped(one, change) for name, one in value.items()}
    if isinstance(value, list):
        return [_mapped(one, change) for one in value]
    return change(value) if isinstance(value, str) else value


def _left(redactor: Redactor, text: str) -> list[str]:
    """What is personal and still there; a name that stands for another one is not."""
    stand_ins = {new.casefold() for new in redactor.replaced.values()}
    return [old for old in redactor.left(text) if old.casefold() not in stand_ins]


def _restorer(redactor: Redactor) -> Callable[[str], str]:
    """Numbers back from what replaced them, where that is one-to-one; names stay replaced."""
    back: dict[str, str | None] = {}
    for old, new in redactor.replaced.items():
        if old != new and any(c.isdigit() for c in new) and len(new) >= 4:
            back[new] = None if new in back else old

    def restore(text: str) -> str:
        for new, old in sorted(back.items(), key=lambda pair: -len(pair[0])):
            if old is not None:
                text = text.replace(new, old)
        return text

    return restore
