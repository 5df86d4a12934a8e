"""What a language must provide for the sample's order and parcel mail.

Belongs here: the record types. Not here: any sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from orders_pipeline.models import OrderStatus


@dataclass(frozen=True, slots=True)
class Telling:
    """Subject and opening of one kind of mail; ``{shop}``, ``{number}``, ``{tracking}``, ``{day}`` are filled in."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The labels of one voice, without colons; ``tax_included`` and ``tax_added`` take ``{rate}``."""

    order_number: str
    order_date: str
    item: str
    quantity: str
    price: str
    subtotal: str
    shipping: str
    free: str
    discount: str
    tax_included: str
    tax_added: str
    total: str
    refund: str
    tracking: str
    carrier: str
    expected: str
    address: str
    payment: str
    paid_by: str
    view: str
    track: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """One language: two voices of shops, one of carriers. ``parcel_of`` takes ``{n}`` and ``{count}``."""

    language: str
    colon: str  # what follows a label: French has a space before it
    hello: tuple[str, str]
    bye: tuple[str, str]
    small_print: str
    parcel_of: str
    pickup_point: str
    sender: str  # label of the shop's name in a carrier's mail
    labels: tuple[Labels, Labels]
    shop: Mapping[OrderStatus, tuple[Telling, Telling]]
    carrier: Mapping[OrderStatus, Telling]
