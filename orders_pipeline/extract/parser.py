"""One message in, its outcome and orders out.

Belongs here: the order of the steps. Not here: any step.
"""

from __future__ import annotations

from orders_pipeline.config import OwnerSettings, ParseSettings
from orders_pipeline.extract.classify import judge_kind, order_words, within_reach
from orders_pipeline.extract.deceit import spoofed
from orders_pipeline.extract.exclusions import excluded
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.forwards import original_of
from orders_pipeline.extract.merge import merge_readings
from orders_pipeline.extract.not_orders import certain_not_order
from orders_pipeline.extract.registry import EXTRACTORS
from orders_pipeline.extract.view import View, build_view
from orders_pipeline.models import Email, Outcome, ParseResult

PARSER_VERSION = "2"
NO_OWNER = OwnerSettings()


def parse_message(
    email: Email, settings: ParseSettings, *, zone: str = "UTC", owner: OwnerSettings = NO_OWNER
) -> ParseResult:
    """Read one message: parsed with its orders, or not_order or excluded with a short stable reason.

    ``zone`` is the IANA zone in which "tomorrow" is meant. A forward by the owner counts as the mail forwarded.
    """
    original, reason = original_of(email, owner)
    if excluded(original, settings) or excluded(email, settings):
        return ParseResult(message_id=email.message_id, outcome=Outcome.EXCLUDED, reason="excluded_sender")
    view = build_view(original, zone)
    if reason := reason or certain_not_order(view):  # cheap, and then nothing else needs reading
        return _result(email, view, Outcome.NOT_ORDER, reason)
    readings = read_signs(view)
    judgement = judge_kind(view, readings)
    if not judgement.order:
        return _result(email, view, Outcome.NOT_ORDER, judgement.reason)
    if not settings.accept_failed_authentication and spoofed(view):
        return _result(email, view, Outcome.NOT_ORDER, "spoofed")
    return ParseResult(
        message_id=email.message_id,
        outcome=Outcome.PARSED,
        reason=judgement.reason,
        orders=merge_readings([*readings, *read_details(view)]),
        language=view.language,
        order_words=judgement.words,
    )


def read_signs(view: View) -> list[Reading]:
    """What decides whether the mail is about an order, in the order of the extractors.

    Reading stops as soon as nothing that is to come can make it one: two mails of three are let go before any is read.
    Raises ``TooMuchWork`` when it takes too long.
    """
    waiting = [extractor for extractor in EXTRACTORS if extractor.most and extractor.matches(view)]
    readings: list[Reading] = []
    for i, extractor in enumerate(waiting):
        if not within_reach(view, readings, [reading for later in waiting[i:] for reading in later.most]):
            break
        readings += extractor.extract(view)
        view.deadline.check()
    return readings


def read_details(view: View) -> list[Reading]:
    """What the other extractors read: the shop, the lines."""
    readings: list[Reading] = []
    for extractor in EXTRACTORS:
        if not extractor.most and extractor.matches(view):
            readings += extractor.extract(view)
            view.deadline.check()
    return readings


def _result(email: Email, view: View, outcome: Outcome, reason: str) -> ParseResult:
    words = order_words(view)
    language = view.tables[0].language if words else None
    return ParseResult(
        message_id=email.message_id, outcome=outcome, reason=reason, language=language, order_words=words
    )
