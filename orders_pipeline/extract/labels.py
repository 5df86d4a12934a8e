"""The generic reader: labels in several languages, and the values that belong to them.

Belongs here: going through the labels, and reading days of delivery and carriers. Not here: the words (label_tables),
numbers and amounts (label_numbers, label_money), status phrases (status), the shop's name (merchant).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.carriers import carrier_named
from orders_pipeline.extract.cells import cell_end, cells_behind, stands_alone
from orders_pipeline.extract.dates import find_date
from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.label_money import MONEY_FIELDS, read_money
from orders_pipeline.extract.label_numbers import read_order_number, read_tracking_number
from orders_pipeline.extract.label_reading import label_reading
from orders_pipeline.extract.money import NumberStyle, style_of
from orders_pipeline.extract.regions import day_first
from orders_pipeline.extract.view import Body, View

WEAK = 7  # a label up to this tier does not end the reach of the one before it
_CLOCK = re.compile(
    r"\s*(?:by|between|um|zwischen|entre|vers|tra|or)?\s*\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|uhr|h\b)",
    re.IGNORECASE,
)


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
            yield from read_money(label, following, body, style)
    elif label.field in ("order_number", "order_word"):
        yield from read_order_number(label, body)
    elif label.field == "tracking_number":
        yield from read_tracking_number(label, body)
    elif label.field == "delivery":
        yield from _delivery(label, body, view)
    elif label.field == "carrier":
        yield from _carrier(label, body)


def _delivery(label: Label, body: Body, view: View) -> Iterator[Reading]:
    text = body.text
    if label.tier >= 9 and view.today and _CLOCK.match(text, label.end):  # an hour alone means today
        yield label_reading("expected_delivery", view.today, label, body, label.end + 10, less=0.1)
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
        yield label_reading("expected_delivery", found.day, label, body, label.end + found.end)


def _carrier(label: Label, body: Body) -> Iterator[Reading]:
    text = body.text
    end = min(cell_end(text, label.end), label.end + 60)
    spans = [(label.end, end)]
    if stands_alone(text, label.end):
        spans += list(cells_behind(text, label.end, 1))[:1]
    for start, stop in spans:
        if carrier := carrier_named(text[start : min(stop, start + 60)]):
            yield label_reading("carrier", carrier.name, label, body, stop)
            return
