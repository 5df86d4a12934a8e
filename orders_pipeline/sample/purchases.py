"""Which orders the household places: the promised special courses first, then as many as fill the days.

Belongs here: choosing shops, articles, numbers and start days from a seeded generator. Not here: what happens to an
order afterwards (``lifecycle``) or how mails say it.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from decimal import Decimal

from orders_pipeline.sample.catalogue import SHOPS, UPS, Carrier
from orders_pipeline.sample.lifecycle import Event, Line, Purchase, Scenario, events_of
from orders_pipeline.sample.notation import cents

_ORDER_MAIL_SHARE = 0.6  # of a day's mail; the rest is noise
_MISPRINTED = (11, 14, 17)  # the orders, in order of placing, whose total does not add up


def plan_purchases(days: list[dt.date], per_day: int, seed: int) -> list[tuple[Purchase, tuple[Event, ...]]]:
    """The orders placed on ``days`` (consecutive, ascending), each with all its events, in order of placing."""
    special: dict[int, list[Scenario]] = {}
    for offset, scenario in _special(len(days)):
        special.setdefault(offset, []).append(scenario)
    told: dict[dt.date, int] = {}
    plans: list[tuple[Purchase, tuple[Event, ...]]] = []
    for offset, day in enumerate(days):
        wanted = special.get(offset, [])
        missing = round(per_day * _ORDER_MAIL_SHARE) - told.get(day, 0) - len(wanted)
        fill = min(max(missing, 0 if wanted else 1), max(1, per_day // 4))
        for scenario in [*wanted, *[Scenario.NORMAL] * fill]:
            rng = generator(seed, "order", len(plans))
            purchase = _purchase(len(plans), day, scenario, rng)
            events = events_of(purchase, days[-1], rng)
            for event in events:
                told[event.day] = told.get(event.day, 0) + 1
            plans.append((purchase, events))
    return plans


def _special(days: int) -> Iterator[tuple[int, Scenario]]:
    """When each special course starts, as days after the first, so that its end state holds on the last day.

    The overdue parcel is promised five days before the end: late enough to be overdue, too early to be assumed
    delivered. With fewer than ten days some courses do not reach their end.
    """
    yield 0, Scenario.SILENT
    yield 0, Scenario.SPLIT
    yield min(1, days - 1), Scenario.NEVER_SHIPPED
    yield min(1, days - 1), Scenario.REFUNDED
    yield max(0, days - 11), Scenario.OVERDUE
    yield max(0, days - 7), Scenario.CANCELLED
    yield max(0, days - 6), Scenario.DELAYED
    yield max(0, days - 5), Scenario.SPLIT_OPEN
    yield max(0, days - 5), Scenario.PICKUP


def _purchase(index: int, day: dt.date, scenario: Scenario, rng: random.Random) -> Purchase:
    # 3 and the number of shops have no common factor: each ten orders in a row are one of every shop.
    shop = SHOPS[(index * 3) % len(SHOPS)]
    parcels = 2 if scenario in (Scenario.SPLIT, Scenario.SPLIT_OPEN) else 1
    articles = rng.sample(shop.products, k=max(parcels, rng.randint(1, 3)))
    lines = tuple(Line(name=name, quantity=rng.choice((1, 1, 1, 2)), price=price) for name, price in articles)
    subtotal = sum((line.price * line.quantity for line in lines), Decimal(0))
    discount = cents(subtotal / 10, shop.currency) if index % 5 == 3 else Decimal(0)
    shipping = Decimal(0) if index % 4 == 1 else shop.shipping
    taxed = subtotal - discount
    if shop.tax_added:
        tax = cents(taxed * shop.tax_rate / 100, shop.currency)
    else:
        tax = cents((taxed + shipping) * shop.tax_rate / (100 + shop.tax_rate), shop.currency)
    misprint = cents(Decimal("10.00"), shop.currency) if index in _MISPRINTED else Decimal(0)
    return Purchase(
        shop=shop,
        number=_digits(shop.number, index // len(SHOPS) + 1, rng),
        ordered=day,
        scenario=scenario,
        lines=lines,
        subtotal=subtotal,
        shipping=shipping,
        discount=discount,
        tax=tax,
        total=taxed + shipping + (tax if shop.tax_added else 0) + misprint,
        misprint=misprint,
        tracking=tuple(_tracking(shop.carrier, rng) for _ in range(parcels)),
    )


def _digits(pattern: str, count: int, rng: random.Random) -> str:
    """Fill each ``#`` with a digit; the last three or more count the shop's orders, so that no two are equal."""
    counted = f"{count:03d}"
    free = pattern.count("#") - len(counted)
    digits = iter("".join(str(rng.randint(0 if place else 1, 9)) for place in range(free)) + counted)
    return "".join(next(digits) if c == "#" else c for c in pattern)


def _tracking(carrier: Carrier, rng: random.Random) -> str:
    if carrier is UPS:
        body = "".join(rng.choice("0123456789ABCEFGHJKLMNPRTUVWXYZ") for _ in range(6))
        body += "03" + "".join(str(rng.randint(0, 9)) for _ in range(7))
        return f"1Z{body}{_ups_check_digit(body)}"
    return "".join(str(rng.randint(0 if i else 1, 9)) if c == "#" else c for i, c in enumerate(carrier.number))


def _ups_check_digit(body: str) -> int:
    """The public rule: letters count as (code - 63) mod 10, even places twice, up to the next ten."""
    values = [int(c) if c.isdigit() else (ord(c) - 63) % 10 for c in body]
    return -sum(value * (2 if place % 2 else 1) for place, value in enumerate(values)) % 10


def generator(seed: int, *names: object) -> random.Random:
    """A repeatable generator for one named thing: changing one thing leaves the others as they are."""
    return random.Random("/".join(str(part) for part in (seed, *names)))  # noqa: S311 - repeatable, not secret
