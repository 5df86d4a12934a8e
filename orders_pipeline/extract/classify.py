"""Is this mail about an order at all?

Belongs here: adding up what speaks for an order and against it. Not here: the words (label_tables), the kinds of
machine mail and deceit (not_orders). Precision comes first: an order invented is worse than one not seen, since a
judge looks at mail that looks like an order but is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from orders_pipeline.extract.alternation import alternation
from orders_pipeline.extract.brands import MAIL_HOSTS, brand_of
from orders_pipeline.extract.carriers import carrier_of_domain
from orders_pipeline.extract.contracts import other_business
from orders_pipeline.extract.deceit import imitates, poses
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.label_tables import TABLES, LabelTable
from orders_pipeline.extract.text import fold
from orders_pipeline.extract.view import View

THRESHOLD = 3.0
MAX_WORDS = 12
# Subjects that say plainly what the mail is, however much it speaks of an order below.
_PLAIN_REASONS = frozenset(
    (
        "review_request", "abandoned_cart", "wish_list", "one_time_code", "digest", "money_received", "social",
        "loyalty", "promotion",
    )
)  # fmt: skip
_RECEIPT_SENDER = re.compile(
    r"receipt|order|invoice|billing|bestell|rechnung|commande|pedido|ordine|tracking|shipment|confirm|booking|ticket"
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a mail is about an order, the short stable reason, and the words that made it look like one."""

    order: bool
    reason: str
    words: tuple[str, ...]
    score: float


def judge_kind(view: View, readings: Sequence[Reading]) -> Judgement:
    """Decide from the readings and from what kind of mail it is."""
    words = order_words(view)
    score = _score(view, readings)
    subject_reason = _subject_reason(view)
    if score < THRESHOLD:
        return Judgement(False, _why_not(view, words, subject_reason), words, score)
    if subject_reason in _PLAIN_REASONS and not _tells_order(readings, subject_reason):
        return Judgement(False, subject_reason, words, score)
    penalty, reason = _doubts(view, readings, subject_reason)
    if score - penalty < THRESHOLD:
        return Judgement(False, "imitation" if poses(view) else reason, words, score - penalty)
    if imitates(view):
        return Judgement(False, "imitation", words, score)
    return Judgement(True, "order_found", words, score - penalty)


def within_reach(view: View, readings: Sequence[Reading], to_come: Sequence[Reading]) -> bool:
    """Whether a mail can still be one about an order when all that is to come is the most that it can be.

    More readings, or stronger ones, never take from the score.
    """
    return _score(view, [*readings, *to_come]) >= THRESHOLD


def _why_not(view: View, words: tuple[str, ...], subject_reason: str | None) -> str:
    """What else a mail is that shows too little of an order: deceit, what its subject says, or nothing known."""
    if not words:
        return subject_reason or "no_order_words"
    return "imitation" if poses(view) else subject_reason or "no_order_found"


def _definite_subject(readings: Sequence[Reading]) -> bool:
    """Whether the subject itself tells of an order's fate, not only of an order."""
    return any(r.field == "status" and r.source == "subject" and r.strength >= 0.85 for r in readings)


def _tells_order(readings: Sequence[Reading], reason: str | None) -> bool:
    """Whether the subject tells of an order all the same; a shop can add a promise to that: "#5512 + 15% off"."""
    promised = reason in ("promotion", "loyalty")
    numbered = any(r.field == "order_number" and r.source == "subject" and r.strength >= 0.75 for r in readings)
    return _definite_subject(readings) or (promised and numbered)


def order_words(view: View) -> tuple[str, ...]:
    """The hint words found, subject first; empty for mail that does not look like an order."""
    found = [h for t in view.tables for h in t.hints if h in view.subject.folded]
    found += [h for t in view.tables for h in t.hints if h in view.hints]
    return tuple(dict.fromkeys(found))[:MAX_WORDS]


def _score(view: View, readings: Sequence[Reading]) -> float:
    best: dict[str, float] = {}
    for r in readings:
        if r.value is not None:
            best[r.field] = max(best.get(r.field, 0.0), r.strength)
    score = 0.0
    number, tracking = best.get("order_number", 0.0), best.get("tracking_number", 0.0)
    score += 2.0 if number >= 0.75 else 1.5 if number >= 0.5 else 0.25 if number else 0.0
    carries = carrier_of_domain(view.sender_domain) is not None
    told = any(r.field == "status" and r.source != "header" for r in readings)
    tracked = tracking >= (0.5 if carries and told else 0.7)  # a carrier's own numbers need no strong label
    score += 2.0 if tracked else 1.0 if tracking else 0.0
    score += 1.5 if best.get("total", 0.0) >= 0.75 else 0.75 if best.get("total") else 0.0
    score += _status_score(readings)
    score += (1.0 if tracked else 0.5 if _definite_subject(readings) else 0.0) if carries else 0.0
    score += 0.5 if best.get("expected_delivery", 0.0) >= 0.85 else 0.0
    if _receipt_pattern(view.tables).search(view.subject.folded):
        score += 1.5 if best.get("total", 0.0) >= 0.85 and "currency" in best else 1.0
    sender = fold(f"{view.email.sender.name} {view.email.sender.address.partition('@')[0]}")
    score += 0.5 if _RECEIPT_SENDER.search(sender) else 0.0
    marked = any(r.source == "markup" and r.field in ("status", "order_number", "total", "item") for r in readings)
    score += 4.0 if marked else 0.0
    return score


def _status_score(readings: Sequence[Reading]) -> float:
    """A definite phrase in the subject and one in the body count both."""
    subject = max((r.strength for r in readings if r.field == "status" and r.source == "subject"), default=0.0)
    body = max((r.strength for r in readings if r.field == "status" and r.source != "subject"), default=0.0)
    told = 2.0 if subject >= 0.85 else 1.5 if subject >= 0.7 else 0.5 if subject else 0.0
    repeated = 1.5 if body >= 0.55 else 1.0 if body >= 0.45 else 0.25 if body else 0.0
    return told + repeated


def _doubts(view: View, readings: Sequence[Reading], subject_reason: str | None) -> tuple[float, str]:
    doubts: list[tuple[float, str]] = []
    if subject_reason:
        doubts.append((2.0, subject_reason))
    if brand_of(view.sender_domain) in MAIL_HOSTS:
        doubts.append((2.0, "personal_sender"))
    if re.match(r"(?:re|aw|antw|sv|回复)\s*(?:\[\d+\])?:", view.subject.folded):
        doubts.append((2.0, "reply"))
    # People write about orders; shops tell what happened to them.
    if not any(r.field == "status" or r.source == "markup" for r in readings):
        doubts.append((2.0, "no_event"))
    if other := other_business(view, readings):
        doubts.append((5.0, other))
    if not any(r.field in ("order_number", "tracking_number") and r.value and r.strength >= 0.5 for r in readings):
        doubts.append((0.5, "no_order_found"))
    return sum(p for p, _ in doubts), max(doubts, default=(0.0, "no_order_found"))[1]


def _subject_reason(view: View) -> str | None:
    subject = view.subject.folded
    if not view.tables and not _any_not_order(TABLES).search(subject):
        return None
    for table in view.tables or TABLES:
        if not _any_not_order((table,)).search(subject):
            continue
        for reason, pattern in _not_order_patterns(table):
            if pattern.search(subject):
                return reason
    return None


@cache
def _not_order_patterns(table: LabelTable) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((reason, re.compile(fold(pattern))) for reason, pattern in table.not_orders)


@cache
def _any_not_order(tables: tuple[LabelTable, ...]) -> Finder:
    return Finder(alternation([fold(pattern) for table in tables for _, pattern in table.not_orders])[0])


@cache
def _receipt_pattern(tables: tuple[LabelTable, ...]) -> re.Pattern[str]:
    words = [fold(w) for t in tables for w in t.receipts]
    return re.compile("|".join(words) if words else r"(?!)")
