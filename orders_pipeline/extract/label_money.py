"""Amounts behind their labels: total, subtotal, shipping, tax, discount.

Belongs here: which amount a label means. Not here: reading amounts (money), choosing among totals (merge).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from orders_pipeline.extract.cells import begins_cell, cell_end, cells_behind, line_end, stands_alone
from orders_pipeline.extract.currencies import CODES, currency_of
from orders_pipeline.extract.extractor import Reading, Value
from orders_pipeline.extract.label_index import Label
from orders_pipeline.extract.label_reading import label_reading
from orders_pipeline.extract.money import Money, NumberStyle, find_money, first_money, says_free
from orders_pipeline.extract.view import Body

MONEY_FIELDS = frozenset({"total", "subtotal", "shipping", "tax", "discount"})
_PERIODIC = re.compile(
    r"\s*(?:/|per\b|a\b|each\b|pro\b|par\b|al\b|ea\b) ?(?:month|year|week|night|day|monat|jahr|mois|an\b|person"
    r"|passenger|ticket|item|unit|mo\b|yr\b)",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[ :]{0,2}[(\[]?(?:in )?([A-Z]{3}|[€£$]|kr|zł)[)\]]?[ :]{0,2}")
_WORD_BEHIND = re.compile(r"\.? ?[^\W\d_]{3}")


def read_money(label: Label, following: int, body: Body, style: NumberStyle) -> Iterator[Reading]:
    """The amount in the label's cell, before ``following`` (the next label), or in the cells behind it."""
    text = body.text
    end = cell_end(text, label.end)
    less = 0.0 if begins_cell(text, label.start) else 0.05
    near = text[label.end : min(end, following, label.end + 80)]
    money = _near_money(near, style)
    if money:
        if not _PERIODIC.match(text, label.end + money.end):
            yield from _amount(label, money, body, label.end + money.end, less)
        return
    if end - label.end > 40 or end > following or not _heads_cell(label, text):
        return
    unit = _unit(text[label.end : end], style)
    bare = unit is not None or stands_alone(text, label.end)
    if says_free(text[label.end : end].lstrip(" :*-–")):
        return
    column = "\t" in text[label.end : line_end(text, label.end)]
    for start, stop in cells_behind(text, label.end, 1):
        if start > line_end(text, label.end) and not column and start >= following - 1:
            return  # the next line has a label of its own
        cell = text[start:stop]
        money = first_money(cell, style, bare=bare)
        if money and _fills(cell, money):
            yield from _amount(label, replace(money, currency=money.currency or unit), body, stop, less)
            return
        if start > line_end(text, label.end) or says_free(cell):
            return


def _unit(rest: str, style: NumberStyle) -> str | None:
    """The currency that is all there is behind a label in its cell: "Total (EUR)", "Summa SEK:"."""
    code = _UNIT.fullmatch(rest)
    word = code[1] if code else ""
    return word if word in CODES else currency_of(word, domain=style.domain, language=style.language) if word else None


def _amount(label: Label, money: Money, body: Body, end: int, less: float) -> Iterator[Reading]:
    yield label_reading(label.field, _signed(label.field, money), label, body, end, less=less)
    if money.currency:
        weight = 0.0 if label.field == "total" else 0.3
        yield label_reading("currency", money.currency, label, body, end, less=less + weight)


def _near_money(near: str, style: NumberStyle) -> Money | None:
    """The amount behind a label in its own cell: at once, or with a currency after a few words."""
    for money in find_money(near, style, bare=True):
        gap = near[: money.start]
        direct = not re.search(r"[^\W\d_]|\d", re.sub(r"\([^()]*\)", "", gap))
        if not money.currency and _WORD_BEHIND.match(near, money.end):
            continue  # "Delivery: 20. Mai", "Total: 3 items"
        if direct and (money.currency or re.search(r"[.,]\d\d$|[」:]", money.text + gap)):
            return money
        if money.currency and len(gap) <= 40 and not re.search(r"[.!?]\s", gap):
            return money
        if direct and money.amount is None:
            return money
    return None


def _heads_cell(label: Label, text: str) -> bool:
    """Whether a label begins its cell, or ends one of few words: "New order total"."""
    if begins_cell(text, label.start):
        return True
    before = text[max(text.rfind("\n", 0, label.start), text.rfind("\t", 0, label.start)) + 1 : label.start]
    return len(before) <= 24 and not re.search(r"[\d:]", before) and stands_alone(text, label.end)


def _fills(cell: str, money: Money) -> bool:
    rest = re.sub(r"\([^()]{0,60}\)", "", cell[: money.start] + cell[money.end :])  # "(includes 2.86 VAT)"
    rest = rest.strip(" *:()-–|")
    return (
        len(rest) <= 20
        and not re.search(r"\d", rest)
        and bool(money.currency or re.search(r"[.,]\d\d$", money.text) or not rest)
    )


def _signed(field: str, money: Money) -> Value | None:
    if money.amount is None:
        return None
    return abs(money.amount) if field != "total" else money.amount
