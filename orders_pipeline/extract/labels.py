"""The generic reader: labels in several languages, and the values that belong to them.

Belongs here: turning labels into readings. Not here: the words (label_tables), status phrases (status), the shop's
name (merchant), rules of one sender (senders).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.carriers import carrier_named
from orders_pipeline.extract.cells import begins_cell, cell_end, cells_behind, line_end, stands_alone
from orders_pipeline.extract.dates import find_date
from orders_pipeline.extract.extractor import Reading, Value
from orders_pipeline.extract.identifiers import FoundId, id_after, id_filling
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.money import Money, NumberStyle, find_money, first_money, says_free, style_of
from orders_pipeline.extract.regions import day_first
from orders_pipeline.extract.text import evidence_text
from orders_pipeline.extract.view import Body, View

SURE = 0.95  # the most that a label can be worth: markup wins over it
WEAK = 7  # a label up to this tier does not end the reach of the one before it
MONEY_FIELDS = frozenset({"total", "subtotal", "shipping", "tax", "discount"})
_SIGNED = re.compile(r"\s?(?:#|№|:|n[°º]|nr\b\.?|no\b\.?|[(\[「])", re.IGNORECASE)
_PERIODIC = re.compile(
    r"\s*(?:/|per\b|a\b|each\b|pro\b|par\b|al\b|ea\b) ?(?:month|year|week|night|day|monat|jahr|mois|an\b|person"
    r"|passenger|ticket|item|unit|mo\b|yr\b)",
    re.IGNORECASE,
)
_PARTIAL_ID = re.compile(r"^[\d,.]+$")


class LabelExtractor:
    """Reads label and value pairs of the mail's languages from each rendering of the mail."""

    name = "labels"

    def matches(self, view: View) -> bool:
        return bool(view.tables)

    def extract(self, view: View) -> list[Reading]:
        readings: list[Reading] = []
        for body in (view.subject, *view.bodies):
            style = style_of(body.text, domain=view.sender_domain, language=view.tables[0].language)
            labels = _without_inclusive_taxes(view.labels[body.source], body.text)
            for i, label in enumerate(labels):
                following = next((n.start for n in labels[i + 1 : i + 4] if n.tier > WEAK), len(body.text))
                readings += _read(label, following, body, view, style)
        return readings


def _without_inclusive_taxes(labels: tuple[Label, ...], text: str) -> list[Label]:
    """Drop the "VAT" of "Total (incl. VAT)": it belongs to the label before it."""
    kept: list[Label] = []
    for label in labels:
        before = kept[-1] if kept else None
        joined = (
            before is not None and before.field in ("total", "subtotal", "shipping") and label.start - before.end <= 16
        )
        if label.field == "tax" and joined and before and not re.search(r"[\d\t\n]", text[before.end : label.start]):
            continue
        kept.append(label)
    return kept


def _read(label: Label, following: int, body: Body, view: View, style: NumberStyle) -> Iterator[Reading]:
    """The readings of one label; ``following`` is where the next label begins, which no amount may reach beyond."""
    if label.field in MONEY_FIELDS:
        if body.source != "subject" or label.field == "total":
            yield from _money(label, following, body, style)
    elif label.field in ("order_number", "order_word"):
        yield from _order_number(label, body)
    elif label.field == "tracking_number":
        yield from _tracking_number(label, body)
    elif label.field == "delivery":
        yield from _delivery(label, body, view)
    elif label.field == "carrier":
        yield from _carrier(label, body)


def _reading(field: str, value: Value | None, label: Label, body: Body, end: int, *, less: float = 0.0) -> Reading:
    text = evidence_text(body.text[label.start : max(end, label.end)])
    return Reading(
        field=field, value=value, extractor="labels", source=body.source, text=text,
        strength=round(label.tier / 10 * SURE - less, 3), offset=label.start,
    )  # fmt: skip


def _order_number(label: Label, body: Body) -> Iterator[Reading]:
    text = body.text
    locator = 7 <= label.tier <= 8
    if label.field == "order_word":
        found = _signed_id(label, text)
    else:
        found = id_after(text, label.end, locator=locator)
        if found is None and stands_alone(text, label.end):
            found = next(
                (f for s, e in cells_behind(text, label.end, 1) if (f := id_filling(text, s, e, locator=locator))), None
            )
    if found:
        yield _reading("order_number", found.value, label, body, found.end)
        if found.replaced:
            yield _reading("order_number", None, label, body, found.end)


def _signed_id(label: Label, text: str) -> FoundId | None:
    """A bare "Order" counts before "#123" or ": 123-456", and before a long number."""
    signed = _SIGNED.match(text, label.end)
    found = id_after(text, label.end)
    if found is None and stands_alone(text, label.end) and begins_cell(text, label.start):
        colon = ":" in text[label.end : label.end + 2]
        for start, end in cells_behind(text, label.end, 1):
            if text.startswith("#", start) or (colon and text[start:end].strip().isdigit()):
                return id_filling(text, start, end)
    if found is None:
        return None
    digits = sum(c.isdigit() for c in found.value)
    hashed = "#" in text[label.end : found.start]
    mixed = digits >= 3 and any(c.isupper() for c in found.value) and found.start - label.end == 1
    return found if (hashed and digits >= 3) or (signed and digits >= 4) or digits >= 6 or mixed else None


def _tracking_number(label: Label, body: Body) -> Iterator[Reading]:
    text = body.text
    found = id_after(text, label.end, spaced=True)
    if found is None and stands_alone(text, label.end):
        found = next(
            (f for s, e in cells_behind(text, label.end, 1) if (f := id_filling(text, s, e, spaced=True))), None
        )
    if found and tracking_shaped(found.value, label.tier):
        yield _reading("tracking_number", found.value, label, body, found.end)
        if name := _carrier_before(text, label.start):
            yield _reading("carrier", name, label, body, found.end, less=0.25)


_BEFORE = re.compile(r"(?:^|[\n\t])([A-Z][\w&.-]{1,15}(?: [A-Z][\w&.-]{1,15})?) $")
_NO_NAME = re.compile(
    r"your|the|this|package|parcel|shipment|order|item|delivery|shipping|and|carrier|courier|new|track|dein"
    r"|ihre?|votre|il|tu|su",
    re.IGNORECASE,
)


def _carrier_before(text: str, start: int) -> str | None:
    """The name in "ICS tracking number": a carrier that no table knows."""
    match = _BEFORE.search(text[max(0, start - 40) : start])
    if match is None or _NO_NAME.match(match[1]):
        return None
    known = carrier_named(match[1])
    return known.name if known else match[1]


def tracking_shaped(value: str, tier: int) -> bool:
    """Whether an identifier can be a tracking number: the weaker its label, the more it must look like one."""
    digits = sum(c.isdigit() for c in value)
    if tier >= 9:
        return digits >= 5 and len(value) >= (6 if tier == 10 else 8)
    letters = sum(c.isalpha() for c in value)
    return len(value) >= 10 and (digits >= 10 or (letters >= 2 and digits >= 6))


def _money(label: Label, following: int, body: Body, style: NumberStyle) -> Iterator[Reading]:
    text = body.text
    end = cell_end(text, label.end)
    less = 0.0 if begins_cell(text, label.start) else 0.05
    near = text[label.end : min(end, following, label.end + 80)]
    money = _near_money(near, style)
    if money:
        if not _PERIODIC.match(text, label.end + money.end):
            yield from _amount(label, money, body, label.end + money.end, less)
        return
    if end - label.end > 40 or end > following or not begins_cell(text, label.start):
        return
    bare = stands_alone(text, label.end)
    for start, stop in cells_behind(text, label.end, 1):
        cell = text[start:stop]
        money = first_money(cell, style, bare=bare)
        if money and _fills(cell, money):
            yield from _amount(label, money, body, stop, less)
            return
        if start > line_end(text, label.end) or says_free(cell):
            return


def _amount(label: Label, money: Money, body: Body, end: int, less: float) -> Iterator[Reading]:
    yield _reading(label.field, _signed(label.field, money), label, body, end, less=less)
    if money.currency:
        weight = 0.0 if label.field == "total" else 0.3
        yield _reading("currency", money.currency, label, body, end, less=less + weight)


def _near_money(near: str, style: NumberStyle) -> Money | None:
    """The amount behind a label in its own cell: at once, or with a currency after a few words."""
    for money in find_money(near, style, bare=True):
        gap = near[: money.start]
        direct = not re.search(r"[^\W\d_]|\d", re.sub(r"\([^()]*\)", "", gap))
        if direct and (money.currency or re.search(r"[.,]\d\d$|[」:]", money.text + gap)):
            return money
        if money.currency and len(gap) <= 40 and not re.search(r"[.!?]\s", gap):
            return money
        if direct and money.amount is None:
            return money
    return None


def _fills(cell: str, money: Money) -> bool:
    rest = (cell[: money.start] + cell[money.end :]).strip(" *:()-–|")
    return (
        len(rest) <= 20
        and not re.search(r"\d", rest)
        and bool(money.currency or re.search(r"[.,]\d\d$", money.text) or not rest)
    )


def _signed(field: str, money: Money) -> Value | None:
    if money.amount is None:
        return None
    return abs(money.amount) if field != "total" else money.amount


_CLOCK = re.compile(
    r"\s*(?:by|between|um|zwischen|entre|vers|tra|or)?\s*\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|uhr|h\b)",
    re.IGNORECASE,
)


def _delivery(label: Label, body: Body, view: View) -> Iterator[Reading]:
    text = body.text
    if label.tier >= 9 and view.today and _CLOCK.match(text, label.end):  # an hour alone means today
        yield _reading("expected_delivery", view.today, label, body, label.end + 10, less=0.1)
        return
    window = text[label.end : label.end + 140]
    first_line, _, rest = window.partition("\n")
    near = 12 if label.tier < 10 else 40
    us = day_first(view)
    found = find_date(first_line, view.today, day_first=us, limit=near)
    if found is None and not re.search(r"[^\W_]{3}.*[^\W_]{3}", first_line):
        found = find_date(rest, view.today, day_first=us, limit=6)
    elif found and first_line[found.end :].strip(" \t") in ("-", "–", "—", ""):
        found = find_date(window, view.today, day_first=us, limit=near) or found
    if found:
        yield _reading("expected_delivery", found.day, label, body, label.end + found.end)


def _carrier(label: Label, body: Body) -> Iterator[Reading]:
    text = body.text
    end = min(cell_end(text, label.end), label.end + 60)
    spans = [(label.end, end)]
    if stands_alone(text, label.end):
        spans += list(cells_behind(text, label.end, 1))[:1]
    for start, stop in spans:
        if carrier := carrier_named(text[start : min(stop, start + 60)]):
            yield _reading("carrier", carrier.name, label, body, stop)
            return
