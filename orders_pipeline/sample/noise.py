"""Mail that is not an order: chosen and filled in from a seeded generator.

Belongs here: picking a text and its sender for one day. Not here: the texts (``noise_texts``) or the bytes.
"""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import dataclass
from enum import StrEnum

from orders_pipeline.sample.catalogue import OWNER_NAME, SHOPS, Layout, Shop
from orders_pipeline.sample.letter import Letter
from orders_pipeline.sample.lifecycle import Purchase
from orders_pipeline.sample.noise_texts import (
    CARTS,
    CODES,
    NEWSLETTERS,
    NOTICES,
    ORDER_WORDS,
    PERSONAL,
    PHISHING,
    REVIEWS,
    Note,
)
from orders_pipeline.sample.notation import long_day, money_text, short_day
from orders_pipeline.sample.phrases import PHRASES


class NoiseKind(StrEnum):
    """What a mail is, that is not about the course of an order."""

    NEWSLETTER = "newsletter"
    CODE = "one_time_code"
    NOTICE = "notice"
    PERSONAL = "personal"
    PHISHING = "phishing"
    CART = "cart_reminder"
    ORDER_WORDS = "order_words"
    REVIEW = "review_request"


_NOTES = {
    NoiseKind.CODE: CODES,
    NoiseKind.NOTICE: NOTICES,
    NoiseKind.PERSONAL: PERSONAL,
    NoiseKind.PHISHING: PHISHING,
    NoiseKind.CART: CARTS,
    NoiseKind.ORDER_WORDS: ORDER_WORDS,
}
# A fixed round, so that a few days already hold every kind; newsletters are the largest part of real mail.
_ROUND = (
    NoiseKind.NEWSLETTER,
    NoiseKind.PERSONAL,
    NoiseKind.CODE,
    NoiseKind.PHISHING,
    NoiseKind.NEWSLETTER,
    NoiseKind.NOTICE,
    NoiseKind.ORDER_WORDS,
    NoiseKind.NEWSLETTER,
    NoiseKind.CART,
    NoiseKind.NOTICE,
    NoiseKind.REVIEW,
    NoiseKind.PERSONAL,
    NoiseKind.NEWSLETTER,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """One such mail: who sends it, what it says, how it is laid out."""

    kind: NoiseKind
    name: str
    address: str
    letter: Letter
    layout: Layout
    unsubscribe: str | None = None


def noise_of(place: int, day: dt.date, delivered: list[Purchase], rng: random.Random) -> Noise:
    """The noise mail at a place in the sample's sequence; ``delivered`` are purchases to ask a review of."""
    kind = _ROUND[place % len(_ROUND)]
    if kind is NoiseKind.REVIEW and delivered:
        return _review(rng.choice(delivered))
    if kind in (NoiseKind.NEWSLETTER, NoiseKind.REVIEW):
        return _newsletter(rng.choice(SHOPS), rng)
    notes = _NOTES[kind]
    return _note(kind, notes[place // len(_ROUND) % len(notes)], day, rng)


def _note(kind: NoiseKind, note: Note, day: dt.date, rng: random.Random) -> Noise:
    shop = next((s for s in SHOPS if s.name == note.name), None) or rng.choice(SHOPS)
    product, price = rng.choice(shop.products)
    filled = {
        "code": f"{rng.randint(0, 999_999):06d}",
        "number": str(rng.randint(10_000_000, 99_999_999)),
        "amount": money_text(price, shop.money),
        "price": money_text(price, shop.money),
        "product": product,
        "shop": shop.name,
        "day": short_day(day, note.language) if kind is not NoiseKind.NOTICE else long_day(day, note.language),
        "issue": str(rng.randint(2, 40)),
    }
    letter = Letter(
        subject=note.subject.format(**filled),
        language=note.language,
        brand=note.name,
        hello=PHRASES[note.language].hello[0].format(name=OWNER_NAME.split()[0]),
        paragraphs=(note.text.format(**filled),),
        bye=note.name.split()[0],
    )
    layout = Layout.TABLE if note.html else Layout.PLAIN
    return Noise(kind=kind, name=note.name, address=note.address, letter=letter, layout=layout)


def _newsletter(shop: Shop, rng: random.Random) -> Noise:
    subject, text = rng.choice(NEWSLETTERS[shop.language])
    product, price = rng.choice(shop.products)
    filled = {
        "product": product,
        "price": money_text(price, shop.money),
        "shop": shop.name,
        "issue": str(rng.randint(20, 400)),
    }
    letter = Letter(
        subject=subject.format(**filled),
        language=shop.language,
        brand=shop.name,
        paragraphs=(text.format(**filled),),
        button=(shop.name, f"https://www.{shop.domain}/new?utm_source=letter&id={rng.randint(10**8, 10**9)}"),
        bye=shop.name,
        small_print=f"news@{shop.domain}",
    )
    return Noise(
        kind=NoiseKind.NEWSLETTER,
        name=shop.name,
        address=f"news@{shop.domain}",
        letter=letter,
        layout=Layout.TABLE,
        unsubscribe=f"https://www.{shop.domain}/unsubscribe/{rng.randint(10**8, 10**9)}",
    )


def _review(purchase: Purchase) -> Noise:
    shop = purchase.shop
    subject, text = REVIEWS[shop.language]
    filled = {"number": purchase.number, "product": purchase.lines[0].name}
    letter = Letter(
        subject=subject.format(**filled),
        language=shop.language,
        brand=shop.name,
        hello=PHRASES[shop.language].hello[shop.voice].format(name=OWNER_NAME),
        paragraphs=(text.format(**filled),),
        button=("★ ★ ★ ★ ★", f"https://www.{shop.domain}/rate/{purchase.number}"),
        bye=shop.name,
    )
    return Noise(
        kind=NoiseKind.REVIEW, name=shop.name, address=f"rate@{shop.domain}", letter=letter, layout=Layout.TABLE
    )
