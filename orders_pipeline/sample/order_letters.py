"""What shops and carriers write about an order: one event in, one letter out.

Belongs here: which facts each kind of mail shows. Not here: wording (``phrases``), layout (``letter``).
"""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

from orders_pipeline.models import OrderStatus
from orders_pipeline.sample.catalogue import OWNER_CITY, OWNER_NAME, OWNER_STREET
from orders_pipeline.sample.letter import Letter
from orders_pipeline.sample.lifecycle import Event, Purchase
from orders_pipeline.sample.notation import long_day, money_text, short_day
from orders_pipeline.sample.phrases import PHRASES, Labels

_MOVING = frozenset(
    {
        OrderStatus.SHIPPED,
        OrderStatus.OUT_FOR_DELIVERY,
        OrderStatus.READY_FOR_PICKUP,
        OrderStatus.DELAYED,
        OrderStatus.DELIVERED,
    }
)


def shop_letter(event: Event, *, markup: bool = False) -> Letter:
    """The shop's mail on an event; with ``markup`` its HTML carries a schema.org Order."""
    purchase, shop = event.purchase, event.purchase.shop
    phrases = PHRASES[shop.language]
    labels = phrases.labels[shop.voice]
    telling = phrases.shop[event.status][shop.voice]
    names = {"shop": shop.name, "number": purchase.number, "name": OWNER_NAME}
    facts = [
        (labels.order_number, purchase.number),
        (labels.order_date, short_day(purchase.ordered, shop.language)),
    ]
    if event.parcel is not None and event.status in _MOVING:
        facts += [(labels.carrier, purchase.carrier.name), (labels.tracking, purchase.tracking[event.parcel])]
    if promised := printed_day(event):
        facts.append((labels.expected, long_day(promised, shop.language)))
    if event.status is OrderStatus.REFUNDED:
        facts.append((labels.refund, money_text(purchase.total, shop.money)))
    if event.status in (OrderStatus.CONFIRMED, OrderStatus.SHIPPED):
        facts.append((labels.address, f"{OWNER_NAME}, {OWNER_STREET}, {OWNER_CITY}"))
    if event.status is OrderStatus.CONFIRMED:
        facts.append((labels.payment, labels.paid_by))
    paragraphs = [telling.text]
    if event.parcel is not None and len(purchase.tracking) > 1:
        paragraphs.append(phrases.parcel_of.format(n=event.parcel + 1, count=len(purchase.tracking)))
    confirms = event.status is OrderStatus.CONFIRMED
    caption = labels.track if event.status in _MOVING else labels.view
    return Letter(
        subject=telling.subject.format(**names),
        language=shop.language,
        brand=shop.name,
        colon=phrases.colon,
        hello=phrases.hello[shop.voice].format(**names),
        paragraphs=tuple(paragraphs),
        facts=tuple(facts),
        table=_table(event, labels),
        sums=_sums(purchase, labels) if confirms else (),
        button=(caption, f"https://www.{shop.domain}/account/orders/{purchase.number}"),
        bye=phrases.bye[shop.voice].format(**names),
        small_print=phrases.small_print,
        markup=_markup(purchase) if markup else "",
    )


def carrier_letter(event: Event) -> Letter:
    """The carrier's mail on a parcel: tracking number and sender, not the shop's order number."""
    purchase, carrier = event.purchase, event.purchase.carrier
    if event.parcel is None:
        raise ValueError(f"a carrier tells of a parcel, not of a whole order: {event.status}")
    phrases = PHRASES[carrier.language]
    labels = phrases.labels[0]
    tracking = purchase.tracking[event.parcel]
    names = {"shop": purchase.shop.name, "tracking": tracking, "name": OWNER_NAME}
    promised = printed_day(event)
    day = long_day(promised, carrier.language) if promised else ""
    telling = phrases.carrier[event.status]
    paragraphs = [telling.text.format(**names, day=day)]
    if event.status is OrderStatus.READY_FOR_PICKUP:
        paragraphs.append(phrases.pickup_point)
    facts = [(labels.tracking, tracking), (phrases.sender, purchase.shop.name)]
    if promised:
        facts.append((labels.expected, day))
    return Letter(
        subject=telling.subject.format(**names, day=day),
        language=carrier.language,
        brand=carrier.name,
        colon=phrases.colon,
        hello=phrases.hello[0].format(**names),
        paragraphs=tuple(paragraphs),
        facts=tuple(facts),
        button=(labels.track, f"https://track.{carrier.domain}/{tracking}"),
        bye=carrier.name,
    )


def printed_day(event: Event) -> dt.date | None:
    """The expected day of delivery that the event's mail shows; None when it shows none."""
    return event.day if event.status is OrderStatus.OUT_FOR_DELIVERY else event.promised


def _table(event: Event, labels: Labels) -> tuple[tuple[str, ...], ...]:
    purchase = event.purchase
    if event.status is OrderStatus.CONFIRMED:
        head: tuple[str, ...] = (labels.item, labels.quantity, labels.price)
        money = purchase.shop.money
        # The first voice prints the price of one, the second the amount of the line: shops do either.
        by_line = purchase.shop.voice == 1
        rows = (
            (i.name, str(i.quantity), money_text(i.price * (i.quantity if by_line else 1), money))
            for i in purchase.lines
        )
        return head, *rows
    if event.status is OrderStatus.SHIPPED and event.parcel is not None:
        parcels = len(purchase.tracking)
        inside = purchase.lines[event.parcel :: parcels]
        return (labels.item, labels.quantity), *((i.name, str(i.quantity)) for i in inside)
    return ()


def _sums(purchase: Purchase, labels: Labels) -> tuple[tuple[str, str], ...]:
    shop = purchase.shop

    def money(amount: Decimal) -> str:
        return money_text(amount, shop.money)

    sums = [(labels.subtotal, money(purchase.subtotal))]
    if purchase.discount:
        sums.append((labels.discount, f"-{money(purchase.discount)}"))
    sums.append((labels.shipping, money(purchase.shipping) if purchase.shipping else labels.free))
    if shop.tax_added:
        sums.append((labels.tax_added.format(rate=shop.tax_rate), money(purchase.tax)))
    sums.append((labels.total, money(purchase.total)))
    if purchase.tax and not shop.tax_added:
        sums.append((labels.tax_included.format(rate=shop.tax_rate), money(purchase.tax)))
    return tuple(sums)


def _markup(purchase: Purchase) -> str:
    shop = purchase.shop
    return json.dumps(
        {
            "@context": "http://schema.org",
            "@type": "Order",
            "merchant": {"@type": "Organization", "name": shop.name},
            "orderNumber": purchase.number,
            "orderDate": purchase.ordered.isoformat(),
            "orderStatus": "http://schema.org/OrderProcessing",
            "price": str(purchase.total),
            "priceCurrency": shop.currency,
            "acceptedOffer": [
                {
                    "@type": "Offer",
                    "itemOffered": {"@type": "Product", "name": line.name},
                    "price": str(line.price),
                    "priceCurrency": shop.currency,
                    "eligibleQuantity": {"@type": "QuantitativeValue", "value": line.quantity},
                }
                for line in purchase.lines
            ],
        },
        ensure_ascii=False,
        indent=1,
    )
