"""Readings to orders: which value wins, and which order it belongs to.

Belongs here: choosing and grouping. Not here: reading. Losing values are kept as evidence with ``chosen`` False, so
that a judge can compare what independent readings say.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from orders_pipeline.extract.extractor import Reading, Value
from orders_pipeline.extract.text import one_line
from orders_pipeline.models import Evidence, Item, OrderStatus, ParsedOrder

MAX_ORDERS = 20
MAX_EVIDENCE_PER_FIELD = 6
MAX_TRACKING = 20
MAX_ITEMS = 100
WEAK = 0.5  # a "reference" that is a parcel's number is no order's
SEVERAL_FROM = 0.7  # weaker labels than "order number" never make a mail one of several orders
TWO_NAMES_FROM = 0.9  # of labels weaker than this, those of one name alone make several orders
_LIMITS = {"order_number": 40, "tracking_number": 40, "carrier": 60, "merchant": 80, "currency": 3}
_MONEY = ("total", "subtotal", "shipping", "tax", "discount")
_SOURCES = {"markup": 0, "html": 1, "text": 2, "subject": 3, "link": 4, "header": 5}


def merge_readings(readings: Sequence[Reading]) -> tuple[ParsedOrder, ...]:
    """Build the orders of one mail, at least one."""
    numbers = order_numbers(readings)
    shares = _shares(readings, numbers) if len(numbers) > 1 else [list(readings)]
    return tuple(_order(share, number) for share, number in zip(shares, numbers or [None], strict=True))


def order_numbers(readings: Iterable[Reading]) -> list[str]:
    """The order numbers of a mail: all that the strongest kind of label names, or the single best."""
    readings = list(readings)
    parcels = {_bare(str(r.value)) for r in readings if r.field == "tracking_number" and r.strength >= SEVERAL_FROM}
    found = [
        r
        for r in readings
        if r.field == "order_number"
        and isinstance(r.value, str)
        and (r.strength >= WEAK or _bare(r.value) not in parcels)
    ]
    if not found:
        return []
    top = max(r.strength for r in found)
    best = sorted((r for r in found if r.strength >= top - 1e-9), key=lambda r: _SOURCES[r.source])
    first = best[0]
    if top < SEVERAL_FROM:
        return [str(first.value)]
    same = [r for r in best if r.source == first.source and r.extractor == first.extractor]
    if top < TWO_NAMES_FROM:  # "Order: 20441" and "Booking: QX7KZP" are not two orders
        same = [r for r in same if _label_of(r) == _label_of(first)]
    unique = {str(r.value).casefold(): str(r.value) for r in reversed(same)}
    ordered = dict.fromkeys(str(r.value).casefold() for r in same)
    return [unique[key] for key in ordered][:MAX_ORDERS]


def _label_of(reading: Reading) -> str:
    before = reading.text[: max(0, reading.text.find(str(reading.value)))]
    return "".join(c for c in before.casefold() if c.isalpha())


def _shares(readings: Sequence[Reading], numbers: list[str]) -> list[list[Reading]]:
    """Each order's own readings: those below its number and above the next one, and those of no place."""
    keys = [n.casefold() for n in numbers]
    marks: dict[str, list[tuple[int, int]]] = {}
    for r in readings:
        if r.field == "order_number" and isinstance(r.value, str) and r.value.casefold() in keys and r.offset >= 0:
            marks.setdefault(r.source, []).append((r.offset, keys.index(r.value.casefold())))
    shares: list[list[Reading]] = [[] for _ in numbers]
    for r in readings:
        if r.field == "order_number":
            owners: Iterable[int] = (
                [keys.index(r.value.casefold())] if isinstance(r.value, str) and r.value.casefold() in keys else []
            )
        elif r.order is not None:
            owners = [keys.index(r.order.casefold())] if r.order.casefold() in keys else []
        else:
            owners = _owners(r, marks.get(r.source, []), len(numbers))
        for i in owners:
            shares[i].append(r)
    _join_totals(shares)
    return shares


def _join_totals(shares: list[list[Reading]]) -> None:
    """One total below the last of several orders is for all of them: the first gets it, so that it counts once."""
    holders = [i for i, share in enumerate(shares) if any(r.field == "total" for r in share)]
    if holders == [len(shares) - 1]:
        joint = [r for r in shares[-1] if r.field in _MONEY]
        shares[0] += joint
        shares[-1] = [r for r in shares[-1] if r.field not in _MONEY]


def _owners(reading: Reading, marks: list[tuple[int, int]], count: int) -> Iterable[int]:
    if reading.offset < 0 or reading.field in ("status", "merchant", "carrier", "currency"):
        return range(count)
    before = [i for at, i in sorted(marks) if at <= reading.offset]
    return [before[-1]] if before else range(count)


@dataclass
class _Chosen:
    values: dict[str, Any] = field(default_factory=dict)
    evidence: list[Evidence] = field(default_factory=list)


def _order(readings: Sequence[Reading], number: str | None) -> ParsedOrder:
    chosen = _Chosen()
    if number:
        _choose(chosen, "order_number", _prefer(readings, "order_number", number))
    tracking = _tracking(readings, number)
    for r in tracking:
        chosen.evidence.append(_evidence(r, True))
    for name in ("merchant", "carrier", "status", "expected_delivery", *_MONEY):
        _choose(chosen, name, _ranked(readings, name))
    items = _items(readings)
    chosen.evidence += [_evidence(r, True) for r in items[:MAX_ITEMS]]
    _choose(chosen, "currency", _ranked(readings, "currency"))
    values = chosen.values
    money = {name: values.get(name) for name in _MONEY}
    status = values.get("status")
    delivered = status in (
        OrderStatus.DELIVERED,
        OrderStatus.READY_FOR_PICKUP,
        OrderStatus.CANCELLED,
        OrderStatus.REFUNDED,
        OrderStatus.RETURN_STARTED,
    )
    return ParsedOrder(
        merchant=values.get("merchant"), order_number=values.get("order_number"), carrier=values.get("carrier"),
        tracking_numbers=tuple(str(r.value) for r in tracking), status=status, currency=values.get("currency"),
        expected_delivery=None if delivered else values.get("expected_delivery"),
        items=tuple(r.value for r in items[:MAX_ITEMS] if isinstance(r.value, Item)),
        evidence=tuple(chosen.evidence), **money,
    )  # fmt: skip


def _items(readings: Sequence[Reading]) -> list[Reading]:
    """The lines of the most certain extractor: two that read the same lines would double them."""
    found = [r for r in readings if r.field == "item" and isinstance(r.value, Item)]
    best = max(found, key=lambda r: r.strength, default=None)
    return [r for r in found if best and r.extractor == best.extractor]


def _rank(reading: Reading) -> tuple[float, int]:
    return (-reading.strength, _SOURCES[reading.source])


def _ranked(readings: Iterable[Reading], name: str) -> list[Reading]:
    own = [r for r in readings if r.field == name]
    if name == "expected_delivery":  # several parcels: the order is complete with the last
        own.sort(key=lambda r: r.value.toordinal() if isinstance(r.value, dt.date) else 0, reverse=True)
    if name not in ("total", "subtotal"):
        return sorted(own, key=_rank)
    # Of equal labels the larger amount is meant: lines and parts of a total are called so too, but are smaller.
    return sorted(
        own, key=lambda r: (r.value is None, r.value == 0, -r.strength, -_amount(r.value), _SOURCES[r.source])
    )


def _amount(value: Value | None) -> Decimal:
    return value if isinstance(value, Decimal) else Decimal(0)


def _prefer(readings: Iterable[Reading], name: str, number: str) -> list[Reading]:
    own = sorted((r for r in readings if r.field == name), key=_rank)
    return sorted(own, key=lambda r: not (isinstance(r.value, str) and r.value.casefold() == number.casefold()))


def _choose(chosen: _Chosen, name: str, ranked: Sequence[Reading]) -> None:
    """Take the first that has a value; keep a few of the others as evidence, one for each value and source."""
    winner = next((r for r in ranked if r.value is not None), None)
    if winner is not None:
        chosen.values[name] = _clean(name, winner.value)
        chosen.evidence.append(_evidence(winner, True))
    seen = {(_text(winner.value), winner.source)} if winner else set()
    for r in ranked:
        key = (_text(r.value), r.source)
        if key in seen or len(seen) >= MAX_EVIDENCE_PER_FIELD:
            continue
        seen.add(key)
        chosen.evidence.append(_evidence(r, False))


def _tracking(readings: Sequence[Reading], number: str | None) -> list[Reading]:
    """The tracking numbers of the strongest kind of reading; never the order number itself."""
    own = sorted((r for r in readings if r.field == "tracking_number" and isinstance(r.value, str)), key=_rank)
    own = [r for r in own if not number or _bare(str(r.value)) != _bare(number)]
    if not own:
        return []
    # Beside a "tracking number" the number of a "shipment" is the shop's own.
    floor = own[0].strength if own[0].strength < 0.9 else 0.9
    kept: dict[str, Reading] = {}
    for r in own:
        if r.strength >= floor - 1e-9:
            kept.setdefault(_bare(str(r.value)), r)
    return list(kept.values())[:MAX_TRACKING]


def _bare(value: str) -> str:
    return "".join(c for c in value.casefold() if c.isalnum())


def _clean(name: str, value: Value | None) -> Value | None:
    return (
        one_line(value, _LIMITS.get(name, 200))
        if isinstance(value, str) and not isinstance(value, OrderStatus)
        else value
    )


def _text(value: Value | None) -> str:
    if isinstance(value, OrderStatus):
        return value.value
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Item):
        return one_line(value.name, 200)
    return "" if value is None else one_line(str(value), 200)


def _evidence(reading: Reading, chosen: bool) -> Evidence:
    return Evidence(
        field=reading.field, value=_text(reading.value), extractor=reading.extractor, source=reading.source,
        text=reading.text, chosen=chosen,
    )  # fmt: skip
