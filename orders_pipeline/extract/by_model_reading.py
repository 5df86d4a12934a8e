"""Orders from the places in a mail that a model pointed at.

Belongs here: finding each quote in the mail and reading it with the same code as everything else. What is not there is
dropped; an order of which neither number nor parcel nor total is left is none. Not here: asking (by_model.py).
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal, InvalidOperation

from orders_pipeline.extract.by_model import AMOUNTS, STATUSES, OrderGiven, OrdersGiven, Readable
from orders_pipeline.extract.dates import find_date
from orders_pipeline.extract.identifiers import looks_like_id
from orders_pipeline.extract.money import NumberStyle, first_money, style_of
from orders_pipeline.extract.text import evidence_text, one_line, plain
from orders_pipeline.models import Evidence, Item, OrderStatus, ParsedOrder

NAME = "model"
_MOST_ORDERS, _MOST_ITEMS, _MOST_PARCELS = 10, 60, 20
_QUANTITY = re.compile(r"\d{1,6}(?:[.,]\d{1,3})?")


def read_orders(given: OrdersGiven, mail: Readable) -> tuple[ParsedOrder, ...]:
    """The orders that the mail itself bears out, at most ten."""
    place = _Mail(mail)
    orders = (_order(one, place) for one in given.orders[:_MOST_ORDERS])
    return tuple(o for o in orders if o.order_number or o.tracking_numbers or o.total is not None)


class _Mail:
    """A mail in which quotes are looked for, whatever the spaces and the case."""

    def __init__(self, mail: Readable) -> None:
        self.mail = mail
        self.style: NumberStyle = style_of(mail.text, domain=mail.domain, language=mail.language)
        self._squeezed = _squeezed(mail.text)

    def has(self, quote: str | None) -> bool:
        """Whether the quote stands in the mail as a whole: not in the middle of a word or number."""
        wanted = _squeezed(quote or "")
        if not wanted or len(wanted) > 500:
            return False
        at = self._squeezed.find(wanted)
        while at >= 0:
            before, after = self._squeezed[max(0, at - 1) : at], self._squeezed[at + len(wanted) :][:1]
            if not (_joins(before, wanted[0]) or _joins(wanted[-1], after)):
                return True
            at = self._squeezed.find(wanted, at + 1)
        return False


def _order(given: OrderGiven, place: _Mail) -> ParsedOrder:
    evidence: list[Evidence] = []

    def note(field: str, value: str, quote: str) -> None:
        said = evidence_text(quote)
        evidence.append(Evidence(field=field, value=value, extractor=NAME, source="text", text=said))

    def text(field: str, limit: int) -> str | None:
        quote = getattr(given, field)
        if not place.has(quote):
            return None
        value = one_line(quote, limit)
        note(field, value, quote)
        return value

    number = text("order_number", 60) if looks_like_id((given.order_number or "").strip("# ")) else None
    parcels = tuple(
        dict.fromkeys(t.strip() for t in given.tracking_numbers if looks_like_id(t.strip()) and place.has(t))
    )[:_MOST_PARCELS]
    for parcel in parcels:
        note("tracking_numbers", parcel, parcel)
    amounts: dict[str, Decimal] = {}
    currencies: list[str] = []
    for field in AMOUNTS:
        quote = getattr(given, field)
        money = first_money(plain(quote), place.style, bare=True) if place.has(quote) else None
        if money and money.amount is not None and money.amount.is_finite():
            amounts[field] = abs(money.amount) if field == "discount" else money.amount
            note(field, f"{money.amount:f}", quote)
            currencies += [money.currency] if money.currency else []
    if len(set(currencies)) == 1 and amounts:
        note("currency", currencies[0], next(getattr(given, f) for f in amounts))
    status = given.status if given.status in STATUSES and place.has(given.status_text) else None
    if status:
        note("status", status, given.status_text or "")
    return ParsedOrder(
        merchant=text("merchant", 80),
        order_number=number.strip("# ") if number else None,
        tracking_numbers=parcels,
        carrier=text("carrier", 80),
        status=OrderStatus(status) if status else None,
        currency=currencies[0] if len(set(currencies)) == 1 and amounts else None,
        expected_delivery=_day(given.expected_delivery, place, note),
        items=_items(given, place),
        evidence=tuple(evidence),
        **amounts,
    )


def _day(quote: str | None, place: _Mail, note: object) -> dt.date | None:
    if quote is None or not place.has(quote):
        return None
    found = find_date(plain(quote), place.mail.today, day_first=place.mail.day_first, limit=200)
    if found and callable(note):
        note("expected_delivery", found.day.isoformat(), quote)
    return found.day if found else None


def _items(given: OrderGiven, place: _Mail) -> tuple[Item, ...]:
    items = []
    for one in given.items[:_MOST_ITEMS]:
        if not place.has(one.name):
            continue
        money = first_money(plain(one.price or ""), place.style, bare=True) if place.has(one.price) else None
        price = money.amount if money and money.amount is not None and money.amount.is_finite() else None
        items.append(Item(name=one_line(one.name, 200), quantity=_quantity(one.quantity, place), price=price))
    return tuple(items)


def _quantity(quote: str | None, place: _Mail) -> Decimal | None:
    found = _QUANTITY.search(quote or "")
    if found is None or not place.has(quote):
        return None
    try:
        return Decimal(found[0].replace(",", "."))
    except InvalidOperation:
        return None


def _squeezed(text: str) -> str:
    return " ".join(plain(text).split()).casefold()


def _joins(left: str, right: str) -> bool:
    """Whether a quote's edge cuts a word or a number in two."""
    return bool(left and right) and left.isalnum() and right.isalnum()
