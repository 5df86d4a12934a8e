"""The generic reader: labels in several languages, and the values that belong to them.

Belongs here: going through the labels, and reading days of delivery. Not here: the words (label_tables), numbers,
amounts and carriers (label_numbers, label_money, label_carriers), status phrases (status), the shop's name (merchant).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from orders_pipeline.extract.carriers import carrier_of_domain, is_number_of, is_sure_number
from orders_pipeline.extract.cells import begins_cell, cells_behind, line_end, stands_alone
from orders_pipeline.extract.dates import FoundDate, find_date
from orders_pipeline.extract.extractor import WEIGHED, Reading, could_be
from orders_pipeline.extract.label_carriers import read_carrier
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.label_money import MONEY_FIELDS, read_money
from orders_pipeline.extract.label_numbers import read_order_number, read_tracking_number
from orders_pipeline.extract.label_reading import label_reading
from orders_pipeline.extract.money import NumberStyle, style_of
from orders_pipeline.extract.refunds import STEM
from orders_pipeline.extract.view import Body, View

WEAK = 7  # a label up to this tier does not end the reach of the one before it
LABELS_A_CHECK = 16
REFERENCE = 3  # the tier of labels such as "reference"
_CLOCK = re.compile(
    r"\s{0,4}(?:by|between|um|zwischen|entre|vers|tra|or)?\s{0,4}\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|uhr|h\b)",
    re.IGNORECASE,
)
# Words that name the cost of delivery, and the delivery itself; and those of shipping and a parcel's number or carrier.
_DELIVERY_TOO = re.compile(
    r"livraison|lieferung|zustellung|bezorging|levering|dostawa|delivery|entrega"
    r"|consegna|leverans"
)
_SHIPPING_TOO = re.compile(r"versand|envio|spedizione|shipping|verzending|expedition|przesyłka|frakt")
_WRITTEN = re.compile(r"[^\W\d_]{2}|\d{4}|\d[./]\d{1,2}[./]|\d月")


class LabelExtractor:
    """Reads label and value pairs of the mail's languages from each rendering of the mail."""

    name = "labels"
    most = tuple(could_be(field) for field in WEIGHED if field != "status")

    def matches(self, view: View) -> bool:
        return bool(view.tables)

    def extract(self, view: View) -> list[Reading]:
        readings: list[Reading] = []
        for body in (view.subject, *view.bodies):
            style = style_of(body.text, domain=view.sender_domain, language=view.tables[0].language)
            labels = _without_inclusive_taxes(view.labels[body.source], body.text)
            for i, label in enumerate(labels):
                following = next((n.start for n in labels[i + 1 : i + 4] if _ends_reach(label, n)), len(body.text))
                readings += _read(label, following, body, view, style)
                if i % LABELS_A_CHECK == 0:
                    view.deadline.check()
        return readings


def _ends_reach(label: Label, other: Label) -> bool:
    """Whether a label begins what the one before cannot speak of; "total of your order" is one label."""
    if label.field == "total" and (
        other.field == "order_word" or (other.field == "total" and other.start == label.end + 1)
    ):
        return False
    return other.tier > WEAK


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
            amounts = list(read_money(label, following, body, style))
            if label.field == "total" and STEM.search(_words_of(label, body)) and STEM.search(view.subject.folded):
                amounts = [replace(a, strength=a.strength + 0.02) for a in amounts]  # more than the order's total
            yield from amounts
            if label.field == "shipping" and not amounts and _DELIVERY_TOO.search(_words_of(label, body)):
                yield from _delivery(replace(label, tier=8), body, view, written=True)
    elif label.field in ("order_number", "order_word"):
        for reading in read_order_number(label, body):
            loose = label.field == "order_word" or label.tier <= REFERENCE
            carrier = carrier_of_domain(view.sender_domain)
            parcel = is_number_of(carrier, reading.value) and (loose or is_sure_number(carrier, reading.value))
            yield _as_parcel(reading) if parcel else reading
    elif label.field == "tracking_number":
        yield from read_tracking_number(label, body)
        yield from _shipping_too(label, following, body, style)
    elif label.field == "delivery":
        yield from _delivery(label, body, view)
    elif label.field == "carrier":
        yield from read_carrier(label, body, view.heads[body.source])
        yield from _shipping_too(label, following, body, style)


def _as_parcel(reading: Reading) -> Reading:
    """What a carrier calls an order or a reference, and has the shape of its numbers."""
    return replace(reading, field="tracking_number", strength=max(reading.strength, 0.55))


def _shipping_too(label: Label, following: int, body: Body, style: NumberStyle) -> Iterator[Reading]:
    """The amount behind a word that also names the cost of shipping: "Versand", "Envío"."""
    if label.tier <= WEAK and _SHIPPING_TOO.fullmatch(_words_of(label, body)) and begins_cell(body.text, label.start):
        yield from read_money(replace(label, field="shipping"), following, body, style)


def _below(label: Label, body: Body, view: View) -> FoundDate | None:
    """The day in the same column of the next row, for a label in a row of headings."""
    spans = [s for s in cells_behind(body.text, label.end, 1) if s[0] > line_end(body.text, label.end)]
    if not spans:
        return None
    start, end = spans[0]
    found = find_date(body.text[start:end], view.today, day_first=view.day_first, limit=12)
    return replace(found, end=start - label.end + found.end) if found else None


def _words_of(label: Label, body: Body) -> str:
    return body.folded[label.start : label.end]


def _delivery(label: Label, body: Body, view: View, *, written: bool = False) -> Iterator[Reading]:
    """The day behind a label; ``written`` asks for a month's name, a weekday or a year in it ("3-5" is no day)."""
    text = body.text
    if label.tier >= 9 and view.today and _CLOCK.match(text, label.end):  # an hour alone means today
        yield label_reading("expected_delivery", view.today, label, body, label.end + 10, less=0.1)
        return
    window = text[label.end : label.end + 140]
    first_line, _, rest = window.partition("\n")
    near = 12 if label.tier < 10 else 40
    us = view.day_first
    found = find_date(first_line, view.today, day_first=us, limit=near)
    if found is None and "\t" in body.line_at(label.start) and stands_alone(text, label.end):
        found = _below(label, body, view)
    elif found is None and not re.search(r"[^\W_]{3}.*[^\W_]{3}", first_line):
        found = find_date(rest, view.today, day_first=us, limit=6)
    elif found and first_line[found.end :].strip(" \t") in ("-", "–", "—", ""):
        found = find_date(window, view.today, day_first=us, limit=near) or found
    if found and written and not _WRITTEN.search(window[found.start : found.end]):
        return
    if found:
        yield label_reading("expected_delivery", found.day, label, body, label.end + found.end)
